"""Is the store fit for what it is wanted for? Asked before anything is started."""

from __future__ import annotations

import asyncio
import time

from redis.exceptions import AuthenticationError, BusyLoadingError, RedisClusterException

from infra.fleet import layout, preflight
from infra.process import addresses
from infra.process.errors import StoreUnavailable
from infra.process.settings import Settings, is_loopback
from infra.store import durability
from infra.store.redis import Client, connect
from service.cli.common import WrongUsage
from service.cli.house.role import say

PATIENCE_S = 30.0
LOOK_EVERY_S = 0.5
HOPELESS = (AuthenticationError, RedisClusterException)  # waiting would not help


def wait_for_store(chosen: Settings, url: str) -> None:
    """Until it answers; one that loads its data is waited for as long as it takes. Raises WrongUsage."""
    deadline, loading = time.monotonic() + PATIENCE_S, False
    while True:
        try:
            return asyncio.run(_check(chosen, url))
        except StoreUnavailable as away:
            cause = away.__cause__
            if isinstance(cause, HOPELESS) and "not covered" not in str(cause):
                raise WrongUsage(f"{addresses.without_password(url)}: {cause}") from None
            if isinstance(cause, BusyLoadingError):
                deadline = time.monotonic() + PATIENCE_S
                say("the store is loading its data") if not loading else None
                loading = True
            if time.monotonic() > deadline:
                raise OSError(f"{addresses.without_password(url)} does not answer: {cause or away}") from None
        time.sleep(LOOK_EVERY_S)


def check_store(chosen: Settings, url: str) -> None:
    """For a role: a store that is away is waited for later, one that is unfit is refused now."""
    try:
        asyncio.run(_check(chosen, url))
    except StoreUnavailable as away:
        say(f"the store does not answer yet: {away}")


async def _check(chosen: Settings, url: str) -> None:
    client = connect(url)
    try:
        verdict = await preflight.look(client, durability.chosen(chosen), chosen.managed)
        if verdict.refusals:
            raise WrongUsage("; ".join(verdict.refusals))
        await _check_format(client)
    finally:
        await client.aclose()
    for warning in verdict.warnings:
        say(warning)


async def _check_format(client: Client) -> None:
    newer = await layout.refusal(client)
    if newer is not None:
        raise WrongUsage(newer)
    try:
        await layout.settle(client)
    except StoreUnavailable as refused:  # it was read a moment ago: it takes no writes, as on a full disk
        say(f"the store is laid out anew at a later start: {refused}")


def links(chosen: Settings) -> str | None:
    """A sentence for the operator if links that others get would lead nowhere."""
    if chosen.public_url is not None:
        return None
    everywhere = chosen.host in ("0.0.0.0", "::")
    if everywhere or (
        chosen.smtp_url is not None and (is_loopback(chosen.host) or chosen.host == "localhost")
    ):
        return (
            f"links in invitations and letters will point to {chosen.base}, which nobody else can open:"
            " set TURNLOG_PUBLIC_URL"
        )
    return None
