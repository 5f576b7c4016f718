"""Small helpers for words.py: languages and Czech plurals."""

from collections.abc import Mapping
from typing import Any

from engine.game import Lang

LANGS: tuple[Lang, ...] = ("en", "cs")


def fill(table: Mapping[Lang, Mapping[str, str]], key: str, lang: Lang, params: Mapping[str, Any]) -> str:
    """The sentence for a key, with its gaps filled; gaps without a value stay visible as `?`."""
    texts = table.get(lang, table["en"])
    return texts[key].format_map(_Gaps(params))


class _Gaps(dict[str, Any]):
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
