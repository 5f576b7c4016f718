"""Turns of remote bots: which are open, what a bot is told of them, and how it answers.

An open turn is what the log says: the read model finds it, the log confirms it. Nothing else is remembered,
so that every process and every way of delivery offers the same turns.
"""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, NamedTuple

from engine import tenure
from engine.identity import account_id, of_account
from engine.match import Match
from engine.table import CARETAKER
from infra.people.bots import Bot
from infra.store.readmodel import MyTurn
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Tables
from service.commands.actions import hidden_commits
from service.commands.append import on_table
from service.memory.clocks import policy_of
from service.time.history import History, TurnSpan
from service.views import sight

MAX_EVENTS = 500  # of what happened since a bot's last turn


def key(match: str, seat: int, seq: int) -> str:
    """The command key of a turn's answer: the same however it was delivered."""
    return f"turn:{match}:{seat}:{seq}"


class Open(NamedTuple):
    """An open turn, as it is known before anything is asked of the log."""

    match: str
    seat: int
    since: int


async def offered(deps: Tables, bot: Bot, flying: Collection[Open] = ()) -> list[Open]:
    """The turns in flight: the oldest open ones, as many as the bot can take at a time.

    Those that are known to be `flying` come first: whatever arrives in between waits.
    """
    turns = [Open(mine.summary.match, mine.turn.seat, mine.turn.since) for mine in await waiting(deps, bot)]
    found: list[Open] = []
    for turn in sorted(turns, key=lambda turn: turn not in flying):
        if len(found) == bot.capacity:
            break
        with passed_by(turn.match):  # a damaged match takes no place from the others
            if deps.matches.peek(turn.match) is None:
                await deps.matches.now(turn.match)
            found.append(turn)
    return found


async def waiting(deps: Tables, bot: Bot) -> list[MyTurn]:
    """All open turns of a bot, oldest first: an order in which a turn only ever moves to the front."""
    turns = await deps.readmodel.turns(of_account(bot.id))
    return sorted(turns, key=lambda mine: (mine.turn.start, mine.summary.match, mine.turn.seat))


async def number(deps: Tables, bot: Bot, turn: Open) -> int | None:
    """The `seq` under which a turn is offered; None if it is no longer true."""
    match = await deps.matches.now(turn.match)
    return await _seq(deps, match, turn.seat) if is_open(match, bot, turn) else None


async def turn_message(deps: Deps, bot: Bot, match: Match, turn: Open) -> dict[str, Any] | None:
    """What the bot is told of a turn of a match as it is now; None if it is no longer true."""
    seat = turn.seat
    if not is_open(match, bot, turn):
        return None
    past = await deps.clocks.history(match)
    deadline = (await deps.clocks.deadlines(match)).get(seat)
    after = max(_told(past, seat), match.seq - MAX_EVENTS)
    news = await deps.store.read(match.id, after, match.seq - after)
    await deps.bots.offered(bot.id, _ident(match.id, seat, turn.since), int(deps.now().timestamp() * 1000))
    return sight.turn(match, seat, await _seq(deps, match, seat), deadline, news)


def is_open(match: Match, bot: Bot, turn: Open) -> bool:
    """Whether this very turn waits for this bot."""
    if match.status != "running" or match.since[turn.seat] != turn.since:
        return False
    holder = match.chairs[turn.seat].holder
    return holder is not None and holder.id == of_account(bot.id)


def _told(past: History, seat: int) -> int:
    """The event that began the seat's turn before this one: so far the bot was told everything."""
    turns = [turn for turn in past.turns if turn.seat == seat]
    return turns[-2].seq if len(turns) > 1 else 0


async def _seq(deps: Tables, match: Match, seat: int) -> int:
    """The number under which a turn is offered: the newest event that this seat could notice.

    Others' hidden choices leave it as it is, so that a turn keeps its number while they think.
    """
    since = match.since[seat]
    lines = await deps.store.read(match.id, since, match.seq - since) if since < match.seq else []
    for number in range(match.seq, since, -1):
        if not hidden_commits(match, lines[number - since - 1 : number - since], seat, since):
            return number
    return since


def told(bot: Bot, match: Match, kind: str) -> dict[str, Any] | None:
    """A message that needs no answer: `seated`, `away` or `over`; None if it is no longer true."""
    seat = match.seat_of(of_account(bot.id))
    if kind == "over":
        return sight.over(match)
    if seat is None or (kind == "away" and not is_away(match, seat)):
        return None
    return sight.away(match, seat) if kind == "away" else sight.seated(match, seat)


async def addressed(deps: People, match: Match, seat: int, kind: str) -> Bot | None:
    """The remote bot that a message is for: who holds the seat, or who is away from it."""
    chair = match.chairs[seat]
    who = chair.owner if kind == "away" else chair.holder
    if who is None or who.kind != "remote":
        return None
    return await deps.bots.get(account_id(who.id))


def is_away(match: Match, seat: int) -> bool:
    """Whether a caretaker plays for a remote bot whose time ran out."""
    chair = match.chairs[seat]
    if match.status != "running" or chair.owner is None or chair.owner.kind != "remote" or chair.resigned:
        return False
    return chair.holder == CARETAKER and chair.parts[-1].why == "timed_out"


async def come_back(deps: Tables, who: str, ident: str) -> Match:
    """A bot that is heard of again takes its seat back from the caretaker. Raises Problem."""
    match = await deps.matches.now(ident)
    seat = match.seat_of(who)
    if seat is None:
        raise Problem("forbidden")  # a bot's token sits down nowhere else
    if not is_away(match, seat):
        raise Problem("not_open")
    return await on_table(deps, ident, who, lambda writer: tenure.return_to(writer, seat, who))


async def heard_late(deps: Tables, who: str, ident: str) -> None:
    """An answer came after a caretaker took the seat: too late for this turn, in time for the next."""
    with suppress(Problem):  # somebody else did something meanwhile
        await come_back(deps, who, ident)


async def acknowledged(deps: Tables, who: str, ident: str) -> None:
    """A bot says that it is there. Believed once; whoever then lets its time run out again has to answer."""
    match = await deps.matches.now(ident)
    seat = match.seat_of(who)
    if seat is None or _came_back_for_nothing(match, await deps.clocks.history(match), seat):
        return
    await heard_late(deps, who, ident)


def _came_back_for_nothing(match: Match, past: History, seat: int) -> bool:
    """Whether a seat's owner had it back before, and played no turn in all that time."""
    *_, before, _ = (None, *match.chairs[seat].parts)
    if before is None or before.why != "returned":
        return False
    turns = [turn for turn in past.turns if turn.seat == seat and turn.seq >= before.seq]
    return not any(turn.who == before.holder.id and turn.until and not turn.timed_out for turn in turns)


def last_turn(past: History, seat: int) -> TurnSpan | None:
    """The turn that the newest action of a seat has ended."""
    ended = [turn for turn in past.turns if turn.seat == seat and turn.until is not None]
    return ended[-1] if ended else None


async def gives_up_at(deps: Tables, match: Match, seat: int) -> float | None:
    """When a bot of the house plays a remote bot's turn, so that nobody waits for ever.

    Where a clock runs its own policy decides, unless that is to wait: then the bot has at least that time.
    """
    turn = (await deps.clocks.history(match)).current(seat)
    policy = policy_of(match)
    if turn is None or match.paused or (policy is not None and policy.timeout != "wait"):
        return None
    patience = turn.start + deps.settings.bot_patience
    return max(patience, (await deps.clocks.deadlines(match)).get(seat, 0.0))


async def note_answer(deps: Deps, bot: str, match: Match, seat: int | None) -> None:
    """Count an answer, and how long it took since the bot was asked: waiting for a place is not answering."""
    turn = last_turn(await deps.clocks.history(match), seat) if seat is not None else None
    if turn is not None and turn.end is not None:
        await deps.bots.answered(
            bot, _ident(match.id, turn.seat, turn.seq), int(turn.end * 1000), int(turn.start * 1000)
        )


def _ident(match: str, seat: int, since: int) -> str:
    return f"{match}:{seat}:{since}"


async def note_failure(deps: People, bot: str, reason: str) -> None:
    await deps.bots.failed(bot, int(deps.now().timestamp() * 1000), reason)
