"""Matches from elsewhere as they are here: their people are nobody's accounts.

A log keeps its bytes, so where it came from is kept beside it and put on whenever the log is folded.
"""

from typing import Any

from msgspec.structs import replace

from engine.events import Holder
from engine.identity import account_id
from engine.match import Chair, Imported, Match

ELSEWHERE = "elsewhere:"


def dressed(match: Match, origin: Imported | None) -> Match:
    """A folded match with what is known of its origin.

    One of our own logs that came back is as it was. Any other belongs to whoever imported it; unless its
    server is trusted it is not listed. Up to its last foreign event nobody in it has an account here; one
    that goes on was resealed, and whoever sits there now sat down here.
    """
    if origin is None:
        return match
    if origin.signed == "here":
        return replace(match, imported=origin)
    listed = match.listed and origin.signed == "trusted"
    chairs = match.chairs
    if match.seq <= origin.seq:
        chairs = tuple(_foreign(chair, origin) for chair in chairs)
    return replace(match, imported=origin, creator=origin.by, listed=listed, chairs=chairs)


def is_foreign(holder: str) -> bool:
    return holder.startswith(ELSEWHERE)


def is_as_it_came(match: Match) -> bool:
    """Nothing has happened here since it was imported: nobody is owed a word about it."""
    return match.imported is not None and match.seq == match.imported.seq


def _foreign(chair: Chair, origin: Imported) -> Chair:
    parts = tuple(replace(part, holder=_elsewhere(part.holder, origin)) for part in chair.parts)
    holder = None if chair.holder is None else _elsewhere(chair.holder, origin)
    owner = None if chair.owner is None else _elsewhere(chair.owner, origin)
    return replace(chair, holder=holder, owner=owner, parts=parts)


def _elsewhere(holder: Holder, origin: Imported) -> Holder:
    """Somebody of another server; built-in bots are at home everywhere."""
    if holder.kind == "bot":
        return holder
    return replace(holder, id=f"{ELSEWHERE}{origin.server}:{account_id(holder.id)}")


def shown(match: Match, name: str) -> dict[str, Any] | None:
    """What everybody is told of a match's origin; `name` is the importer's."""
    origin = match.imported
    if origin is None or origin.signed == "here":
        return None
    return {"by": name, "at": origin.at, "signed": origin.signed, "server": origin.server or None}
