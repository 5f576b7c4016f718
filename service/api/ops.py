"""For operators: is it alive, is it ready, what are its figures."""

from __future__ import annotations

import asyncio
import time
from typing import Literal

from fastapi import APIRouter
from redis.exceptions import RedisError
from starlette.responses import Response

from infra import metrics
from infra.errors import StoreUnavailable
from infra.parked import Parked
from infra.redis import BROKEN, Client, call, connect, ping, reaching
from infra.room import HOLD
from service.api.auth import Here
from service.api.body import Model
from service.bootstrap import Deps

router = APIRouter(tags=["operation"])

BEATS = ("relay", "worker")
HEARD_MS = 15_000
PATIENCE_S = 3.0


class Alive(Model):
    status: Literal["ok"]


class Ready(Model):
    """`ok` or what is wrong, part by part; `warnings` say what does not keep the house from working."""

    status: Literal["ready", "not ready"]
    store: str
    queue: str
    relay: str
    worker: str
    warnings: list[str]


@router.get("/health")
async def health() -> Alive:
    """This process answers."""
    return Alive(status="ok")


@router.get("/ready", responses={503: {"model": Ready}})
async def ready(deps: Here, response: Response) -> Ready:
    """Store and queue answer, and a relay and a worker were heard lately."""
    store, queue, *beats = await asyncio.gather(
        _takes(deps.client), _queue(deps), *(_heard(deps.client, part) for part in BEATS)
    )
    warnings = await _warnings(deps.client) if store == "ok" else []
    is_ready = {store, queue, *beats} == {"ok"}
    response.status_code = 200 if is_ready else 503
    return Ready(
        status="ready" if is_ready else "not ready",
        store=store,
        queue=queue,
        relay=beats[0],
        worker=beats[1],
        warnings=warnings,
    )


@router.get("/metrics", response_class=Response)
async def figures() -> Response:
    """Figures for Prometheus."""
    return Response(metrics.render(), headers={"Content-Type": metrics.CONTENT_TYPE})


async def _answers(client: Client) -> str:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return "ok" if await ping(client) else "no answer"
    except TimeoutError:
        return "no answer"


async def _takes(client: Client) -> str:
    """The store may answer and yet take nothing new: its supervisor says so by a setting of the store."""
    answer = await _answers(client)
    if answer != "ok":
        return answer
    try:
        async with asyncio.timeout(PATIENCE_S):
            found = await client.config_get(HOLD)
    except (RedisError, *BROKEN, TimeoutError):
        return "ok"  # somebody else's store need not tell us its settings
    return (
        "ok" if found.get(HOLD, "0") in ("0", b"0") else "takes nothing new: there is no room, or no replica"
    )


async def _queue(deps: Deps) -> str:
    """The queue may live elsewhere. Asked rarely, so a connection of its own is opened and closed."""
    if deps.settings.queue_url is None:
        return await _answers(deps.client)
    client = connect(deps.settings.queue_url)
    try:
        return await _answers(client)
    finally:
        await client.aclose()


async def _warnings(client: Client) -> list[str]:
    """In numbers only: ids of private matches are for the operator, who has `turnlog parked`."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            parked, heavy = await Parked(client).count(), await _heard(client, "heavy")
    except (StoreUnavailable, TimeoutError):
        return []
    said = [f"parked matches: {parked} (turnlog parked)"] if parked else []
    return said if heavy == "ok" else [*said, f"the worker for bots that think: {heavy}"]


async def _heard(client: Client, part: str) -> str:
    try:
        async with asyncio.timeout(PATIENCE_S):
            with reaching():
                beat = await call(client, "GET", f"tl:beat:{part}")
    except (StoreUnavailable, TimeoutError):
        return "unknown"
    if beat is None:
        return "never heard"
    silent = time.time() * 1000 - int(beat)
    return "ok" if silent <= HEARD_MS else f"silent for {silent / 1000:.0f} s"
