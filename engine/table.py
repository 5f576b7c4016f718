"""What people may do with a match: each command returns the lines to append, or refuses.

Pure like the rest of the engine: times, ids and randomness are given.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from engine import chance, codec, registry
from engine.events import (
    VERSION,
    Acted,
    Cancelled,
    Event,
    Finished,
    Forked,
    HandedOver,
    Holder,
    Left,
    Nonce,
    Opened,
    Place,
    Resigned,
    Seated,
    Started,
    Undone,
)
from engine.fold import acted, apply, rewound
from engine.game import AnyGame, Illegal, Result, begin, play
from engine.kit import ranking
from engine.match import Match

NONCE_LIMIT = 64
CARETAKER = Holder("bot", "greedy")


class Refused(Exception):
    """A command cannot be carried out. `code` is stable, `params` fill its sentence."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class LogWriter:
    """Writes one event after the other, folding as it goes: prev, salt and seq are always right."""

    def __init__(self, match: Match | None, at: str, by: str, cmd: str | None = None) -> None:
        self._match = match
        self.by = by  # of what follows, unless an event says otherwise
        self._at, self._cmd = at, cmd
        self.lines: list[bytes] = []
        self.steps: list[tuple[Event, Match]] = []  # what was written, and the match after each

    @property
    def match(self) -> Match:
        assert self._match is not None
        return self._match

    def write(
        self,
        kind: type[Event],
        *,
        past: Match | None = None,
        by: str | None = None,
        played: Any = None,
        **fields: Any,
    ) -> None:
        """Add an event; `past` is the position that an undo brings back, `by` whoever else did it.

        `played` is the state after an action that was just played: it need not be folded again.
        """
        now = self._match
        seq = 1 if now is None else now.seq + 1
        seed = fields.get("seed") or self.match.seed  # `opened` and `forked` bring a seed of their own
        event = kind(
            v=VERSION,
            match=fields.pop("match") if now is None else now.id,
            seq=seq,
            at=self._at,
            by=by or self.by,
            cmd=self._cmd if not self.lines else None,
            salt=chance.salt(bytes.fromhex(seed), seq),
            prev=codec.ZERO if now is None else now.head,
            **fields,
        )
        line = codec.encode(event)
        self.lines.append(line)
        after = self._after(event, past, played)
        self._match = replace(after, head=codec.digest(line))
        self.steps.append((event, self._match))

    def _after(self, event: Event, past: Match | None, played: Any) -> Match:
        if past is not None:
            return rewound(self.match, cast(Undone, event), past)
        if played is not None:
            return acted(self.match, (cast("Acted[Any]", event),), played)
        return apply(self._match, event)


class NewTable(NamedTuple):
    """What a table is opened with, whatever is played at it."""

    match: str
    places: Sequence[Place]
    holders: Sequence[Holder | None]  # those who are known already, by seat
    seed: bytes
    listed: bool = True
    clock: dict[str, Any] | None = None


def open_match(writer: LogWriter, game: str, options: Any, new: NewTable) -> None:
    """Open a table, seat those who are known already, and start if that fills it."""
    rules = registry.game(game)
    check_table(rules, len(new.places), options)
    write_opened(writer, rules, options, new)
    write_seated(writer, new.holders)
    start_when_full(writer)


def write_opened(
    writer: LogWriter, rules: AnyGame, options: Any, new: NewTable, revision: int | None = None
) -> None:
    writer.write(
        Opened,
        match=new.match,
        game=rules.key,
        version=rules.version,
        options=msgspec.Raw(codec.encode(options)),
        places=tuple(new.places),
        seal=chance.seal(new.seed),
        seed=new.seed.hex(),
        listed=new.listed,
        clock=new.clock,
        revision=rules.revision if revision is None else revision,
    )


def write_seated(writer: LogWriter, holders: Sequence[Holder | None]) -> None:
    for seat, holder in enumerate(holders):
        if holder is not None:
            # A remote bot's owner has agreed for it to whoever may seat it: it sits down by itself.
            writer.write(Seated, seat=seat, holder=holder, by=holder.id if holder.kind == "remote" else None)


def check_table(rules: Any, seats: int, options: Any) -> None:
    if seats not in rules.players:
        raise Refused("bad_seats", min=rules.players[0], max=rules.players[-1])
    try:
        rules.start(seats, options)
    except Illegal as refusal:
        raise Refused("bad_options", reason=refusal.code, **refusal.params) from None


def start_when_full(writer: LogWriter) -> None:
    """`started` is in the same append as the last `seated`."""
    match = writer.match
    if match.status == "open" and all(chair.holder for chair in match.chairs):
        _, facts = begin(match.rules, len(match.chairs), match.options, match.dice)
        writer.write(Started, facts=tuple(facts))


def sit(writer: LogWriter, seat: int, holder: Holder, nonce: str = "") -> None:
    """Take an open seat, or, already sitting there, give a nonce for the dice."""
    match = writer.match
    check_lobby(match, seat, nonce)
    if match.chairs[seat].holder == holder:
        if nonce:
            writer.write(Nonce, seat=seat, nonce=nonce)
        return
    if match.chairs[seat].holder is not None:
        raise Refused("seat_taken", seat=seat)
    if match.seat_of(holder.id) is not None:
        raise Refused("already_seated")
    writer.write(Seated, seat=seat, holder=holder, nonce=nonce)
    start_when_full(writer)


def check_lobby(match: Match, seat: int, nonce: str = "") -> None:
    if not 0 <= seat < len(match.chairs):
        raise Refused("no_such_seat", seat=seat)
    vacant = match.status == "running" and match.chairs[seat].holder is None  # an import that goes on
    if match.status != "open" and not vacant:
        raise Refused("not_open")
    if len(nonce) > NONCE_LIMIT or not nonce.isprintable() or "," in nonce:
        raise Refused("bad_nonce", limit=NONCE_LIMIT)


def leave(writer: LogWriter, seat: int, account: str) -> None:
    """Before the start: get up. Afterwards: resign."""
    match = writer.match
    if match.status == "running":
        return resign(writer, seat, account)
    check_lobby(match, seat)
    check_holder(match, seat, account)
    return writer.write(Left, seat=seat)


def check_holder(match: Match, seat: int, account: str) -> None:
    """Refuse whoever neither plays nor owns this seat."""
    if match.seat_of(account) != seat:
        raise Refused("not_your_seat")


def resign(writer: LogWriter, seat: int, account: str) -> None:
    """Of two, the other wins; of more, a caretaker plays on, and the player who resigned is placed last."""
    match = writer.match
    check_holder(match, seat, account)
    if match.chairs[seat].resigned:
        raise Refused("already_resigned")
    give_up(writer, seat, "resigned")


def give_up(writer: LogWriter, seat: int, how: str) -> None:
    """A seat is out, of its own will or because its time is up."""
    match = writer.match
    writer.write(Resigned, seat=seat)
    others = [s for s, chair in enumerate(match.chairs) if s != seat and not chair.resigned]
    if len(others) <= 1:
        writer.write(Finished, result=_walkover(len(match.chairs), others, how), seed=match.seed)
    elif match.chairs[seat].holder != CARETAKER:
        writer.write(HandedOver, seat=seat, holder=CARETAKER, why=how)


def _walkover(seats: int, winners: Sequence[int], how: str) -> Result:
    places = tuple(1 if seat in winners else 1 + len(winners) for seat in range(seats))
    return Result((0,) * seats, places, tuple(winners), ((),) * seats, how)


def cancel(writer: LogWriter, account: str) -> None:
    """The creator takes the table away before anybody has played."""
    if writer.match.status != "open":
        raise Refused("not_open")
    if writer.match.creator != account:
        raise Refused("forbidden")
    writer.write(Cancelled)


def reseal(writer: LogWriter, source: str, seed: bytes, kept: bool = False) -> None:
    """Go on with a position whose seed is known to others: new dice. People sit down anew unless `kept`."""
    match = writer.match
    state = msgspec.Raw(codec.encode(codec.pack(match.state)))
    writer.write(
        Forked,
        source=source,
        at_seq=match.seq,
        state=state,
        seal=chance.seal(seed),
        seed=seed.hex(),
        kept=kept,
    )


def fork(writer: LogWriter, then: Match, state: Any, new: NewTable) -> None:
    """A new match from a position of another one; `state` is as much of it as may be known."""
    if then.status != "running":
        raise Refused("not_running")
    if len(new.places) != len(then.chairs):
        raise Refused("bad_seats", min=len(then.chairs), max=len(then.chairs))
    write_opened(writer, then.rules, then.options, new)
    raw, seal = msgspec.Raw(codec.encode(codec.pack(state))), chance.seal(new.seed)
    writer.write(Forked, source=then.id, at_seq=then.seq, state=raw, seal=seal, seed=new.seed.hex())
    write_seated(writer, new.holders)


def act(writer: LogWriter, seat: int, action: Any) -> None:
    """One action: decided, its chance resolved, and the end of the match noted. Raises Illegal."""
    match = writer.match
    state, facts = play(match.rules, match.state, seat, action, match.dice)
    writer.write(Acted, seat=seat, action=msgspec.Raw(codec.encode(action)), facts=tuple(facts), played=state)
    result = match.rules.result(state)
    if result is not None:
        writer.write(Finished, result=with_resigned(result, match), seed=match.seed)


def with_resigned(result: Result, match: Match) -> Result:
    """Players who resigned are placed behind everybody who did not."""
    out = {seat for seat, chair in enumerate(match.chairs) if chair.resigned}
    if not out:
        return result
    keys = [(seat not in out, -place) for seat, place in enumerate(result.places)]
    places = ranking.places(keys)
    return replace(result, places=places, winners=ranking.winners(places) if result.winners else ())
