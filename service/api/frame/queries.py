"""Numbers and flags out of a query string: what is out of range is refused, never passed on."""

from __future__ import annotations

from collections.abc import Mapping

from engine.codec import SAFE
from infra.process.ids import MATCH_ID
from service.basics.errors import Problem

OFF, ON = ("0", "false", "no"), ("1", "true", "yes")


def number(query: Mapping[str, str], name: str, default: int | None = None) -> int | None:
    """A whole number from 0 up to what JSON can hold."""
    text = query.get(name)
    if text is None:
        return default
    return whole(text, name)


def whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= SAFE):
        raise _wrong(name, {"en": "a whole number", "cs": "celé číslo"})
    return int(text)


def flag(query: Mapping[str, str], name: str, default: bool) -> bool:
    text = query.get(name)
    if text is None:
        return default
    if text not in ON + OFF:
        raise _wrong(name, {"en": "0 or 1", "cs": "0 nebo 1"})
    return text in ON


def _wrong(name: str, what: Mapping[str, str]) -> Problem:
    detail = {"en": f"“{name}” must be {what['en']}.", "cs": f"„{name}“ musí být {what['cs']}."}
    return Problem("bad_request", detail=detail)


def match_id(text: str) -> str:
    """No match has an id of another form, so none is looked for."""
    if not MATCH_ID.fullmatch(text):
        raise Problem("not_found")
    return text
