"""Playing: one action, through the same door for people, bots and workers.

Load, decide, append: it either appends to the log and returns the match after it, or raises a Problem and
changes nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import codec, table
from engine.events import Acted, read
from engine.game import Illegal
from engine.match import Match
from engine.table import LogWriter
from infra.store.eventstore import Cmd, CommandReused, Conflict
from service.basics.errors import IllegalAction, Problem
from service.bootstrap import Process, Tables
from service.commands.append import TRIES, append
from service.commands.records import Act
from service.commands.restraint import LONG_MATCH
from service.views.access import may_read


class Done(NamedTuple):
    """The match right after an action, and whether that was an earlier call of the same command."""

    match: Match
    repeated: bool = False


async def act(deps: Tables, command: Act) -> Match:
    """One action. Answers the match right after it; the same command again gets the same answer."""
    return (await act_once(deps, command)).match


async def act_once(deps: Tables, command: Act) -> Done:
    """The same, for callers who must know whether it was done before."""
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


async def _act(deps: Tables, command: Act, match: Match) -> Done:
    seat = _seat(deps, match, command)
    if match.state is None:
        raise Problem("not_started")
    action = match.rules.parse(match.state, seat, command.action)
    if command.seq != match.seq:
        await _check_seq(deps, match, command.seq, seat)
    if match.status != "running":
        raise Illegal("game_over")
    if match.seq >= LONG_MATCH and not match.since[seat]:  # who has chosen chooses anew, but not for ever
        raise Problem("changed_too_often")
    writer = LogWriter(match, deps.at(), command.who, command.key or None)
    table.act(writer, seat, action)
    done = await append(deps, match, writer, _cmd(command, seat))
    if done.repeated:
        return Done(await deps.matches.at(match.id, done.seq), repeated=True)
    return Done(writer.match)  # not what is kept: others may have acted since


def _refusal(match: Match, refusal: Problem | Illegal) -> Problem:
    if isinstance(refusal, Illegal):
        return IllegalAction(match.rules, refusal.code, refusal.params)
    return refusal


def _seat(deps: Process, match: Match, command: Act) -> int:
    """The seat this command is for: a person's own, or the one that a bot of the house says."""
    seat = match.seat_of(command.who) if command.seat is None else command.seat
    if seat is not None and command.seat is None and not _plays(match, seat, command.who):
        raise Problem("away")
    if seat is None:
        raise Problem("not_your_seat" if may_read(deps, match, command.who) else "not_found")
    if command.seat is not None:
        holder = match.chairs[seat].holder
        if holder is None or holder.kind == "person":  # bots of the house play for bots that cannot
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


async def _first_answer(deps: Tables, command: Act) -> Match | None:
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


async def _check_seq(deps: Tables, match: Match, seq: int, seat: int) -> None:
    """Stale only if an event since then changed what this seat knows or may do."""
    lines = await deps.store.read(match.id, seq, match.seq - seq) if 0 < seq < match.seq else []
    if not lines or not hidden_commits(match, lines, seat, seq):
        raise Problem("stale_seq", {"current": match.seq}, current=match.seq)


def hidden_commits(match: Match, lines: Sequence[bytes], seat: int, seq: int) -> bool:
    """Whether these events are nothing but other seats' hidden choices, made while this seat was asked."""
    if not 0 < match.since[seat] <= seq:
        return False
    rules = match.rules
    return all(
        isinstance(event, Acted)
        and event.seat != seat
        and all(rules.redact(fact, seat) != fact and not rules.reveals(fact) for fact in event.facts)
        for event in (read(rules, line) for line in lines)
    )
