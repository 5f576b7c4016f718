"""Which tests run which mutant: found out by planting a probe at each in a copy, and running the tests once.

Coverage would tell the same of every line, at many times the cost; here a few hundred lines matter. Probes
also speak up in processes that a test starts. What a file of tests runs is kept in `.mutants/` until the
file changes.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypedDict

from tests.mutants.mutant import TREE, Copy, Mutant
from tests.mutants.planting import planted

KEPT = TREE / ".mutants"
SUITES = (  # browsers, and houses that are killed, mostly: they take minutes and see little of one line
    "tests/unit/engine",
    "tests/unit/service",
    "tests/unit/infra",
    "tests/unit/bots",
    "tests/unit",  # what documents and layers say of the code
    "tests/golden",
    "tests/games",
    "tests/integration/store",
    "tests/integration/api/notices",
    "tests/integration/api",
    "tests/integration/bots",
    "tests/integration/cli",
    "tests/stateful",
    "tests/conformance",
    "tests/sixth",
    "tests/faults/store/test_supervisor.py",
    "tests/faults/test_killed_relay.py",
)
MANY = 10  # new spots are many if they are the tenth part
LIMIT_S = 1500  # for one folder; what was not reached by then is not known to run anything
PROBE = """\
import os
SEEN = set()

def probe(*mutants):
    for mutant in mutants:
        if mutant not in SEEN:
            SEEN.add(mutant)
            _told(mutant)

def _told(mutant):
    test, file = os.environ.get("PYTEST_CURRENT_TEST"), os.environ.get("MUTANTS_PROBES")
    if test and file:
        with open(file, "a") as out:
            out.write(f"{mutant} {test.rpartition(' ')[0]}\\n")
"""


class Covering:
    """Tests by the spot of a mutant, and what each costs."""

    def __init__(self, by_spot: dict[str, set[str]], seconds: dict[str, float]) -> None:
        self._by_spot, self._seconds = by_spot, seconds

    def tests(self, mutant: Mutant) -> list[str]:
        """All that run the changed line and pass without the change."""
        return [test for test in self._by_spot.get(mutant.spot, ()) if test in self._seconds]

    def all(self) -> list[str]:
        return sorted(self._seconds)

    def seconds(self, test: str) -> float:
        return self._seconds.get(test, 1.0)


class Kept(TypedDict):
    """What is known of one file of tests."""

    digest: str
    hits: list[tuple[str, str]]  # spot and test
    seconds: dict[str, float]  # by test; of those that pass


def is_kept() -> bool:
    """Whether the tests were looked at before, so that only what has changed since is looked at now."""
    return (KEPT / "covering" / "spots.txt").exists()


def covering(mutants: list[Mutant], say: Callable[[str], None]) -> Covering:
    """Of these mutants: from what is kept, or by running the tests now."""
    kept = _folder({mutant.spot for mutant in mutants})
    files = {suite: _files(suite) for suite in SUITES}
    known = {suite: _known(kept, suite) for suite in SUITES}
    with tempfile.TemporaryDirectory(prefix="probes-") as folder:
        root: Path | None = None
        for suite in SUITES:
            news = [file for file, digest in files[suite].items() if _differs(known[suite], file, digest)]
            if news:
                root = root or _probed(Path(folder), mutants)
                say(f"which tests run which mutant: {suite}, {len(news)} files")
                known[suite] |= _run(root, {file: files[suite][file] for file in news}, _kept_in(kept, suite))
                _kept_in(kept, suite).write_text(json.dumps(known[suite]), encoding="utf-8")
                say(_last_line(_kept_in(kept, suite).with_suffix(".txt")))
    return _together([known[suite][file] for suite in SUITES for file in files[suite]])


def _folder(spots: set[str]) -> Path:
    """Where it is kept. A few new spots are done without; with many, all is found out anew."""
    kept = KEPT / "covering"
    probed = kept / "spots.txt"
    known = set(probed.read_text().split()) if probed.exists() else set()
    if len(spots - known) * MANY > len(spots):
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        probed.write_text("\n".join(sorted(spots)))
    return kept


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def _files(suite: str) -> dict[str, str]:
    """Files of tests with a digest of each; those of a suite below belong to that one."""
    below = tuple(f"{other}/" for other in SUITES if other.startswith(f"{suite}/"))
    found = [(file.relative_to(TREE).as_posix(), file) for file in _tests_in(TREE / suite)]
    return {name: _digest([file.read_text("utf-8")]) for name, file in found if not name.startswith(below)}


def _tests_in(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))


def _kept_in(kept: Path, suite: str) -> Path:
    return kept / f"{suite.replace('/', '-')}.json"


def _known(kept: Path, suite: str) -> dict[str, Kept]:
    file = _kept_in(kept, suite)
    known: dict[str, Kept] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return known


def _differs(known: dict[str, Kept], file: str, digest: str) -> bool:
    return file not in known or known[file]["digest"] != digest


def _probed(root: Path, mutants: Iterable[Mutant]) -> Path:
    Copy(root)
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_file[mutant.path].append(mutant)
    for path, here in by_file.items():
        if path.endswith(".py"):
            source = (root / path).read_text(encoding="utf-8")
            (root / path).write_text(
                planted(source, [(one.spot, one.line) for one in here]), encoding="utf-8"
            )
    (root / "mutants_probe.py").write_text(PROBE, encoding="utf-8")
    return root


def _run(root: Path, files: dict[str, str], kept: Path) -> dict[str, Kept]:
    hits, seconds = root / "mutants-hits.txt", root / "mutants-seconds.json"
    hits.write_text("")
    seconds.write_text("{}")
    words = "-m pytest -q -n 0 -p no:cacheprovider -p tests.mutants.seconds --tb=line".split()
    env = {
        **os.environ,
        "PYTHONPATH": str(root),
        "MUTANTS_PROBES": str(hits),
        "MUTANTS_SECONDS": str(seconds),
    }
    with kept.with_suffix(".txt").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *words, *files],
            cwd=root,
            env=env,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            process.wait(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            log.write(f"not all of it: {LIMIT_S} s were over\n")
        finally:
            _end(process)
    return _sorted_by_file(files, hits.read_text(), json.loads(seconds.read_text()))


def _last_line(file: Path) -> str:
    """What pytest summed up: whoever reads that many fail without a mutant mends that first."""
    return file.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With all that it started; on Ctrl-C, too."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _sorted_by_file(files: dict[str, str], hits: str, seconds: dict[str, float]) -> dict[str, Kept]:
    found: dict[str, Kept] = {
        file: {"digest": digest, "hits": [], "seconds": {}} for file, digest in files.items()
    }
    for line in sorted(set(hits.splitlines())):
        spot, _, test = line.partition(" ")
        found[test.partition("::")[0]]["hits"].append((spot, test))
    for test, took in seconds.items():
        found[test.partition("::")[0]]["seconds"][test] = took
    return found


def _together(parts: Iterable[Kept]) -> Covering:
    by_spot: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    for part in parts:
        seconds |= part["seconds"]
        for spot, test in part["hits"]:
            by_spot[spot].add(test)
    return Covering(by_spot, seconds)
