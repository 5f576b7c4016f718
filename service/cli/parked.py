"""`turnlog parked`: the matches that something went wrong with, why, and when they are tried again."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from service.cli.common import Commands, WrongUsage, command, print_json
from service.cli.store import add_data, with_store

if TYPE_CHECKING:
    from infra.store.parked import Stuck
    from service.bootstrap import Process


def add(commands: Commands) -> None:
    run = command(
        commands,
        "parked",
        lambda args: asyncio.run(with_store(args, lambda deps: parked(deps, args))),
        "Matches that something went wrong with: why, since when, and when they are tried again.\n\n"
        "The relay sets such a match aside so that the others go on, and tries it again by itself, later\n"
        "and later. Nothing of it is lost. Exit code 1 if there are any.",
        "turnlog parked --again kRaCaZ43FmzB",
    )
    run.add_argument(
        "--again", action="append", default=[], metavar="MATCH", help="try this match at once (repeatable)"
    )
    run.add_argument("--json", action="store_true", help="one JSON document")
    add_data(run)


async def parked(deps: Process, args: argparse.Namespace) -> int:
    from infra.store.parked import Parked

    known = Parked(deps.client)
    for match in args.again:
        if not await known.again(match):
            raise WrongUsage(f"{match} is not parked")
    if args.again:
        print("tried again within a second or two, if a relay is running")
        return 0
    found = await known.all()
    if args.json:
        print_json(found)
    for stuck in () if args.json else found:
        print(_line(stuck))
    return 1 if found else 0


def _line(stuck: Stuck) -> str:
    return (
        f"{stuck.match}  {stuck.where}  since {_time(stuck.since)}, tried {stuck.tries} times, "
        f"next {_time(stuck.next)}\n    {stuck.error}: {stuck.sentence}"
    )


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
