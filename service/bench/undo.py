"""What taking back costs, as ratios of CPU time: late in a match against early, and in logs full of it."""

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from bots.arena import EPOCH
from engine import codec, registry
from engine.events import Holder, Place, Undone
from engine.games.machi_koro.content import LANDMARKS
from engine.log import load
from engine.table import Pen, act, open_match
from engine.verify import audit
from infra.embedded import Embedded
from infra.settings import Settings
from service import handlers, history, undoing
from service.bench.measure import Probe
from service.bootstrap import Deps, wire
from service.commands import Act, OpenMatch, Sit

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
        done = await handlers.act(ours, Act(who=PEOPLE[0], match=match.id, seq=match.seq, action=action))
        back = undoing.take_back(ours, match.id, PEOPLE[0], done.seq, match.seq)
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
    match = await handlers.open_match(deps, wanted)
    return await handlers.sit(deps, Sit(who=PEOPLE[1], match=match.id, seat=1))


async def _follow(deps: Deps, ident: str) -> None:
    """What a relay does first with news: the match as it is now, and its deadlines."""
    await deps.clocks.deadlines(await deps.matches.now(ident))


def _full(work: Callable[[list[bytes]], object], seconds: float) -> float:
    """The two take turns, so that noise hits both alike."""
    logs = (_long_log(NESTED), _long_log(0))
    spent: tuple[list[float], list[float]] = ([], [])
    deadline = time.perf_counter() + seconds
    while not spent[1] or time.perf_counter() < deadline:
        for times, lines in zip(spent, logs, strict=True):
            gc.collect()
            started = time.process_time()
            work(lines)
            times.append(time.process_time() - started)
    return statistics.median(spent[0]) / statistics.median(spent[1])


@cache
def _long_log(undos: int) -> list[bytes]:
    """Four at a table of Machi Koro who never build a landmark; every undo goes back behind all others."""
    rules, rng = registry.game("machi-koro"), Random(1)
    pen = Pen(None, EPOCH, "system")
    bots = [Holder("bot", "random")] * 4
    open_match(pen, "bench", rules.key, rules.Options(), [Place("bot")] * 4, bots, rng.randbytes(32))
    while len(pen.lines) < LONG:
        if undos and len(pen.lines) % 4 == 0 and len(pen.lines) > 8:
            then, undos = pen.steps[-3][1], undos - 1
            pen.write(Undone, seat=0, to=then.seq, past=then)
        seat = pen.match.to_act[0]
        legal = rules.legal(pen.match.state, seat)
        act(pen, seat, rng.choice([a for a in legal if getattr(a, "card", "") not in LANDMARKS]))
    return pen.lines[:LONG]
