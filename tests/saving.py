"""A large house saved while it is played in, and brought back: `python -m tests.saving 2000 200`.

So many finished matches of all games and so many running ones of people; while a backup is made, people act
and a relay follows. It comes back into an empty store of its own: the digest must be the same, every running
match must be a stretch of the one that was played, with the same people in their seats, and go on.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import msgspec

from engine import codec, registry
from engine.log import load
from infra.backup.bringing import Bringing
from infra.backup.folder import BackupFolder
from infra.backup.saving import Saving
from infra.embedded.bundled import Embedded
from infra.process import telemetry
from infra.process.settings import Settings
from infra.store.redis import connect_sync
from service.bootstrap import wire
from service.commands import actions
from service.commands.records import Act
from tests.archiving import fill, say
from tests.tables import seated, step
from workers.jobs import Jobs
from workers.relay import Relay


async def begin(deps, count, rng):
    """Running matches of two people, a few actions old, with clocks."""
    found = []
    for n in range(count):
        writer = seated(list(registry.GAMES)[n % 5], clock={"kind": "per_move", "seconds": 864000})
        for _ in range(4):
            step(writer, rng)
        ident = f"r{n:05d}-{rng.randrange(10**6):06d}"
        lines = respelt(writer.lines, ident)
        await deps.store.append(ident, 0, lines)
        found.append(ident)
    return found


def respelt(lines, ident):
    """The same log under another id: every line names it, and the hash of the line before."""
    found, prev = [], codec.ZERO
    for line in lines:
        event = {**codec.decode(line), "match": ident, "prev": prev}
        found.append(codec.encode(event))
        prev = codec.digest(found[-1])
    return found


async def act(deps, ident, rng):
    """One action of whoever is waited for; False once the match is over."""
    match = await deps.matches.now(ident)
    if match.status != "running":
        return False
    seat = rng.choice(match.to_act)
    action = msgspec.to_builtins(rng.choice(list(match.rules.legal(match.state, seat))))
    who = match.chairs[seat].holder.id
    await actions.act(deps, Act(who=who, match=ident, seq=match.seq, action=action, key=f"k{match.seq}"))
    return True


async def load_on(deps, relay, running, rng, stop):
    done = 0
    while not stop.is_set():
        done += await act(deps, rng.choice(running), rng)
        await relay.step()
    return done


async def save(deps, relay, tables, path, number):
    """A backup while people act."""
    stop = asyncio.Event()
    playing = asyncio.create_task(load_on(deps, relay, tables, Random(number), stop))
    began = time.perf_counter()
    saved = await Saving(deps.client, deps.archive, BackupFolder(path), deps.at(), lambda _: None).save()
    spent = time.perf_counter() - began
    stop.set()
    done = f"{saved.matches} matches, {saved.records} records in {spent:.1f} s"
    say(f"backup {number}: {done}, while {await playing} actions were done")
    return saved


def holders(match):
    return [chair.holder for chair in match.chairs]


async def main(finished, running):
    telemetry.configure("error")
    rng = Random(3)
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        with Embedded(folder / "here") as here:
            deps = wire(Settings(data=folder / "here", given_secret="a secret of tests"), here.url)
            queue = connect_sync(here.url)
            await fill(deps, queue, finished)
            tables = await begin(deps, running, rng)
            relay = Relay(deps, Jobs(queue))
            while await relay.step():
                pass
            for number in range(2):
                saved = await save(deps, relay, tables, folder / "backup", number + 1)
            logs = {ident: await deps.store.read(ident) for ident in tables}
            seats = {ident: holders(await deps.matches.now(ident)) for ident in tables}
            await deps.close()
        size = sum(path.stat().st_size for path in (folder / "backup").rglob("*") if path.is_file())
        with Embedded(folder / "there") as there:
            deps = wire(Settings(data=folder / "there", given_secret="a secret of tests"), there.url)
            began = time.perf_counter()
            back = await Bringing(deps.client, deps.archive, folder / "backup", lambda _: None).bring()
            say(f"restored in {time.perf_counter() - began:.1f} s from {size} bytes")
            say(f"digest {'equal' if back.digest == saved.digest else 'DIFFERS'}: {back.digest}")
            went_on = 0
            for ident in tables:
                lines = await deps.store.read(ident)
                assert logs[ident][: len(lines)] == lines, "it is a stretch of what was played"
                match = load(lines)
                assert holders(match) == seats[ident]
                went_on += await act(deps, ident, rng)
            relay = Relay(deps, Jobs(connect_sync(there.url)))
            followed = 0
            for _ in range(1000):
                some = await relay.step()
                followed += some
                if not some and followed:
                    break
            say(f"{len(tables)} tables with the same people, {went_on} went on, {followed} entries followed")
            await deps.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
