"""What built-in bots are called where people read it: by how strong they are, not by how they think.

One table; whoever measures the bots anew changes it here.
"""

from collections.abc import Mapping

from engine.game import ENGLISH, Lang

NAMES: Mapping[str, Mapping[Lang, str]] = {
    "random": {"en": "Beginner bot", "cs": "bot začátečník"},
    "greedy": {"en": "Medium bot", "cs": "střední bot"},
    "search": {"en": "Strong bot", "cs": "silný bot"},
    "search:200ms": {"en": "Strong bot (quick)", "cs": "silný bot (rychlý)"},
    "search:2s": {"en": "Master bot", "cs": "bot mistr"},
}
OTHER: Mapping[Lang, str] = {"en": "{} bot", "cs": "bot {}"}  # a budget that somebody made up


def called(bot: str, lang: Lang) -> str:
    """What people call a bot.

    >>> called("greedy", "en"), called("search:1000", "cs")
    ('Medium bot', 'bot Search:1000')
    """
    known = NAMES.get(bot)
    if known is None:
        return OTHER[lang].format(bot.capitalize())
    return known.get(lang) or known[ENGLISH]
