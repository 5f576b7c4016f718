"""A match as its log says it is: the table, who sits there, the position, and what is agreed or asked."""

from random import Random
from typing import Any, Literal

import msgspec

from engine import chance, registry
from engine.events import Holder, Place
from engine.game import AnyGame, Pick, Result

Status = Literal["open", "running", "finished", "cancelled"]


class Tenure(msgspec.Struct, frozen=True, gc=False):
    """From event `seq` on this holder played the seat; `why` it changed hands."""

    seq: int
    holder: Holder
    why: str


class Chair(msgspec.Struct, frozen=True, gc=False):
    """A seat with whoever holds it."""

    place: Place
    holder: Holder | None = None
    owner: Holder | None = None  # the person for whom a caretaker or a substitute sits
    nonce: str = ""
    resigned: bool = False
    parts: tuple[Tenure, ...] = ()


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A seat asks the others to go back to the position after event `to`."""

    seat: int
    to: int
    seq: int
    at: str
    agreed: tuple[int, ...] = ()


Signed = Literal["here", "trusted", "unknown", "nobody"]


class Imported(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a match came from that was not played here up to event `seq`. Kept beside the log, not in it."""

    by: str
    at: str
    seq: int
    signed: Signed
    server: str = ""  # the name under which the operator trusts it
    key: str = ""
    signature: str = ""


class Match(msgspec.Struct, frozen=True, gc=False):
    id: str
    game: str
    version: int
    options: Any
    listed: bool
    clock: dict[str, Any] | None
    creator: str
    opened: str  # times are data: nothing here compares them
    updated: str
    status: Status
    seq: int
    head: str
    seal: str
    seed: str
    chairs: tuple[Chair, ...]
    since: tuple[int, ...]  # by seat: seq of the event that put it into to_act; 0 = not waited for
    state: Any = None
    position: int = 0  # the event that led to this state; an undo brings an earlier one back
    result: Result | None = None
    assisted: bool = False
    runner: int | None = None  # the seat whose latest actions may be taken back freely …
    run: tuple[int, ...] = ()  # … and the events of those actions
    ask: Ask | None = None
    advice: tuple[int, int] | None = None  # (seat, event) that asks what a bot would do in this turn
    votes: tuple[tuple[int, str], ...] = ()  # (seat, what it agrees to), until somebody acts
    paused: bool = False
    revision: int = 0
    bond: str = ""  # the hash of all that was said before the first draw: the dice hang on every word of it
    changes: dict[str, int] = {}  # events beside play that each account wrote, before and since the start
    imported: Imported | None = None  # no event says so: whoever has the record beside the log adds it

    @property
    def rules(self) -> AnyGame:
        return registry.game(self.game, self.version)

    @property
    def dice(self) -> Pick:
        words = [chair.nonce for chair in self.chairs]
        if self.revision:
            words.append(self.bond or self.head)
        return chance.dice(bytes.fromhex(self.seed), words)

    def private(self, purpose: str) -> Random:
        """A generator of this match alone; what it gives is as secret as the dice to come."""
        return chance.private(bytes.fromhex(self.seed), purpose)

    @property
    def to_act(self) -> list[int]:
        return [seat for seat, seq in enumerate(self.since) if seq] if self.status == "running" else []

    @property
    def people(self) -> list[int]:
        """Seats that a person plays now: those who are asked when all must agree."""
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.holder is not None and chair.holder.kind == "person"
        ]

    def seat_of(self, account: str | None) -> int | None:
        """The seat that somebody plays, or owns while another plays for them."""
        if not account:
            return None
        owned = None
        for seat, chair in enumerate(self.chairs):
            if chair.holder is not None and chair.holder.kind != "bot" and chair.holder.id == account:
                return seat
            if chair.owner is not None and chair.owner.id == account:
                owned = seat
        return owned
