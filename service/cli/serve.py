"""Commands that serve: the whole house, or one role of it."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

from service.cli.common import Commands, WrongUsage, command, settings
from service.cli.store import add_data

if TYPE_CHECKING:
    from infra.process.settings import Settings

QUEUES = ("bots", "bots-heavy", "notify", "calls")
HEAVY = ("bots-heavy",)
WORKERS = {HEAVY: "heavy", ("notify",): "notifier", ("calls",): "caller"}  # as their figures name them
COUNTS = ("apis", "relays", "workers", "heavy_workers")
NICE = 10  # who thinks for seconds lets those go first who answer at once


def add(commands: Commands) -> None:
    run = command(
        commands,
        "up",
        run_up,
        "The whole service: embedded store, API and page, relay, workers. Ctrl-C stops all of it.\n\n"
        "Matches live in the data directory; the next `turnlog up` finds them. With TURNLOG_REDIS_URL\n"
        "set it uses that store instead of starting one. The job queue has a server of its own, which\n"
        "keeps nothing; TURNLOG_QUEUE_URL names another one (`store`: the store itself).",
        "turnlog up --port 8000 --data ~/turnlog --api 2 --workers 4",
    )
    run.add_argument("--port", type=int, help="default 8000")
    run.add_argument("--host", help="default 127.0.0.1; 0.0.0.0 serves the network")
    run.add_argument("--api", type=int, dest="apis", help="processes that answer requests (default 1)")
    run.add_argument("--relays", type=int, help="processes that pass appends on (default 1)")
    run.add_argument("--workers", type=int, help="processes that play quick bots (default 1)")
    run.add_argument("--heavy-workers", type=int, help="processes that play bots that think (default 1)")
    add_data(run)

    run = command(commands, "api", run_api, "The API and the page alone. Needs TURNLOG_REDIS_URL.")
    run.add_argument("--port", type=int)
    run.add_argument("--host")
    run.add_argument("--listener", type=int, help=argparse.SUPPRESS)  # a socket that `up` has opened
    add_data(run)

    command(
        commands, "relay", run_relay, "Passes appends on to read models and bots. Needs TURNLOG_REDIS_URL."
    )

    text = "Plays bots' turns, sends notices, calls remote bots. Needs TURNLOG_REDIS_URL."
    run = command(commands, "worker", run_worker, text)
    run.add_argument(
        "--queues", default=",".join(QUEUES), help=f"names with commas (default {','.join(QUEUES)})"
    )

    text = "A worker for notices alone: a slow mail server holds no bot up. Needs TURNLOG_REDIS_URL."
    command(commands, "notifier", run_worker, text).set_defaults(queues="notify")


def _chosen(args: argparse.Namespace) -> Settings:
    given = {name: getattr(args, name, None) for name in ("port", "host", *COUNTS)}
    chosen = replace(settings(args), **{name: value for name, value in given.items() if value is not None})
    if not 0 <= chosen.port <= 65535:
        raise WrongUsage(f"--port {chosen.port}: ports are 0 to 65535")
    for name in COUNTS:
        if not 1 <= getattr(chosen, name) <= 64:
            raise WrongUsage(f"--{'api' if name == 'apis' else name.replace('_', '-')}: 1 to 64")
    return chosen


def run_up(args: argparse.Namespace) -> int:
    from service.cli.house.up import up

    return up(_chosen(args))


def _store_url(chosen: Settings) -> str:
    if chosen.redis_url is None:
        raise WrongUsage("set TURNLOG_REDIS_URL to the store, or use `turnlog up`")
    return chosen.redis_url


def _check(chosen: Settings, url: str) -> None:
    from service.cli.house.fitting import check_store

    check_store(chosen, url)


def _queue_url(chosen: Settings, store: str) -> str:
    try:
        return chosen.queue_at(store)
    except ValueError as problem:
        raise WrongUsage(str(problem)) from None


def _tell_figures(chosen: Settings, store: str, role: str) -> None:
    """From now on other processes know what this one counts; an API without a queue has nobody to tell."""
    from infra.fleet.figures import EVERY_S, SLOWLY_S, Publisher

    try:
        queue = chosen.queue_at(store)
    except ValueError:
        return
    Publisher(queue, role, SLOWLY_S if queue == store else EVERY_S).start()


def run_api(args: argparse.Namespace) -> None:
    chosen = _chosen(args)
    url = _store_url(chosen)
    import structlog

    from infra.process import limits, telemetry
    from service.api.app import create_app
    from service.api.frame.serving import server
    from service.bootstrap import wire

    telemetry.configure(chosen.log_level)
    _check(chosen, url)
    few = limits.too_few(limits.raise_open_files())
    if few is not None:
        structlog.get_logger(__name__).warning(few)
    _tell_figures(chosen, url, "api")
    listener = None if args.listener is None else [socket.socket(fileno=args.listener)]
    server(create_app(wire(chosen, url)), chosen.host, chosen.port).run(listener)


def run_relay(args: argparse.Namespace) -> None:
    from infra.process import telemetry

    chosen = settings()
    url = _store_url(chosen)
    telemetry.configure(chosen.log_level)
    queue_url = _queue_url(chosen, url)
    _check(chosen, url)
    _tell_figures(chosen, url, "relay")
    asyncio.run(_relay(chosen, url, queue_url))


async def _relay(chosen: Settings, url: str, queue_url: str) -> None:
    from infra.store.redis import connect_sync
    from service.bootstrap import wire
    from workers.jobs import Jobs
    from workers.relay import Relay

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    deps = wire(chosen, url)
    try:
        await Relay(deps, Jobs(connect_sync(queue_url))).run(stop)
    finally:
        await deps.close()


def run_worker(args: argparse.Namespace) -> None:
    from infra.process import telemetry
    from workers.worker import work

    chosen = settings()
    queues = tuple(name.strip() for name in args.queues.split(","))
    unknown = sorted(set(queues) - set(QUEUES))
    if unknown:
        raise WrongUsage(f"there is no queue {', '.join(unknown)}; choose from {', '.join(QUEUES)}")
    url = _store_url(chosen)
    queue_url = _queue_url(chosen, url)
    telemetry.configure(chosen.log_level)
    _check(chosen, url)
    _tell_figures(chosen, url, WORKERS.get(queues, "worker"))
    if queues == HEAVY:
        os.nice(NICE)
    work(chosen, url, queue_url, queues)
