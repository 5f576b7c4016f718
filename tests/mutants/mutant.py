"""One change of one file, and the copy of the house that it is tried in."""

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.mutants.nursery import TIMED_OUT, Nursery

TREE = Path(__file__).resolve().parents[2]
KILLED, SURVIVED, BROKEN = "killed", "SURVIVED", "BROKEN"
ARROW = "  ->  "
FAILED = 1  # pytest's exit code for failed tests


class DoesNotFit(Exception):
    """The text to change is not there exactly once: the code moved on, the mutant must follow."""


@dataclass(frozen=True)
class Mutant:
    name: str
    path: str
    source: str  # the whole file as it is with the change
    tests: tuple[str, ...]  # where the test is that should notice; none: anywhere
    where: str = ""  # the changed line, for people
    line: int = 1  # its number, before the change
    nth: int = 1  # of the lines of the file that read the same

    @cached_property
    def key(self) -> str:
        """What it is known by: the whole file with the change in it."""
        return _hashed(self.path, self.source)

    @cached_property
    def spot(self) -> str:
        """The line that is changed, wherever in its file that moves to."""
        return _hashed(self.path, self.where.split(ARROW)[0], self.nth)


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    verdict: str
    by: str  # the test that saw it
    seconds: float = 0.0
    tests: int = 0  # how many were chosen


@dataclass(frozen=True)
class Chosen:
    """Tests for one mutant, in their order."""

    tests: tuple[str, ...]
    each_s: Mapping[str, float]  # a test that takes longer hangs; of others nothing is known
    all_s: float


class Copy:
    """The tracked files in a folder of their own, so that the tree itself is never changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._stamp = int(time.time())
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, check=True, capture_output=True).stdout
        for name in listed.decode().split("\0"):
            if name and (TREE / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(TREE / name, root / name)
        self._nursery = Nursery(root)

    def tried(self, mutant: Mutant, chosen: Chosen) -> Verdict:
        begun = time.monotonic()
        if not chosen.tests:
            return Verdict(mutant, SURVIVED, "no test runs it")
        before = (self.root / mutant.path).read_text(encoding="utf-8")
        self._write(mutant.path, mutant.source)
        try:
            code, output = self._nursery.tested(chosen.tests, chosen.each_s, chosen.all_s)
        finally:
            self._write(mutant.path, before)
        verdict, by = _judged(code, output)
        return Verdict(mutant, verdict, by, time.monotonic() - begun, len(chosen.tests))

    def close(self) -> None:
        self._nursery.close()

    def _write(self, path: str, source: str) -> None:
        """With a time of its own: bytecode is kept by whole seconds and sizes, and would be believed."""
        file = self.root / path
        file.write_text(source, encoding="utf-8")
        self._stamp += 2
        os.utime(file, (self._stamp, self._stamp))


def _judged(code: int, output: str) -> tuple[str, str]:
    if code == 0:
        return SURVIVED, ""
    if code == TIMED_OUT:
        return KILLED, "it hung"
    seen = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    if code != FAILED and seen is None and "Error" not in output:  # no test ran: that proves nothing
        return BROKEN, output.strip().splitlines()[-1] if output.strip() else f"exit {code}"
    return KILLED, seen.group(1) if seen else "it cannot be imported"


def changed(name: str, path: str, old: str, new: str, tests: tuple[str, ...]) -> Mutant:
    """A mutant by exchanging one piece of text that must be there once."""
    source = (TREE / path).read_text(encoding="utf-8")
    if source.count(old) != 1:
        raise DoesNotFit(f"{name}: {path} has {source.count(old)} times {old!r}")
    return made(name, path, source, source.replace(old, new), tests)


def made(name: str, path: str, before: str, after: str, tests: tuple[str, ...] = ()) -> Mutant:
    """A mutant from a file before and after."""
    old, new = before.splitlines(), after.splitlines()
    pairs = list(zip(old, new, strict=False))
    at = next((n for n, (was, now) in enumerate(pairs) if was != now), min(len(pairs), len(old) - 1))
    now = new[at].strip() if at < len(new) else ""
    if not old[at].strip():  # a decorator goes together with the blank line before it
        at = next((n for n in range(at, len(old)) if old[n].strip()), at)
    where = f"{old[at].strip()}{ARROW}{now}"
    return Mutant(name, path, after, tests, where, at + 1, old[: at + 1].count(old[at]))


def _hashed(*words: object) -> str:
    return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()[:16]
