"""One change of one file, and the copy of the house that it is tried in."""

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
LIMIT_S = 400  # a mutant that hangs is killed by that, too
KILLED, SURVIVED, BROKEN = "killed", "SURVIVED", "BROKEN"
FAILED, TIMED_OUT = 1, -1  # pytest's exit code for failed tests; ours for a hang


class DoesNotFit(Exception):
    """The text to change is not there exactly once: the code moved on, the mutant must follow."""


@dataclass(frozen=True)
class Mutant:
    name: str
    path: str
    source: str  # the whole file as it is with the change
    tests: tuple[str, ...]
    where: str = ""  # the changed line, for people


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    verdict: str
    by: str  # the test that saw it


class Copy:
    """The tracked files in a folder of their own, so that the tree itself is never changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, check=True, capture_output=True).stdout
        for name in listed.decode().split("\0"):
            if name and (TREE / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(TREE / name, root / name)

    def tried(self, mutant: Mutant) -> Verdict:
        file = self.root / mutant.path
        before = file.read_text(encoding="utf-8")
        file.write_text(mutant.source, encoding="utf-8")
        try:
            code, output = self._tested(mutant.tests)
        finally:
            file.write_text(before, encoding="utf-8")
        return _judged(mutant, code, output)

    def _tested(self, tests: tuple[str, ...]) -> tuple[int, str]:
        pytest = "-m pytest -x -q -n 0 -p no:cacheprovider --no-header --tb=no".split()
        env = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            [sys.executable, *pytest, *tests],
            cwd=self.root,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # what it started goes with it
        )
        try:
            output, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return TIMED_OUT, ""
        return process.returncode, output


def _judged(mutant: Mutant, code: int, output: str) -> Verdict:
    if code == 0:
        return Verdict(mutant, SURVIVED, "")
    if code == TIMED_OUT:
        return Verdict(mutant, KILLED, "it hung")
    seen = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    if code != FAILED and seen is None and "Error" not in output:  # no test ran: that proves nothing
        return Verdict(mutant, BROKEN, output.strip().splitlines()[-1] if output.strip() else f"exit {code}")
    return Verdict(mutant, KILLED, seen.group(1) if seen else "it cannot be imported")


def changed(name: str, path: str, old: str, new: str, tests: tuple[str, ...]) -> Mutant:
    """A mutant by exchanging one piece of text that must be there once."""
    source = (TREE / path).read_text(encoding="utf-8")
    if source.count(old) != 1:
        raise DoesNotFit(f"{name}: {path} has {source.count(old)} times {old!r}")
    return Mutant(name, path, source.replace(old, new), tests, old.strip().splitlines()[0])
