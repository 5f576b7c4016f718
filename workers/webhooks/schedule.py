"""The relay's side of remote bots: wake those that listen, and see to it that webhooks are called.

What is to be delivered is noted in the store before the outbox entry is acknowledged, and looked at every
second until it is no longer true. The note says when to look again, nothing else: whether a turn is open, the
log says.
"""

import asyncio
from collections.abc import Iterable

from engine.identity import account_id
from engine.match import Match
from infra.people.bots import FAILING, Bot
from infra.store.watch import wake
from service.bootstrap import Deps
from service.bots import registration, remote
from service.bots.remote import Open
from service.memory.origins import is_as_it_came
from workers.bots.stand_in import is_late
from workers.jobs import Call, Jobs, StandIn
from workers.parking import parking

TOLD = ("seated", "away", "over")  # messages that need no answer
LATE = "late"  # a kind of note: from then on a bot of the house may play the turn
MAX_SWEPT = 500  # looked at in one sweep
LOST_S = 15.0  # a job that has not reported back for so long is asked for again
STUCK_S = 60.0  # what cannot be looked at now is looked at again after this
MAX_STAND_INS = 8  # turns in one sweep: a thousand late ones must not stand before everybody's bots
SAME_S = 0.002  # moments are kept in milliseconds
WAIT_S = 1.0  # turns over the bot's capacity are looked at again after this


class Calls:
    def __init__(self, deps: Deps, jobs: Jobs) -> None:
        self._deps, self._jobs = deps, jobs
        self._agenda = deps.calls
        self._asked: dict[str, float] = {}  # message -> when it counts as lost

    async def plan(self, match: Match, first: int | None) -> None:
        """Note what the remote bots of a match are owed now, and deliver what can be delivered at once."""
        if is_as_it_came(match):
            return
        for seat, chair in enumerate(match.chairs):
            if chair.owner is not None and chair.owner.kind == "remote":
                await self._note_away(match, seat, chair.owner.id, match.seq + 1 if first is None else first)
            if chair.holder is None or chair.holder.kind != "remote":
                continue
            bot = await self._bot(match, seat)
            if bot is None:  # taken away before the match began, or in the moment that it did
                await registration.step_out(self._deps, match.id, chair.holder.id)
                continue
            await self._deps.bots.gone(bot.id, match.id, None)
            owed = await self._owed(match, seat, bot, match.seq + 1 if first is None else first)
            await self._note(owed)
            await wake(self._deps.client, chair.holder.id)
            if bot.delivery.kind == "webhook":
                await self._ask_now(bot, [message for message, _ in owed if message.kind in TOLD])

    async def _note_away(self, match: Match, seat: int, who: str, first: int) -> None:
        """A caretaker plays for a remote bot: it is told, however turns reach it."""
        bot = await self._deps.bots.get(account_id(who))
        if bot is None:
            return
        away = remote.is_away(match, seat)
        await self._deps.bots.gone(bot.id, match.id, seat if away else None)
        if away and bot.delivery.kind == "webhook" and match.chairs[seat].parts[-1].seq >= first:
            message = Call("away", match.id, seat, match.chairs[seat].parts[-1].seq)
            await self._note([(message, self._now())])
            await self._ask([message])
        await wake(self._deps.client, who)

    async def _owed(self, match: Match, seat: int, bot: Bot, first: int) -> list[tuple[Call, float]]:
        now, since = self._now(), match.since[seat] if match.status == "running" else 0
        owed: list[tuple[Call, float]] = []
        if since:
            moment = await remote.gives_up_at(self._deps, match, seat)
            if moment is not None:
                owed.append((Call(LATE, match.id, seat, since), moment + 0.001))
        if bot.delivery.kind != "webhook":
            return owed
        if match.chairs[seat].parts and match.chairs[seat].parts[-1].seq >= first:
            owed.append((Call("seated", match.id, seat, match.chairs[seat].parts[-1].seq), now))
        if match.status in ("finished", "cancelled") and match.seq >= first:
            owed.append((Call("over", match.id, seat, match.seq), now))
        if since:
            owed.append((Call("turn", match.id, seat, since), now))
        return owed

    async def _note(self, owed: Iterable[tuple[Call, float]]) -> None:
        """What is noted already keeps its moment: it may be waiting for another try."""
        await self._agenda.note(((message.member, moment) for message, moment in owed), sooner=False)

    async def _ask_now(self, bot: Bot, news: list[Call]) -> None:
        """Everything of a bot that is due: a turn that was answered may let another one in."""
        turns = [Call("turn", *turn) for turn in await self._offered(bot)]
        due = [message for message in news + turns if await self._is_due(message)]
        await self._ask(due)

    async def _offered(self, bot: Bot) -> list[Open]:
        """A bot that fails is called for one turn at a time: the others would only hold good bots up."""
        turns = await remote.offered(self._deps, bot)
        return turns[:1] if await self._deps.bots.streak(bot.id) >= FAILING else turns

    async def _is_due(self, message: Call) -> bool:
        """Also what has just been put off for want of room: there may be room now."""
        moment = await self._agenda.when(message.member)
        return moment is not None and moment <= self._now() + WAIT_S

    async def _ask(self, messages: list[Call]) -> None:
        if not messages:
            return
        now = self._now()
        self._asked = {member: lost for member, lost in self._asked.items() if lost > now}
        for message in messages:
            self._asked[message.member] = await self._later(message, LOST_S)
        await asyncio.to_thread(self._jobs.calls, messages)

    async def sweep(self) -> None:
        """Once a second: everything that is due now."""
        ready: list[Call] = []
        late: list[StandIn] = []
        for message in map(Call.read, await self._agenda.due(self._now(), MAX_SWEPT)):
            async with parking(self._deps, message.match, "call") as outcome:
                await (self._look_late(message, late) if message.kind == LATE else self._look(message, ready))
            if outcome.failed:
                await self._later(message, STUCK_S)
            elif outcome.gone:
                await forget(self._deps, message)
        await self._ask(ready)
        if late:
            await asyncio.to_thread(self._jobs.stand_ins, late)

    async def queue_lost(self) -> None:
        """What nobody has reported back from is due now; what waits for another try goes on waiting."""
        asked, self._asked = self._asked, {}
        for member, lost in asked.items():
            noted = await self._agenda.when(member)
            if noted is not None and abs(noted - lost) < SAME_S:
                await self._agenda.later(member, self._now())

    async def _look_late(self, message: Call, late: list[StandIn]) -> None:
        turn = StandIn(message.match, message.seat, message.since)
        if len(late) == MAX_STAND_INS:
            await self._later(message, WAIT_S)
        elif await is_late(self._deps, turn):
            await self._later(message, LOST_S)
            late.append(turn)
        else:
            await self._plan_again(message)

    async def _plan_again(self, message: Call) -> None:
        """A note whose moment has moved, or that is true no more."""
        match = await self._deps.matches.now(message.match)
        await forget(self._deps, message)
        if match.since[message.seat] == message.since:
            await self.plan(match, None)

    async def _look(self, message: Call, ready: list[Call]) -> None:
        match = await self._deps.matches.now(message.match)
        bot = await remote.addressed(self._deps, match, message.seat, message.kind)
        turn = Open(message.match, message.seat, message.since)
        if bot is None or (message.kind == "turn" and not remote.is_open(match, bot, turn)):
            await forget(self._deps, message, bot)
        elif message.kind == "turn" and turn not in await self._offered(bot):
            await self._later(message, WAIT_S)
        else:
            ready.append(message)

    async def _bot(self, match: Match, seat: int) -> Bot | None:
        """The remote bot that holds a seat."""
        return await remote.addressed(self._deps, match, seat, "turn")

    async def _later(self, message: Call, seconds: float) -> float:
        moment = self._now() + seconds
        await self._agenda.later(message.member, moment)
        return moment

    def _now(self) -> float:
        return self._deps.now().timestamp()


async def forget(deps: Deps, message: Call, bot: Bot | None = None) -> None:
    """It is delivered, or no longer true."""
    await deps.calls.forget(message.member)
    if bot is not None:
        await deps.bots.tried_enough(bot.id, message.member)
