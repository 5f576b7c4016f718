"""Nobody has a secret in World Wonders.

WW-180 to WW-182: everything is public, and tiles and cards to come are drawn when they are needed, so there
is nothing to exchange. Conformance checks the opposite instead: everybody knows everything.
"""

from engine.game import Exchange

exchange: Exchange | None = None
