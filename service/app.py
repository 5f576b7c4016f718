"""The application: routes, the gate in front of them, and what lives as long as the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from infra.errors import StoreUnavailable
from service.api import (
    accounts,
    blocks,
    bots,
    channels,
    chat,
    docs,
    errors,
    games,
    imports,
    judging,
    keys,
    leaderboard,
    letters,
    logs,
    matches,
    openapi,
    ops,
    pages,
    play,
    security,
    tables,
)
from service.api.auth import Doorman
from service.api.bot_stream import BotStreams
from service.api.middleware import Gate
from service.api.play import ACTIONS, Endpoint, Shortcut, route
from service.api.stream import Streams
from service.bootstrap import Deps
from service.checking import Checkers

# We count and log ourselves, in one place; nothing is sent anywhere because of a variable in the environment.
OFF: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
ORDINARY = (
    games,
    accounts,
    security,
    channels,
    letters,
    blocks,
    bots,
    matches,
    tables,
    leaderboard,
    chat,
    judging,
    keys,
    imports,
    docs,
    ops,
    pages,
)


class App(FastAPI):
    """The application with what its routes share, by name and type."""

    deps: Deps
    doorman: Doorman
    streams: Streams
    bot_streams: BotStreams
    checkers: Checkers
    verifying: asyncio.Lock


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
    app.deps, app.doorman = deps, Doorman(deps)
    app.streams = Streams(deps, app.doorman)
    app.bot_streams = BotStreams(deps, app.doorman)
    app.checkers, app.verifying = Checkers(), asyncio.Lock()
    _add_routes(app, deps, app.doorman)
    errors.install(app)
    app.add_middleware(Shortcut, endpoint=Endpoint(ACTIONS, play.act, deps, app.doorman))
    app.add_middleware(Gate, deps=deps, doorman=app.doorman)
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]
    return app


def _add_routes(app: App, deps: Deps, doorman: Doorman) -> None:
    """The hot path first: routes are tried in order."""
    app.router.routes += [
        route(ACTIONS, play.act, deps, doorman, "POST"),
        route("/api/matches/{match}", play.look, deps, doorman),
        route("/api/matches/{match}/events", logs.events, deps, doorman),
        app.streams.route(),
        route("/api/matches/{match}/log", logs.log, deps, doorman),
        route("/api/matches/{match}/views", logs.views, deps, doorman),
        *app.bot_streams.routes(),
    ]
    for module in ORDINARY:
        app.include_router(module.router)


@asynccontextmanager
async def _lifespan(app: App) -> AsyncIterator[None]:
    """The watch begins with its first listener; here everything ends."""
    with suppress(StoreUnavailable):  # made now, a key is there when the store takes nothing new any more
        await app.deps.signing.keys()
    yield
    app.streams.stop()
    app.bot_streams.stop()
    await app.deps.close()
