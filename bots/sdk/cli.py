"""`run` and `new`: the same commands under `turnlog bot` and `python -m bots.sdk`."""

import argparse
import logging
import os
import signal
import threading
from pathlib import Path
from types import FrameType

from bots.sdk.client import Client, Refused
from bots.sdk.deliveries import run_poll, run_stream
from bots.sdk.load import BadBot, load
from bots.sdk.runner import Runner
from bots.sdk.starter import STARTER
from bots.sdk.webhook import WebhookServer

log = logging.getLogger("turnlog.bot")


class WrongUse(Exception):
    """The command cannot be understood."""


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="FILE.py:NAME", help="a class with choose(self, turn)")
    parser.add_argument("--url", required=True, help="the service, e.g. http://127.0.0.1:8000")
    parser.add_argument("--token", default="", help="the bot's token (default: $TURNLOG_BOT_TOKEN)")
    parser.add_argument("--delivery", choices=("stream", "poll", "webhook"), default="stream")
    parser.add_argument("--threads", type=int, default=1, help="turns decided at a time (default 1)")
    parser.add_argument("--host", default="127.0.0.1", help="webhook: where to listen")
    parser.add_argument("--port", type=int, default=8080, help="webhook: where to listen (default 8080)")
    parser.add_argument("--secret", default="", help="webhook: whsec_… (default: $TURNLOG_BOT_SECRET)")


def add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.py", help="where to write it; an existing file is left alone")


def run(args: argparse.Namespace) -> int:
    """Play until told to stop. 0: stopped; 1: the service refuses this bot."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    token = args.token or os.environ.get("TURNLOG_BOT_TOKEN", "")
    if not token:
        raise WrongUse("give the bot's token with --token or in TURNLOG_BOT_TOKEN")
    if args.threads < 1:
        raise WrongUse("--threads must be at least 1")
    try:
        runner = Runner(load(args.bot), Client(args.url, token), args.threads)
    except (BadBot, ValueError) as problem:
        raise WrongUse(str(problem)) from None
    _stop_on_signals()
    try:
        _deliver(runner, args)
    except Refused as problem:
        log.error("%s", problem)
        return 1
    except KeyboardInterrupt:
        log.info("stopped")
    finally:
        runner.close()
    return 0


def _deliver(runner: Runner, args: argparse.Namespace) -> None:
    if args.delivery == "stream":
        run_stream(runner)
    elif args.delivery == "poll":
        run_poll(runner)
    else:
        _listen(runner, args)


def _listen(runner: Runner, args: argparse.Namespace) -> None:
    secret = args.secret or os.environ.get("TURNLOG_BOT_SECRET", "")
    if not secret:
        raise WrongUse("a webhook needs its secret: --secret or TURNLOG_BOT_SECRET")
    try:
        server = WebhookServer(runner, secret, args.host, args.port)
    except ValueError as problem:
        raise WrongUse(str(problem)) from None
    with server:
        log.info("listening on %s:%d", *server.server_address[:2])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        runner.stop.wait()
        server.shutdown()


def _stop_on_signals() -> None:
    """The first signal ends the work in order, a second one at once.

    Nothing is locked here, not even to set an event: what was interrupted may hold the lock.
    """
    stopping = (signal.SIGINT, signal.SIGTERM)

    def halt(_number: int, _frame: FrameType | None) -> None:
        for number in stopping:
            signal.signal(number, signal.SIG_DFL)
        raise KeyboardInterrupt  # out of a blocking read

    for number in stopping:
        signal.signal(number, halt)


def new(args: argparse.Namespace) -> int:
    """Write a starter."""
    path = Path(args.file)
    if path.suffix != ".py":
        raise WrongUse(f"{path}: the name of a bot's file ends in .py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(STARTER.format(file=path))
    except FileExistsError:
        raise WrongUse(f"{path} exists already") from None
    except OSError as problem:
        raise WrongUse(f"{path}: {problem.strerror}") from None
    return 0
