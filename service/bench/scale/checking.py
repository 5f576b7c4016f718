"""The model against a real house: so many open matches, moved in at the pace that the model assumes."""

import asyncio
import time
from random import Random
from typing import Any

from service.bench.client import Client
from service.bench.scale.measuring import House, clients, house
from service.bench.scale.model import Check, Figures, Habits, expected, load

PEOPLE = 100
TOGETHER = 16  # requests at once while matches are opened
SETTLE_S = 10.0


class Crowd:
    """People who hold many matches between them, against each other and against bots."""

    def __init__(self, people: list[Client], habits: Habits, seed: int = 1) -> None:
        self._people, self._habits, self._rng = people, habits, Random(seed)
        self._busy: set[int] = set()
        self._locks = [asyncio.Lock() for _ in people]  # a connection carries one request at a time
        self.matches: list[tuple[str, tuple[int, int | None]]] = []
        self.spent: list[float] = []
        self.acted = 0  # events, bots' answers included

    async def ask(self, who: int, method: str, path: str, body: Any = None) -> Any:
        async with self._locks[who]:
            return await self._people[who].json(method, path, body)

    async def open(self, count: int) -> None:
        """A match against a bot has a bot's move for each of a person: so many that their share is right."""
        against_bots = 2 * self._habits.bots_share
        pending = iter(range(count))

        async def some() -> None:
            for _ in pending:
                mine, other = self._rng.sample(range(len(self._people)), 2)
                bot = self._rng.random() < against_bots
                seat = {"kind": "bot", "bot": "random"} if bot else {"kind": "open"}
                wanted = {"game": "machi-koro", "seats": [{"kind": "me"}, seat]}
                match = await self.ask(mine, "POST", "/api/matches", wanted)
                if not bot:
                    match = await self.ask(other, "POST", f"/api/matches/{match['id']}/seats/1", {})
                self.matches.append((match["id"], (mine, None if bot else other)))

        await asyncio.gather(*(some() for _ in range(TOGETHER)))

    async def play(self, rate: float, seconds: float) -> None:
        """People's moves come at random, as those of many people do."""
        tasks: set[asyncio.Task[None]] = set()
        until = time.perf_counter() + seconds
        while (now := time.perf_counter()) < until:
            task = asyncio.create_task(self._move(self._rng.randrange(len(self.matches))))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            await asyncio.sleep(min(self._rng.expovariate(rate), until - now))
        await asyncio.gather(*tasks)

    async def _move(self, n: int) -> None:
        if n in self._busy:
            return
        self._busy.add(n)
        try:
            await self._look_and_move(*self.matches[n])
        finally:
            self._busy.discard(n)

    async def _look_and_move(self, match: str, holders: tuple[int, int | None]) -> None:
        path = f"/api/matches/{match}"
        for _ in range(round(self._habits.looks_a_move)):
            seen = await self.ask(holders[0], "GET", f"{path}?labels=0")
        if seen["status"] != "running":
            return
        who = holders[seen["to_act"][0]]
        if who is None:
            return  # the bot has not answered yet
        began = time.perf_counter()
        body = {"seq": seen["seq"], "action": {"type": "pass"}}
        await self.ask(who, "POST", f"{path}/actions?labels=0", body)
        self.spent.append(time.perf_counter() - began)
        self.acted += 1 if holders[1] is not None else 2


def check(figures: Figures, matches: int, minutes: float, times: float, habits: Habits) -> Check:
    """Run it, and say what the model said. `times` the mean pace: more than one for a short run."""
    with house() as open_house:
        return asyncio.run(_check(open_house, figures, matches, minutes, times, habits))


async def _check(
    open_house: House, figures: Figures, matches: int, minutes: float, times: float, habits: Habits
) -> Check:
    crowd = Crowd(await clients(open_house.port, PEOPLE), habits)
    empty = open_house.store_bytes()
    await crowd.open(matches)
    await asyncio.sleep(SETTLE_S)
    before, began = open_house.processes.cpu(), time.perf_counter()
    await crowd.play(load(matches, habits, times).actions, minutes * 60)
    after, wall = open_house.processes.cpu(), time.perf_counter() - began
    said = expected(figures, matches, crowd.acted / matches, habits, times)
    seen = (
        sum(after[role] - before.get(role, 0.0) for role in after) / wall,
        (open_house.store_bytes() - empty) / 1e6,
        sorted(crowd.spent)[len(crowd.spent) * 99 // 100] * 1000,
    )
    rows = [(what, value, saw) for (what, value), saw in zip(said.items(), seen, strict=True)]
    return Check(matches, minutes, times, rows)
