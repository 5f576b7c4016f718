"""Load, decide, append: the one entrance for people, bots and workers.

A handler either appends to the log and answers the match after it, or raises a Problem and changes nothing.
"""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from engine import codec, registry, table
from engine.events import Acted, Holder, reader
from engine.game import Illegal
from engine.log import Match
from engine.table import Pen
from infra.eventstore import Cmd, CommandReused, Conflict
from service import blocks, seating, tenures
from service.appending import TRIES, append, on_table, refusals
from service.bootstrap import Deps
from service.commands import Act, Cancel, Leave, OpenMatch, Sit
from service.errors import Illegally, Problem
from service.importing import import_log
from service.policy import AbsurdClock, read_policy
from service.reading import enterable, invite_code, invited, may_read, readable
from service.restless import check_early

__all__ = [
    "act",
    "act_once",
    "cancel",
    "import_log",
    "invite_code",
    "join",
    "leave",
    "may_read",
    "open_match",
    "readable",
    "sit",
]


async def open_match(deps: Deps, command: OpenMatch) -> Match:
    """A new table; it starts at once if everybody is there already."""
    game = _game(command.game)
    options = _options(game, command.options)
    seats = list(command.seats)
    if command.shuffle:
        secrets.SystemRandom().shuffle(seats)
    placed = await seating.places(deps, seats, command.who, game.key, command.listed)
    places, holders = zip(*placed, strict=True) if seats else ((), ())
    if sum(seat.get("kind") == "me" for seat in seats) > 1:
        raise Problem("already_seated")
    check_clock(command.clock)
    pen = Pen(None, deps.at(), command.who)
    with refusals():
        _check_options(game, len(places), options)
        table.open_match(
            pen,
            deps.new_id(),
            game.key,
            options,
            places,
            holders,
            deps.new_seed(),
            command.listed,
            command.clock,
        )
    await append(deps, None, pen)
    return pen.match


def check_clock(raw: dict[str, Any] | None) -> None:
    try:
        read_policy(raw)
    except AbsurdClock as problem:
        raise Problem("bad_clock", detail=str(problem)) from None


def _game(key: str) -> Any:
    try:
        return registry.game(key)
    except registry.UnknownGame:
        raise Problem("unknown_game", game=key[:40]) from None


def _options(game: Any, raw: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(raw, game.Options)
    except msgspec.ValidationError as problem:
        raise Problem("bad_options", detail=f"{problem}.") from None


def _check_options(game: Any, seats: int, options: Any) -> None:
    """Options that do not go together are refused in the game's own words."""
    if seats not in game.players:
        return  # the table says that better
    try:
        game.start(seats, options)
    except Illegal as refusal:
        said = {lang: game.words.refusal(refusal.code, refusal.params, lang) for lang in ("en", "cs")}
        raise Problem("bad_options", {"reason": refusal.code}, detail=said) from None


async def sit(deps: Deps, command: Sit) -> Match:
    """Sit down; the last one to do so starts the match. Later: return, or step in for somebody."""
    match = await enterable(deps, command.match, command.who, command.invite)
    if match.status == "running" and _is_held(match, command.seat):
        return await tenures.take(deps, match, command)
    _check_invitation(deps, match, command.seat, command)
    await blocks.check(deps, match, command.who)
    holder = Holder("person", command.who)

    def write(pen: Pen) -> None:
        check_early(pen.match, command.who)
        table.sit(pen, command.seat, holder, command.nonce)

    return await on_table(deps, command.match, command.who, write)


def _is_held(match: Match, seat: int) -> bool:
    return 0 <= seat < len(match.chairs) and match.chairs[seat].holder is not None


def _check_invitation(deps: Deps, match: Match, seat: int, command: Sit) -> None:
    places = [chair.place.kind for chair in match.chairs]
    by_invitation = 0 <= seat < len(places) and places[seat] == "invite"
    if by_invitation and match.creator != command.who and not invited(deps, match.id, command.invite):
        raise Problem("wrong_invite")


async def join(deps: Deps, command: Sit) -> Match:
    """Take the first seat that is free for this person: what an invitation's link does."""
    match = await enterable(deps, command.match, command.who, command.invite)
    if match.seat_of(command.who) is not None:
        raise Problem("already_seated")
    if match.status != "open":
        raise Problem("not_open")
    may = {"open"} | ({"invite"} if invited(deps, match.id, command.invite) else set())
    for seat, chair in enumerate(match.chairs):
        if chair.holder is None and chair.place.kind in may:
            try:
                return await sit(deps, msgspec.structs.replace(command, seat=seat))
            except Problem as refusal:
                if refusal.code != "seat_taken":  # somebody was faster: the next one
                    raise
    raise Problem("no_free_seat")


async def leave(deps: Deps, command: Leave) -> Match:
    """Get up before the start, resign after it."""
    await readable(deps, command.match, command.who)
    return await on_table(
        deps, command.match, command.who, lambda pen: table.leave(pen, command.seat, command.who)
    )


async def cancel(deps: Deps, command: Cancel) -> Match:
    """Take an open table away."""
    await readable(deps, command.match, command.who)
    return await on_table(deps, command.match, command.who, lambda pen: table.cancel(pen, command.who))


class Done(NamedTuple):
    """The match right after an action, and whether that was an earlier call of the same command."""

    match: Match
    repeated: bool = False


async def act(deps: Deps, command: Act) -> Match:
    """One action. Answers the match right after it; the same command again gets the same answer."""
    return (await act_once(deps, command)).match


async def act_once(deps: Deps, command: Act) -> Done:
    """The same, for who must know whether it was done before."""
    match = deps.matches.peek(command.match)
    if match is None or match.seq < command.seq:
        match = await deps.matches.now(command.match)
    for _ in range(TRIES):
        try:
            return await _act(deps, command, match)
        except Conflict:
            match = await deps.matches.now(command.match)
        except CommandReused:
            raise Problem("command_reused") from None
        except (Problem, Illegal) as refusal:
            # Looked at last, valid first: a repeated command was done already, whatever is refused now.
            first = await _first_answer(deps, command)
            if first is not None:
                return Done(first, repeated=True)
            judged, match = match, await deps.matches.now(command.match)
            if match.head != judged.head:
                continue  # what was in memory was behind the log: judge what is true now
            raise _refusal(match, refusal) from None
    raise Problem("unavailable")


async def _act(deps: Deps, command: Act, match: Match) -> Done:
    seat = _seat(deps, match, command)
    if match.state is None:
        raise Problem("not_started")
    action = match.rules.parse(match.state, seat, command.action)
    if command.seq != match.seq:
        await _check_seq(deps, match, command.seq, seat)
    if match.status != "running":
        raise Illegal("game_over")
    pen = Pen(match, deps.at(), command.who, command.key or None)
    table.act(pen, seat, action)
    done = await append(deps, match, pen, _cmd(command, seat))
    if done.repeated:
        return Done(await deps.matches.at(match.id, done.seq), repeated=True)
    return Done(pen.match)  # not what is kept: others may have acted since


def _refusal(match: Match, refusal: Problem | Illegal) -> Problem:
    if isinstance(refusal, Illegal):
        return Illegally(match.rules, refusal.code, refusal.params)
    return refusal


def _seat(deps: Deps, match: Match, command: Act) -> int:
    """The seat this command is for: a person's own, or the one that a bot says and holds."""
    seat = match.seat_of(command.who) if command.seat is None else command.seat
    if seat is not None and command.seat is None and not _plays(match, seat, command.who):
        raise Problem("away")
    if seat is None:
        raise Problem("not_your_seat" if may_read(deps, match, command.who) else "not_found")
    if command.seat is not None:
        holder = match.chairs[seat].holder
        theirs = holder is not None and (
            holder.kind != "person" if command.stand_in else f"bot:{holder.id}" == command.who
        )
        if not theirs:
            raise Problem("not_your_seat")
    return seat


def _plays(match: Match, seat: int, who: str) -> bool:
    """Not only the owner of a seat in which somebody else sits."""
    holder = match.chairs[seat].holder
    return holder is not None and holder.id == who


def _cmd(command: Act, seat: int) -> Cmd | None:
    if not command.key:
        return None
    return Cmd(command.who, command.key, digest(seat, command.action))


def digest(seat: int, action: Any) -> str:
    """What a repeated command must be equal in."""
    return codec.digest(codec.encode([seat, action]))[:32]


async def _first_answer(deps: Deps, command: Act) -> Match | None:
    if not command.key:
        return None
    found = await deps.store.lookup(command.match, command.who, command.key)
    if found is None:
        return None
    seq, stored = found
    match = await deps.matches.at(command.match, seq)
    seat = match.seat_of(command.who) if command.seat is None else command.seat
    if seat is None or stored != digest(seat, command.action):
        raise Problem("command_reused")
    return match


async def _check_seq(deps: Deps, match: Match, seq: int, seat: int) -> None:
    """Stale only if an event since then changed what this seat knows or may do."""
    lines = await deps.store.read(match.id, seq, match.seq - seq) if 0 < seq < match.seq else []
    if not lines or not hidden_commits(match, lines, seat, seq):
        raise Problem("stale_seq", {"current": match.seq}, current=match.seq)


def hidden_commits(match: Match, lines: Sequence[bytes], seat: int, seq: int) -> bool:
    """Whether these events are nothing but other seats' hidden choices, made while this seat was asked."""
    if not 0 < match.since[seat] <= seq:
        return False
    rules, decode = match.rules, reader(match.game).decode
    return all(
        isinstance(event, Acted)
        and event.seat != seat
        and all(rules.redact(fact, seat) != fact and not rules.reveals(fact) for fact in event.facts)
        for event in map(decode, lines)
    )
