"""Runs of pytest that need not import the world anew: a process has imported it, and forks for each.

Only what others wrote is imported beforehand; the house itself, which the mutant is part of, by each run.
As a program: a line of JSON in (arguments and limits), a line out (exit code), until the input ends.
"""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIMED_OUT = -1
COLLECT_S = 90
OURS = ("engine", "bots", "infra", "service", "workers", "tests")
PYTEST = "-x -q -n 0 -p no:cacheprovider --no-header --tb=no"
# What was imported already cannot be rewritten for better messages, which nobody reads here.
QUIET = "ignore::pytest.PytestAssertRewriteWarning"


class Nursery:
    """The process that forks, for one copy of the house."""

    def __init__(self, root: Path) -> None:
        self._output = root / "mutants-output.txt"
        self._root = root
        self._process: subprocess.Popen[str] | None = None

    def tested(self, tests: tuple[str, ...], each_s: Mapping[str, float], all_s: float) -> tuple[int, str]:
        """The exit code of pytest and what it said."""
        if self._process is None or self._process.poll() is not None:
            self._process = self._started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = [*PYTEST.split(), "-W", QUIET, *tests]
        ask = {"words": words, "each": dict(each_s), "limit": all_s, "output": str(self._output)}
        self._process.stdin.write(json.dumps(ask) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline() or TIMED_OUT)
        return code, self._output.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Whatever it is doing ends with it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _started(self) -> "subprocess.Popen[str]":
        env = {**os.environ, "PYTHONPATH": str(self._root)}
        return subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).resolve())],
            cwd=self._root,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


class Patience:
    """A plugin for pytest: each test has its own time, so that a mutant that hangs is seen by a quick one.

    Files of tests that play matches when they are imported have a time, too; after it the alarm ends it all.
    """

    def __init__(self, each_s: Mapping[str, float]) -> None:
        self._each_s = each_s
        signal.alarm(COLLECT_S)

    def pytest_collection_finish(self) -> None:
        signal.alarm(0)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        import pytest

        for item in items:
            if item.nodeid in self._each_s:
                item.add_marker(pytest.mark.timeout(self._each_s[item.nodeid]))


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _import_the_world()
    for line in sys.stdin:
        answers.write(f"{_run(json.loads(line))}\n")
        answers.flush()


def _import_the_world() -> None:
    """What the fixtures import, asked of a process of its own, without what is ours."""
    ask = "import sys, pytest, tests.conftest; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True)
    for name in run.stdout.split():
        if name.split(".")[0] not in (*OURS, "__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)


def _run(ask: dict[str, Any]) -> int:
    child = os.fork()
    if child == 0:
        _be_pytest(ask)
    return _waited(child, ask["limit"])


def _be_pytest(ask: dict[str, Any]) -> None:
    os.setsid()  # what it starts goes with it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    output = os.open(ask["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for copy, fd in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(copy, fd)
    code = 70
    try:
        import pytest

        code = int(pytest.main(ask["words"], plugins=[Patience(ask["each"])]))
    finally:
        sys.stdout.flush()
        os._exit(code)


def _waited(child: int, limit: float) -> int:
    end = time.monotonic() + limit
    try:
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                return TIMED_OUT if code == -signal.SIGALRM else code
            time.sleep(0.02)
        return TIMED_OUT
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # it, or what it started and left
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


if __name__ == "__main__":
    main()
