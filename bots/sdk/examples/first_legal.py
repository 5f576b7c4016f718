"""The shortest bot: whatever is listed first."""

from bots.sdk import Action, Turn


class FirstLegal:
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]
