"""What may be asked of a match: short frozen records, made by routers and workers alike."""

from typing import Any

import msgspec

from engine.accord import What


class Command(msgspec.Struct, frozen=True, kw_only=True):
    who: str  # "account:…" or "bot:…": goes into the log as `by`


class OpenMatch(Command, frozen=True, kw_only=True):
    game: str
    seats: tuple[dict[str, Any], ...]
    options: dict[str, Any] = {}
    clock: dict[str, Any] | None = None
    listed: bool = True
    shuffle: bool = False


class Fork(Command, frozen=True, kw_only=True):
    match: str
    seats: tuple[dict[str, Any], ...]
    at: int  # the last event that the new match begins with
    clock: dict[str, Any] | None = None
    listed: bool = False


class Sit(Command, frozen=True, kw_only=True):
    match: str
    seat: int
    invite: str = ""
    nonce: str = ""


class Join(Command, frozen=True, kw_only=True):
    """Take the first seat that is free."""

    match: str
    invite: str = ""
    nonce: str = ""


class Leave(Command, frozen=True, kw_only=True):
    match: str
    seat: int


class Cancel(Command, frozen=True, kw_only=True):
    match: str


class Act(Command, frozen=True, kw_only=True):
    match: str
    seq: int
    action: Any  # as it came from outside
    key: str = ""  # the caller's own id of this command; "" = none
    seat: int | None = None  # a bot of the house says which seat it plays


class TakeBack(Command, frozen=True, kw_only=True):
    match: str
    seq: int  # of the match that was looked at
    to: int  # the last event that stays


class AnswerUndo(Command, frozen=True, kw_only=True):
    match: str
    agree: bool


class Agree(Command, frozen=True, kw_only=True):
    match: str
    what: What
    agree: bool = True  # False takes an agreement back


class Resume(Command, frozen=True, kw_only=True):
    match: str


class AskHint(Command, frozen=True, kw_only=True):
    """What would a bot do in my place?"""

    match: str


class HandOver(Command, frozen=True, kw_only=True):
    match: str
    seat: int


class Rematch(Command, frozen=True, kw_only=True):
    match: str
