"""Logs that are sent here: bounded in size, each judged in a process of its own, a few at once.

Nobody waits long for somebody else's log: each has an end of its time, and everybody sends one at a time.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import structlog

from engine.log import UNKNOWN_VERSION, Match
from engine.proof import verify
from infra.process.python import python
from service.basics.errors import Problem
from service.commands.examine import OTHER_RULES, SIGNED, Verdict

MAX_EVENTS, MAX_UNDOS = 5000, 1000
AT_ONCE = 2
CPU_S = 20  # of the processor, for one log
WALL_S = 60.0  # until it must be done, on however busy a machine
PATIENCE_S = 60.0  # how long to wait for a place
PASSED_ON = ("PATH", "PYTHONPATH", "LANG")  # of the environment: no secret is among them
log = structlog.get_logger(__name__)
_decode = msgspec.json.Decoder(Verdict).decode


class Checkers:
    def __init__(
        self, at_once: int = AT_ONCE, wall_s: float = WALL_S, patience_s: float = PATIENCE_S
    ) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._wall_s, self._patience_s = wall_s, patience_s
        self._asking: set[str] = set()

    async def check(self, who: str, data: bytes, signed: bool = False) -> tuple[Match, list[bytes]]:
        """A valid log, as a match and its lines. `signed`: by a server that is trusted here."""
        check_size(data)
        with self._alone(who):
            await self._take_place()
            try:
                verdict = await self._examined(data, signed)
            finally:
                self._places.release()
        if verdict.code:
            raise _refusal(verdict)
        return await asyncio.to_thread(verify.read, data)  # it holds: this is one pass, and an honest one

    @contextmanager
    def _alone(self, who: str) -> Iterator[None]:
        if who in self._asking:
            raise Problem("rate_limited")
        self._asking.add(who)
        try:
            yield
        finally:
            self._asking.discard(who)

    async def _take_place(self) -> None:
        try:
            async with asyncio.timeout(self._patience_s):
                await self._places.acquire()
        except TimeoutError:
            raise Problem("rate_limited") from None

    async def _examined(self, data: bytes, signed: bool) -> Verdict:
        process = await asyncio.create_subprocess_exec(
            *(*python(), "-m", "service.commands.examine", str(CPU_S), *([SIGNED] if signed else [])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
        )
        try:
            async with asyncio.timeout(self._wall_s):
                told, wrong = await process.communicate(data)
        except TimeoutError:
            raise _costly(process, b"") from None
        finally:
            await _end(process)
        if process.returncode:
            raise _costly(process, wrong)
        return _decode(told)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Also if whoever asked has gone."""
    if process.returncode is None:
        process.kill()
        await process.wait()


def _costly(process: asyncio.subprocess.Process, wrong: bytes) -> Problem:
    log.warning(
        "a log could not be judged", code=process.returncode, said=wrong[-500:].decode(errors="replace")
    )
    return Problem("costly_log")


def check_size(data: bytes) -> None:
    """More than anybody plays is not even looked at. Whoever keeps the house may import it by hand."""
    if data.count(b"\n") > MAX_EVENTS + 1 or data.count(b'"kind":"undone"') > MAX_UNDOS:
        raise Problem("long_log", events=MAX_EVENTS, undos=MAX_UNDOS)


def _refusal(bad: Verdict) -> Problem:
    if bad.code == OTHER_RULES:
        return Problem("other_rules", {"line": bad.line}, line=bad.line)
    code = bad.code if bad.code in ("incomplete_log", UNKNOWN_VERSION) else "bad_log"
    return Problem(code, {"line": bad.line, "reason": bad.code}, line=bad.line, detail=bad.reason)
