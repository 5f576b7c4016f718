"""Nobody has a secret in Akropolis.

AK-58, AK-59: everything is public, and tiles to come are drawn when they are needed, so there
is nothing to exchange. Conformance checks the opposite instead: everybody knows everything.
"""

from engine.game import Exchange

exchange: Exchange | None = None
