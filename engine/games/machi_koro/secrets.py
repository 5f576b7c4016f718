"""Nobody has a secret in Machi Koro.

MK-75, MK-76: everything is public, and dice and cards to come are drawn when they are needed, so there
is nothing to exchange. Conformance checks the opposite instead: everybody knows everything.
"""

from engine.game import Exchange

exchange: Exchange | None = None
