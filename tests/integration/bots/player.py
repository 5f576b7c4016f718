"""The bot of these tests: quick, and the same answer for the same turn, however often it is asked."""

from bots.sdk.examples.machi_koro_heuristic import MachiKoro
from bots.sdk.turn import Action, Turn


class Player:
    def __init__(self) -> None:
        self._machi_koro = MachiKoro()  # a random player takes twice as long to the end

    def choose(self, turn: Turn) -> Action:
        if turn.game == "machi-koro":
            return self._machi_koro.choose(turn)
        return turn.random.choice(turn.legal)
