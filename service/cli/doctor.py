"""`turnlog doctor`: what the operator would find out by hand, in one look."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, NamedTuple

from service.cli.common import Commands, command, settings
from service.cli.store import add_data

if TYPE_CHECKING:
    from infra.process.settings import Settings
    from infra.store.redis import Client

HEARD_S = 15.0
ROLES = ("api", "relay", "worker", "heavy", "notifier", "caller")


class Finding(NamedTuple):
    what: str
    fine: bool
    sentence: str


def add(commands: Commands) -> None:
    run = command(
        commands,
        "doctor",
        doctor,
        "Looks at the store, what it promises, the queue and every role. Exit code 1: something is wrong.\n\n"
        "docs/durability.md explains the levels; TURNLOG_DURABILITY chooses one.",
        "turnlog doctor",
    )
    add_data(run)


def doctor(args: argparse.Namespace) -> int:
    return asyncio.run(_doctor(settings(args)))


async def _doctor(chosen: Settings) -> int:
    from infra.embedded.bundled import running
    from infra.embedded.volatile import FOLDER

    store = chosen.redis_url or running(chosen.data)
    queue = chosen.queue_url
    if queue in (None, "embedded"):
        queue = running(chosen.data / FOLDER) or (None if queue == "embedded" else store)
    bad = 0
    async for finding in _findings(chosen, store, store if queue == "store" else queue):
        print(f"{'ok ' if finding.fine else '-- '} {finding.what:<11} {finding.sentence}")
        bad += not finding.fine
    return 1 if bad else 0


async def _findings(chosen: Settings, store: str | None, queue: str | None) -> AsyncIterator[Finding]:
    from service.cli.house.fitting import links

    if store is None:
        yield Finding(
            "store", False, f"none runs on {chosen.data}: start `turnlog up`, or set TURNLOG_REDIS_URL"
        )
        return
    from infra.store.redis import connect

    client = connect(store)
    try:
        async for finding in _of_store(chosen, client, store):
            yield finding
        yield await _of_queue(queue)
        yield await _of_archive(chosen, client)
        async for finding in _of_roles(client):
            yield finding
    finally:
        await client.aclose()
    warning = links(chosen)
    if warning is not None:
        yield Finding("links", False, warning)


async def _of_store(chosen: Settings, client: Client, url: str) -> AsyncIterator[Finding]:
    from infra.fleet import preflight
    from infra.process import addresses
    from infra.process.errors import StoreUnavailable
    from infra.store import durability

    wanted = durability.chosen(chosen)
    try:
        verdict = await preflight.look(client, wanted, chosen.managed)
    except StoreUnavailable as away:
        yield Finding("store", False, f"{addresses.without_password(url)}: {away}")
        return
    for one in verdict.servers:
        said = f"{one.where}, version {one.version}, {one.role}, {one.replicas} replicas"
        yield Finding("store", True, f"{said}, syncs {one.syncs or '?'}, {one.policy or 'policy hidden'}")
    wrong = (*verdict.refusals, *verdict.warnings)
    for sentence in wrong:
        yield Finding("durability", False, sentence)
    if not wrong:
        yield Finding("durability", True, PROMISES[wanted.level].format(n=wanted.replicas))


PROMISES = {
    "local": "local: an answer 200 is on the disk of one server",
    "replicated": "replicated: an answer 200 is on one server's disk and has reached {n} of its replicas",
    "relaxed": "relaxed: an answer 200 may be lost within a second",
}


async def _of_queue(url: str | None) -> Finding:
    from infra.process import addresses
    from infra.store.redis import connect, ping, setting

    if url is None or addresses.is_cluster(url):
        return Finding("queue", False, "no address: set TURNLOG_QUEUE_URL")
    client = connect(url)
    try:
        if not await ping(client):
            return Finding("queue", False, f"{addresses.without_password(url)} does not answer")
        keeps = await setting(client, "appendonly") == "yes"
        hint = "; it need not keep anything on the disk, and would be faster" if keeps else ""
        return Finding("queue", True, f"{addresses.without_password(url)} answers{hint}")
    finally:
        await client.aclose()


async def _of_archive(chosen: Settings, client: Client) -> Finding:
    from infra.archive import chosen as shelves
    from infra.archive.archive import Archive
    from infra.process.errors import ArchiveAway, StoreUnavailable

    archive = Archive(client, shelves.shelf(chosen))
    try:
        count, waiting = await archive.notes.count(), await archive.notes.waiting()
        said = f"{count} matches, {waiting} that are over are still in the store"
        if not archive.is_open:
            missing = "; TURNLOG_ARCHIVE does not say where they lie" if count else ""
            return Finding("archive", not count, f"none: {said}{missing}")
        name = next(iter(await archive.notes.segments()), "nothing")
        there = await archive.shelf.get(name, 0, 1)
    except (ArchiveAway, StoreUnavailable) as problem:
        return Finding("archive", False, str(problem))
    if there is None and name != "nothing":
        return Finding("archive", False, f"{archive.shelf.where}: segment {name} is not there")
    return Finding("archive", True, f"{archive.shelf.where}: {said}")


async def _of_roles(client: Client) -> AsyncIterator[Finding]:
    from infra.process.errors import StoreUnavailable
    from infra.store import signs_of_life

    try:
        heard = await signs_of_life.heard(client)
    except StoreUnavailable:
        return
    for role in ROLES:
        found = heard.get(role, {})
        living = sum(silent <= HEARD_S for silent in found.values())
        missed = ", ".join(f"{who} silent for {s:.0f} s" for who, s in found.items() if s > HEARD_S)
        yield Finding(role, bool(living), f"{living} heard" + (f"; {missed}" if missed else ""))
