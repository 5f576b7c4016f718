"""Names of accounts: which are allowed, and which read the same."""

from __future__ import annotations

import unicodedata

from infra.process.errors import BadName

LONGEST = 40
# Control, format, surrogate, private, unassigned, line and paragraph separators: nobody sees them.
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and signs by their category that show nothing all the same.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(code) for span in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for code in span
)


def fold(name: str) -> str:
    """The form under which a name is kept: two names that read the same have the same.

    >>> fold("Jiří  NOVÁK")
    'jiří novák'
    """
    _check(name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def fold_any(text: str) -> str:
    """The same for whatever somebody sent as a name: what can be nobody's stands for itself."""
    try:
        return fold(text)
    except BadName:
        return text


def _check(name: str) -> None:
    if not name:
        raise BadName("empty")
    if len(name) > LONGEST:
        raise BadName("too_long")
    if any(unicodedata.category(char) in INVISIBLE or char in BLANK for char in name):
        raise BadName("invisible")
    plain = unicodedata.normalize("NFKC", name)
    if plain != plain.strip():
        raise BadName("space")
