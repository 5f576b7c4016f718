"""What taking back costs, as ratios of CPU time: late in a match against early, and in logs full of it."""

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from engine import codec
from engine.log import load
from engine.proof.verify import audit
from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from service.bench.long_log import long_log
from service.bench.measure import Probe
from service.bootstrap import Deps, wire
from service.commands import actions, agreements, tables
from service.commands.records import Act, OpenMatch, Sit, TakeBack
from service.time import history

T = TypeVar("T")
UNDOS, EDGE = 200, 10  # in one match; how many of the first and of the last are compared
LONG, NESTED = 5000, 1000  # events of a log, undos among them
PEOPLE = ("account:anna", "account:bert")
DAY = {"kind": "per_move", "seconds": 86400}


@contextmanager
def probes() -> Iterator[list[Probe]]:
    with TemporaryDirectory() as folder, Embedded(folder) as server:
        url, late = server.url, f"{UNDOS - EDGE + 1}-{UNDOS}"
        yield [
            _ratio(f"undos {late} of a match / 1-{EDGE}", partial(_aged, url, 0), 1.5),
            _ratio(f"… following undos {late} / 1-{EDGE}", partial(_aged, url, 1), 1.5),
            _ratio(f"load {LONG} events, {NESTED} nested undos / none", partial(_full, load), 1.2),
            _ratio("… histories of the same", partial(_full, history.history), 1.2),
            _ratio("… decisions of the same", partial(_full, audit), 1.2),
        ]


def _ratio(name: str, run: Callable[[float], float], target: float) -> Probe:
    return Probe(name, "ratio", run, target, less_is_better=True)


def _aged(url: str, which: int, seconds: float) -> float:
    """As many matches as time allows, at least one; the first of a process is not counted."""
    found: list[list[float]] = []
    deadline = time.perf_counter() + seconds
    with TemporaryDirectory() as folder:
        while len(found) < 2 or time.perf_counter() < deadline:
            found.append(asyncio.run(_undos(Settings(data=Path(folder), given_secret="bench"), url, which)))
    return statistics.median(statistics.mean(t[-EDGE:]) / statistics.mean(t[:EDGE]) for t in found[1:])


async def _undos(settings: Settings, url: str, which: int) -> list[float]:
    """A choice and its undo, again and again: the seconds of each undo, here or where it is followed."""
    ours, follower = wire(settings, url), wire(settings, url)
    match = await _table(ours)
    spent = []
    for _ in range(UNDOS):
        action = codec.decode(codec.encode(match.rules.legal(match.state, 0)[0]))
        done = await actions.act(ours, Act(who=PEOPLE[0], match=match.id, seq=match.seq, action=action))
        back = agreements.take_back(ours, TakeBack(who=PEOPLE[0], match=match.id, seq=done.seq, to=match.seq))
        there, match = await _timed(back)
        followed, _ = await _timed(_follow(follower, match.id))
        spent.append((there, followed)[which])
    await ours.close()
    await follower.close()
    return spent


async def _timed(work: Awaitable[T]) -> tuple[float, T]:
    started = time.process_time()
    done = await work
    return time.process_time() - started, done


async def _table(deps: Deps) -> Any:
    seats = ({"kind": "me"}, {"kind": "open"})
    wanted = OpenMatch(who=PEOPLE[0], game="tides-of-time", seats=seats, clock=DAY)
    match = await tables.open_match(deps, wanted)
    return await tables.sit(deps, Sit(who=PEOPLE[1], match=match.id, seat=1))


async def _follow(deps: Deps, ident: str) -> None:
    """What a relay does first with news: the match as it is now, and its deadlines."""
    await deps.clocks.deadlines(await deps.matches.now(ident))


def _full(work: Callable[[list[bytes]], object], seconds: float) -> float:
    """The two take turns, so that noise hits both alike."""
    logs = (long_log(LONG, NESTED), long_log(LONG))
    spent: tuple[list[float], list[float]] = ([], [])
    deadline = time.perf_counter() + seconds
    while not spent[1] or time.perf_counter() < deadline:
        for times, lines in zip(spent, logs, strict=True):
            gc.collect()
            started = time.process_time()
            work(lines)
            times.append(time.process_time() - started)
    return statistics.median(spent[0]) / statistics.median(spent[1])
