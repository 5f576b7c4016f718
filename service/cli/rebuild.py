"""`turnlog rebuild`: lists and ratings derived anew from the logs, while the house is open."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from service.cli.common import Commands, command
from service.cli.progress import progress
from service.cli.store import add_data, with_store

if TYPE_CHECKING:
    from service.bootstrap import Deps

WHAT = ("lists", "ratings", "all")


def add(commands: Commands) -> None:
    run = command(
        commands,
        "rebuild",
        lambda args: asyncio.run(with_store(args, lambda deps: rebuild(deps, args.what))),
        "Derives lists, ratings or both anew from the logs, while everybody plays.\n\n"
        "What lists show and which results count is a projection of the logs. This makes it again, match by\n"
        "match, and takes out what no log bears out. No turn, letter or call is repeated. It may be\n"
        "interrupted, and begun again.",
        "turnlog rebuild lists",
    )
    run.add_argument("what", choices=WHAT)
    add_data(run)


async def rebuild(deps: Deps, what: str) -> int:
    from workers.rebuild import rebuild_lists, rebuild_ratings

    matches = [match async for match in deps.store.matches()]
    if what in ("lists", "all"):
        done = await rebuild_lists(deps, progress(matches, len(matches), "lists"))
        print(f"lists: {done} of {len(matches)} matches derived from their logs")
    if what in ("ratings", "all"):
        done = await rebuild_ratings(deps, progress(matches, len(matches), "ratings"))
        print(f"ratings: {done} results count")
    return 0
