"""What `turnlog bot new` writes."""

STARTER = '''"""A bot for Turnlog. See docs/bots.md for everything a turn holds.

Try it at once, without a server:
    turnlog sim tides-of-time --bots {file}:MyBot,random --games 10
    turnlog arena machi-koro --bots {file}:MyBot,greedy --games 50

Let it play on a server, at once against the greedy bot:
    eval "$(turnlog bot register my-bot --url http://127.0.0.1:8000 --against tides-of-time)"
    turnlog bot run {file}:MyBot --url http://127.0.0.1:8000
"""


class MyBot:
    def choose(self, turn):
        """Pick one of turn.legal. turn.view is all that this seat may know.

        turn.random is a generator that falls alike for the same turn, so that a repeat is answered alike.
        """
        return turn.random.choice(turn.legal)

    def over(self, message):
        """Called when a match has ended (may be left out)."""
'''
