"""The application: routes, the gate in front of them, and what lives as long as the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from infra.people.rates import Rates
from infra.process.errors import StoreUnavailable
from infra.store import signs_of_life
from infra.store.redis import connect
from service.api.accounts import accounts, blocks, bots, leaderboard, players, security
from service.api.accounts.bot_stream import BotStreams
from service.api.accounts.bots import Catalogue
from service.api.frame import errors, pages
from service.api.frame.auth import Authenticator
from service.api.frame.middleware import Gate
from service.api.frame.ratelimit import RateLimit
from service.api.matches import archive, chat, games, imports, judging, lobby, logs, play, tables
from service.api.matches.play import ACTIONS, Endpoint, Shortcut, route
from service.api.matches.stream import Streams
from service.api.notices import channels, letters
from service.api.operations import docs, keys, openapi, ops, reports
from service.bootstrap import Deps, Process
from service.commands.checking import Checkers
from service.memory.answers import Answers, Turns
from service.views.inspection import Judged

# We count and log ourselves, in one place; nothing is sent anywhere because of a variable in the environment.
OFF: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
ROLE, BEAT_S = "api", 2.0
ORDINARY = (
    games,
    accounts,
    security,
    channels,
    letters,
    blocks,
    bots,
    lobby,
    tables,
    leaderboard,
    players,
    chat,
    judging,
    keys,
    archive,
    imports,
    docs,
    ops,
    reports,
    pages,
)


KEPT_PICTURES = 64  # of some 30 KB each


class App(FastAPI):
    """The application with what its routes share, by name and type."""

    deps: Deps
    authenticator: Authenticator
    streams: Streams
    bot_streams: BotStreams
    checkers: Checkers
    rate: RateLimit
    draining: bool = False  # it is about to end: `/ready` says so, and everything else goes on
    judged: Judged
    bots: Catalogue
    pictures: Answers[bytes]  # of matches, for previews of links


def create_app(deps: Deps) -> App:
    """Make the application. Nothing is opened or asked before it starts."""
    app = App(
        title="Turnlog",
        version=version("turnlog"),
        lifespan=_lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        telemetry=OFF,
    )
    app.deps, app.authenticator = deps, Authenticator(deps)
    app.streams = Streams(deps, app.authenticator)
    app.bot_streams = BotStreams(deps, app.authenticator)
    app.checkers, app.judged, app.bots = Checkers(), Judged(), Catalogue()
    app.pictures = Answers(Turns(), KEPT_PICTURES)
    _add_routes(app, deps, app.authenticator)
    errors.install(app)
    app.add_middleware(Shortcut, endpoint=Endpoint(ACTIONS, play.act, deps, app.authenticator))
    app.rate = RateLimit(deps.settings.rate_limit)
    app.add_middleware(Gate, deps=deps, authenticator=app.authenticator, rate=app.rate)
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]
    return app


def _add_routes(app: App, deps: Deps, authenticator: Authenticator) -> None:
    """The hot path first: routes are tried in order."""
    app.router.routes += [
        route(ACTIONS, play.act, deps, authenticator, "POST"),
        route("/api/matches/{match}", play.look, deps, authenticator),
        route("/api/matches/{match}/events", logs.events, deps, authenticator),
        app.streams.route(),
        route("/api/matches/{match}/log", logs.log, deps, authenticator),
        route("/api/matches/{match}/views", logs.views, deps, authenticator),
        *app.bot_streams.routes(),
    ]
    for module in ORDINARY:
        app.include_router(module.router)


@asynccontextmanager
async def _lifespan(app: App) -> AsyncIterator[None]:
    """The watch begins with its first listener; here everything ends."""
    tasks = [asyncio.create_task(_beat(app.deps)), asyncio.create_task(_share_rates(app))]
    with suppress(StoreUnavailable):  # made now, a key is there when the store takes nothing new any more
        await app.deps.kept.load()
        await app.deps.signing.keys()
    yield
    app.streams.stop()
    app.bot_streams.stop()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await app.deps.close()


async def _beat(deps: Process) -> None:
    """Shows that this process lives, until it ends in order."""
    try:
        while True:
            with suppress(StoreUnavailable):
                await signs_of_life.beat(deps.client, ROLE)
                await deps.kept.load()  # if the store was away when this process began
            await asyncio.sleep(BEAT_S)
    finally:
        with suppress(StoreUnavailable):
            await signs_of_life.fall_silent(deps.client, ROLE)


async def _share_rates(app: App) -> None:
    """With the other processes of this house, over the server that need not keep anything."""
    queue = app.deps.settings.queue_url
    if queue in (None, "store"):
        return  # one process is the usual case there, and nothing so short-lived goes to a disk
    client = connect(str(queue))
    try:
        await app.rate.share(Rates(client))
    finally:
        await client.aclose()
