"""What Pig is played with."""

from engine.kit import content

DATA = content.load(__file__)
FACES: range = range(1, DATA["faces"] + 1)
GOAL: int = DATA["goal"]
