"""Commands that need the store: a running one is used, else the embedded one is started for the moment."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from service.cli.common import WrongUsage, settings

if TYPE_CHECKING:  # read when they are needed: `turnlog games` should not wait for Redis to load
    from infra.process.settings import Settings
    from service.bootstrap import Deps

T = TypeVar("T")


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", help="data directory of the embedded store (default ./data)")


async def with_store(
    args: argparse.Namespace, use: Callable[[Deps], Awaitable[T]], restoring: bool = False
) -> T:
    """Run something on the store that the settings name; one in the middle of a restore is for that alone."""
    from infra.embedded.bundled import Embedded, running

    chosen = settings(args)
    url = chosen.redis_url or running(chosen.data)
    if url is not None:
        return await _use(chosen, url, use, restoring)
    with Embedded(chosen.data, chosen.min_free) as server:
        if server.lost is not None:
            print(f"turnlog: {server.lost}", file=sys.stderr)
        return await _use(chosen, server.url, use, restoring)


async def _use(chosen: Settings, url: str, use: Callable[[Deps], Awaitable[T]], restoring: bool) -> T:
    from infra.fleet import layout
    from service.bootstrap import wire

    deps = wire(chosen, url)
    try:
        newer = await layout.refusal(deps.client, restoring)
        if newer is not None:
            raise WrongUsage(newer)
        if not restoring:  # what comes back has a format of its own, and is carried over when it is opened
            await layout.settle(deps.client)
        await deps.kept.look()
        return await use(deps)
    finally:
        await deps.close()
