"""Small helpers for words.py: languages, refusals that all games share, and Czech plurals."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from engine.game import ENGLISH, Lang

Locale = Literal["en", "cs"]
LANGS: tuple[Lang, ...] = get_args(Locale)
REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "malformed": "The action is incomplete or malformed.",
        "unknown_action": 'Unknown action "{type}".',
        "not_a_player": "You are not a player in this game.",
        "game_over": "The game is over.",
        "not_your_turn": "It is not your turn.",
        "wrong_phase": "You cannot do that now.",
    },
    "cs": {
        "malformed": "Akce je neúplná nebo má špatný tvar.",
        "unknown_action": "Neznámá akce „{type}“.",
        "not_a_player": "Nejsi hráčem této hry.",
        "game_over": "Hra už skončila.",
        "not_your_turn": "Nejsi na tahu.",
        "wrong_phase": "To teď nelze udělat.",
    },
}


def fill(table: Mapping[Lang, Mapping[str, str]], key: str, lang: Lang, params: Mapping[str, Any]) -> str:
    """The sentence for a key, with its gaps filled; gaps without a value stay visible as `?`.

    What a language has no sentence for is said in English.

    >>> fill({"en": {"roll": "Roll {dice}"}, "cs": {}}, "roll", "cs", {"dice": 2})
    'Roll 2'
    """
    said = table.get(lang, {}).get(key)
    return (table[ENGLISH][key] if said is None else said).format_map(Gaps(params))


def why_not(own: Mapping[Lang, Mapping[str, str]], code: str, lang: Lang, params: Mapping[str, Any]) -> str:
    """A refusal in the game's own words; what any game may refuse need not be among them.

    >>> why_not({"en": {"no_men": "No man is left."}}, "game_over", "en", {})
    'The game is over.'
    """
    return fill(own if code in own[ENGLISH] else REFUSALS, code, lang, params)


class Gaps(dict[str, Any]):
    """What a sentence is filled with; what is missing shows as `?` instead of failing."""

    def __missing__(self, key: str) -> str:
        return "?"


def plural(n: int, one: str, few: str, many: str) -> str:
    """Czech has three forms: 1, 2 to 4, and the rest.

    >>> [plural(n, "mince", "mince", "mincí") for n in (1, 3, 5)]
    ['mince', 'mince', 'mincí']
    """
    if n == 1:
        return one
    return few if 2 <= n <= 4 else many
