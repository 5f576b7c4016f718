"""The events of a match's log: their shapes, their bytes, and what others may read of them.

Wire names are pinned by the tags; a new field has a default, and defaults are not written, so that an old
line stays the canonical spelling of its event.
"""

from functools import cache
from typing import Any, Generic, Literal, TypeVar, cast, get_args

import msgspec

from engine import codec, registry, upcast
from engine.game import AnyGame, Result

F = TypeVar("F")
VERSION = upcast.NEWEST
SECRET = ("salt", "seed", "cmd")  # until the match is over


class Holder(msgspec.Struct, frozen=True, gc=False):
    """Who holds a seat: an opaque account id, or the name of a bot."""

    kind: Literal["person", "bot", "remote"]
    id: str


class Place(msgspec.Struct, frozen=True, gc=False):
    """What a seat was opened for."""

    kind: Literal["open", "invite", "person", "bot", "remote"]


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="kind"):
    v: int
    match: str
    seq: int
    at: str
    by: str
    prev: str
    salt: str = ""
    seat: int | None = None
    cmd: str | None = None


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    game: str
    version: int
    options: msgspec.Raw
    places: tuple[Place, ...]
    seal: str
    seed: str = ""
    listed: bool = True
    clock: dict[str, Any] | None = None
    revision: int = 0  # of the rules that decide; logs older than this field name none


class Seated(Event, frozen=True, kw_only=True, tag="seated"):
    holder: Holder
    nonce: str = ""


class Left(Event, frozen=True, kw_only=True, tag="left"):
    pass


class Nonce(Event, frozen=True, kw_only=True, tag="nonce"):
    nonce: str


class Started(Event, Generic[F], frozen=True, kw_only=True, tag="started"):
    facts: tuple[F, ...]


class Acted(Event, Generic[F], frozen=True, kw_only=True, tag="acted"):
    action: msgspec.Raw
    facts: tuple[F, ...]


class UndoAsked(Event, frozen=True, kw_only=True, tag="undo_asked"):
    to: int


class UndoAnswered(Event, frozen=True, kw_only=True, tag="undo_answered"):
    agree: bool


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    to: int
    assisted: bool = False


class Agreed(Event, frozen=True, kw_only=True, tag="agreed"):
    """A seat agrees to a pause or to giving the match up, or takes that back."""

    what: Literal["pause", "abandon"]
    agree: bool = True


class Advised(Event, frozen=True, kw_only=True, tag="advised"):
    """A seat asks what a bot would do in its place."""


class Paused(Event, frozen=True, kw_only=True, tag="paused"):
    pass


class Resumed(Event, frozen=True, kw_only=True, tag="resumed"):
    pass


class TimedOut(Event, frozen=True, kw_only=True, tag="timed_out"):
    pass


class HandedOver(Event, frozen=True, kw_only=True, tag="handed_over"):
    holder: Holder
    why: str


class Returned(Event, frozen=True, kw_only=True, tag="returned"):
    holder: Holder


class Resigned(Event, frozen=True, kw_only=True, tag="resigned"):
    pass


class Abandoned(Event, frozen=True, kw_only=True, tag="abandoned"):
    pass


class Cancelled(Event, frozen=True, kw_only=True, tag="cancelled"):
    pass


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    result: Result
    seed: str = ""


class Forked(Event, frozen=True, kw_only=True, tag="forked"):
    """A match that continues from a position of another one, under a seal of its own."""

    source: str
    at_seq: int
    state: msgspec.Raw
    seal: str
    seed: str = ""
    kept: bool = False  # a restored match: everybody keeps their seat


PLAIN = (
    Opened | Seated | Left | Nonce | UndoAsked | UndoAnswered | Undone | Agreed | Advised | Paused
    | Resumed | TimedOut | HandedOver | Returned | Resigned | Abandoned | Cancelled | Finished | Forked
)  # fmt: skip


def kinds() -> frozenset[str]:
    """The names of all kinds of events."""
    types = (*get_args(PLAIN), Started, Acted)
    return frozenset(str(kind.__struct_config__.tag) for kind in types)


@cache
def reader(key: str, version: int | None = None) -> msgspec.json.Decoder[Any]:
    """Decodes the lines of a game's matches in today's envelope; facts arrive as the game's own."""
    fact = registry.game(key, version).Fact
    # A union made at run time: the type checker cannot follow a game that is chosen by its key.
    kinds = PLAIN | Started[fact] | Acted[fact]  # type: ignore[valid-type]
    return msgspec.json.Decoder(kinds)


def read(game: AnyGame, line: bytes) -> Any:
    """An event of any known envelope. Raises msgspec.DecodeError, UnknownEnvelope."""
    return reader(game.key, game.version).decode(_today(line)[1])


def plain(line: bytes) -> dict[str, Any]:
    """An event as JSON values, whatever envelope it came in."""
    found: dict[str, Any] = _today(line)[0]
    return found


def _today(line: bytes) -> tuple[Any, bytes]:
    """A line as JSON values in today's envelope, and its bytes; most lines are in it already."""
    event = codec.decode(line)
    if type(event) is not dict or event.get("v") == VERSION or type(event.get("v")) is not int:
        return event, line
    event = upcast.lifted(event)
    return event, codec.encode(event)


class Head(msgspec.Struct):
    """The little of an event that can be read before its game is known."""

    kind: str
    match: str
    seq: int
    prev: str
    game: str = ""
    version: int | None = None


def head(line: bytes) -> Head:
    return cast(Head, codec.decoder(Head).decode(line))


def seen(game: AnyGame, line: bytes, viewer: int | None, over: bool) -> dict[str, Any]:
    """An event as a viewer may read it, with the event's own hash beside it."""
    shown: dict[str, Any]
    shown, today = _today(line)
    shown["hash"] = codec.digest(line)
    if over:
        return shown
    for name in SECRET:
        shown.pop(name, None)
    if shown["kind"] in ("started", "acted"):
        _redact(game, reader(game.key, game.version).decode(today), viewer, shown)
    if shown["kind"] == "forked":
        shown.pop("state")
    return shown


def _redact(
    game: AnyGame, event: Started[Any] | Acted[Any], viewer: int | None, shown: dict[str, Any]
) -> None:
    shown["facts"] = [game.redact(fact, viewer) for fact in event.facts]
    if isinstance(event, Acted) and event.seat != viewer:
        shown["action"] = game.redact(msgspec.json.decode(event.action, type=game.Action), viewer)
