"""Which files of the house a piece of work goes through, in order, and how often it goes on to others."""

from __future__ import annotations

import dis
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

HOUSE = ("engine", "bots", "infra", "service", "workers")
INLINE = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")  # belong to the function they stand in
BELOW = {  # whom a folder may call without going back up
    "engine": {"engine"},
    "infra": {"engine", "infra"},
    "bots": {"engine", "bots"},
    "service": {"engine", "bots", "infra", "service"},
    "workers": set(HOUSE),
}


class Trace:
    """What was called, as (caller's file, called file); files in the order in which they were reached.

    With `under`, only what happens beneath a function of one of these files counts, and what calls it.
    """

    def __init__(self, root: Path, under: tuple[str, ...] = ()) -> None:
        self._root, self._under = f"{root.resolve()}/", under
        self._names: dict[CodeType, str | None] = {}
        self.files: list[str] = []
        self.calls: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Look at this thread, and at those that begin meanwhile."""
        threading.setprofile(self._look)
        sys.setprofile(self._look)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _look(self, frame: FrameType, what: str, _: Any) -> None:
        if what != "call":
            return
        name = self._name(frame.f_code)
        if name is None or frame.f_code.co_name in INLINE or _is_resumed(frame):
            return
        stack = [name, *self._callers(frame)]
        if self._under and not any(file in self._under for file in stack):
            return
        caller = stack[1] if len(stack) > 1 else ""
        for file in (caller, name):
            if file and file not in self.files:
                self.files.append(file)
        if caller and caller != name:
            self.calls[caller, name] += 1

    def _name(self, code: CodeType) -> str | None:
        """The file of a function, if it is one of the house; a game is one file, whatever it is made of."""
        if code not in self._names:
            path = code.co_filename.removeprefix(self._root)
            top, _, rest = path.partition("/")
            known = path if top in HOUSE and rest else None
            if known and known.startswith("engine/games/"):
                known = "/".join(known.split("/")[:3]) + "/"
            self._names[code] = known
        return self._names[code]

    def _callers(self, frame: FrameType) -> Iterator[str]:
        above = frame.f_back
        while above is not None:
            name = self._name(above.f_code)
            if name is not None:
                yield name
            above = above.f_back


def _is_resumed(frame: FrameType) -> bool:
    """Generators and coroutines are entered again and again: only the first time is a call."""
    return frame.f_lasti > _start(frame.f_code)


@cache
def _start(code: CodeType) -> int:
    """Where the instruction lies with which every function begins."""
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")


def top(file: str) -> str:
    return file.partition("/")[0]


class Figures(NamedTuple):
    """How far a walk goes: files, calls from one top folder into another, and those that go back up."""

    files: int
    folders: int
    up: int

    @classmethod
    def of(cls, traces: list[Trace]) -> Figures:
        calls: Counter[tuple[str, str]] = Counter()
        for trace in traces:
            calls += trace.calls
        across = {pair: n for pair, n in calls.items() if top(pair[0]) != top(pair[1])}
        up = sum(n for (a, b), n in across.items() if top(b) not in BELOW[top(a)])
        return cls(len({file for trace in traces for file in trace.files}), sum(across.values()), up)
