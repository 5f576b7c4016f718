"""Two of the three ways in which turns arrive: a stream of lines, and long polling."""

import logging
from concurrent.futures import FIRST_COMPLETED, wait

from bots.sdk.backoff import FIRST_WAIT, Backoff
from bots.sdk.client import Unreachable
from bots.sdk.runner import Runner

log = logging.getLogger("turnlog.bot")
WAIT = 25  # seconds that the service may keep a poll open


def run_stream(runner: Runner, first_wait: float = FIRST_WAIT) -> None:
    """Read lines until told to stop; whenever the line breaks, come back: open turns are sent again."""
    backoff = Backoff(runner.stop, first_wait)
    while not runner.stop.is_set():
        try:
            with runner.client.lines("/api/bot/stream") as lines:
                log.info("connected")
                for line in lines:
                    backoff.reset()
                    if line.strip():
                        runner.receive(line)
                    if runner.stop.is_set():
                        return
            log.info("the stream ended")
            backoff.wait()
        except Unreachable as problem:
            log.warning("%s", problem)
            backoff.wait(problem.retry_after)


def run_poll(runner: Runner, first_wait: float = FIRST_WAIT) -> None:
    """Ask for open turns again and again."""
    backoff = Backoff(runner.stop, first_wait)
    while not runner.stop.is_set():
        try:
            reply = runner.client.get(f"/api/bot/turns?wait={WAIT}", timeout=WAIT + 15)
        except Unreachable as problem:
            log.warning("%s", problem)
            backoff.wait(problem.retry_after)
            continue
        body = reply.body if isinstance(reply.body, dict) else {}
        items = body.get("items", [])
        for message in body.get("away", []):
            runner.take(message)
        taken = [future for item in items if (future := runner.take(item)) is not None]
        if taken:
            backoff.reset()
            wait(taken, return_when=FIRST_COMPLETED)
        elif items or reply.status != 200:
            backoff.wait()  # only turns that are being answered: give the answers time to arrive
