"""For operators: is it alive, is it ready, what are its figures."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field
from redis.exceptions import RedisError
from starlette.requests import Request
from starlette.responses import Response

from infra.fleet.figures import gather
from infra.fleet.state import State
from infra.process import metrics
from infra.process.errors import StoreUnavailable
from infra.process.metrics import Family
from infra.process.room import HOLD
from infra.store import signs_of_life
from infra.store.parked import Parked
from infra.store.redis import Client, connect, ping, setting
from service.api.frame.auth import Here
from service.api.frame.body import Model
from service.bootstrap import Process

router = APIRouter(tags=["operation"])

OTHERS = {
    "heavy": "the worker for bots that think",
    "notifier": "the worker for notices",
    "caller": "the worker for webhooks",
}
ROLE, QUEUES = "api", ("bots", "bots-heavy", "notify", "calls")
LIVING = ("api", "relay", "worker", "heavy", "notifier", "caller")
Roles = dict[str, dict[str, float]]
HEARD_S = 15.0
PATIENCE_S = 3.0
NOT_ASKED = "not asked"


class Alive(Model):
    status: Literal["ok"]


class Ready(Model):
    """`ok` or what is wrong, part by part; `warnings` say what does not keep the house from working."""

    status: Literal["ready", "not ready"]
    store: str
    durability: str = Field(description="what an answer 200 promises, and `ok` or why it does not hold now")
    queue: str
    relay: str
    worker: str
    processes: dict[str, int] = Field(description="of each role, how many were heard lately")
    warnings: list[str]


@router.get("/health")
async def health() -> Alive:
    """This process answers."""
    return Alive(status="ok")


@router.get("/ready", responses={503: {"model": Ready}})
async def ready(
    deps: Here,
    request: Request,
    response: Response,
    part: Annotated[
        Literal["house", "api"],
        Query(description="`api`: whether this process takes requests, as a balancer wants to know"),
    ] = "house",
) -> Ready:
    """Store and queue answer, a relay and a worker were heard lately, and this process is not ending.

    A process takes requests without the others: what they owe is noted and done later.
    """
    draining: bool = request.app.draining
    store, (fits, will_do) = await asyncio.gather(_takes(deps.client), deps.fitness.now())
    takes = store == "ok" and will_do and not draining
    queue, roles = (
        (NOT_ASKED, {}) if part == "api" else await asyncio.gather(_queue(deps), _roles(deps.client))
    )
    relay, worker = (NOT_ASKED if part == "api" else _said(roles, role) for role in ("relay", "worker"))
    is_ready = takes and (part == "api" or {queue, relay, worker} == {"ok"})
    response.status_code = 200 if is_ready else 503
    return Ready(
        status="ready" if is_ready else "not ready",
        store="this process is ending" if draining else store,
        durability=f"{deps.settings.durability}: {fits}",
        queue=queue,
        relay=relay,
        worker=worker,
        processes={role: sum(s <= HEARD_S for s in them.values()) for role, them in (roles or {}).items()},
        warnings=await _warnings(deps.client, roles or {}) if store == "ok" and part == "house" else [],
    )


@router.get("/metrics", response_class=Response)
async def figures(deps: Here) -> Response:
    """Figures for Prometheus: of every process of every role, and of the house as a whole."""
    queue = await _queue_client(deps)
    try:
        gathered = await _gathered(deps.client, queue)
    finally:
        if queue is not deps.client:
            await queue.aclose()
    return Response(metrics.render(gathered), headers={"Content-Type": metrics.CONTENT_TYPE})


async def _queue_client(deps: Process) -> Client:
    own = deps.settings.queue_url in (None, "store")
    return deps.client if own else connect(str(deps.settings.queue_url))


async def _gathered(store: Client, queue: Client) -> dict[tuple[str, str], list[Family]]:
    """While a server is away, what was known of it stays, and this process tells of itself."""
    with suppress(StoreUnavailable, RedisError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            await State(store, queue, QUEUES).look()
    with suppress(StoreUnavailable, RedisError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            return await gather(queue, ROLE)
    return {(ROLE, signs_of_life.instance()): metrics.families()}


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
            found = await setting(client, HOLD)
    except (StoreUnavailable, TimeoutError):
        return "ok"  # the next question will tell
    return "ok" if found in (None, "0") else "takes nothing new: there is no room, or no replica"


async def _queue(deps: Process) -> str:
    """The queue may live elsewhere. Asked rarely, so a connection of its own is opened and closed."""
    if deps.settings.queue_url in (None, "store"):
        return await _answers(deps.client)
    client = connect(str(deps.settings.queue_url))
    try:
        return await _answers(client)
    finally:
        await client.aclose()


async def _warnings(client: Client, roles: Roles) -> list[str]:
    """In numbers only: ids of private matches are for the operator, who has `turnlog parked`."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            parked = await Parked(client).count()
    except (StoreUnavailable, TimeoutError):
        return []
    said = [f"parked matches: {parked} (turnlog parked)"] if parked else []
    said += [f"{OTHERS[part]}: {how}" for part in OTHERS if (how := _said(roles, part)) != "ok"]
    missed = {f"{part} {who}": s for part, them in roles.items() for who, s in them.items() if s > HEARD_S}
    return said + [f"{who}: silent for {s:.0f} s" for who, s in missed.items() if who.split(" ")[0] in LIVING]


async def _roles(client: Client) -> Roles | None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await signs_of_life.heard(client)
    except (StoreUnavailable, TimeoutError):
        return None


def _said(roles: Roles | None, part: str) -> str:
    """One living process is enough for a role; the others are missed by name."""
    if roles is None:
        return "unknown"
    if not roles.get(part):
        return "never heard"
    silent = min(roles[part].values())
    return "ok" if silent <= HEARD_S else f"silent for {silent:.0f} s"
