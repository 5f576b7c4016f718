"""Which tests run which line: found out once for a commit by running what runs in one process, and kept."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.mutants.mutant import TREE

KEPT = TREE / ".mutants"
SUITES = (  # tests that run the code in their own process; those that start others cannot be traced
    ("tests/unit", "tests/conformance", "tests/golden"),
    ("tests/integration/store", "tests/integration/api", "tests/stateful", "tests/games"),
)
ENOUGH_S = 60.0  # of tests for one mutant, the quick ones first
FOLDERS = ("engine", "bots", "infra", "service", "workers")


class Covering:
    """Tests by line of a file, quickest first."""

    def __init__(self, by_line: dict[str, dict[str, list[str]]], seconds: dict[str, float]) -> None:
        self._by_line, self._seconds = by_line, seconds

    def tests(self, path: str, line: int) -> tuple[str, ...]:
        """The tests that run a line; of a line that only an import runs, those that run the file."""
        lines = self._by_line.get(path, {})
        found = lines.get(str(line)) or sorted({test for tests in lines.values() for test in tests})
        return self._enough(found)

    def _enough(self, tests: list[str]) -> tuple[str, ...]:
        chosen, spent = [], 0.0
        for test in sorted(tests, key=lambda test: self._seconds.get(test, 1.0)):
            spent += self._seconds.get(test, 1.0)
            if spent > ENOUGH_S and chosen:
                break
            chosen.append(test)
        return tuple(chosen)


def covering() -> Covering:
    """Of this commit: from the last run, or by running the tests now."""
    head = _git("rev-parse", "HEAD")
    kept = KEPT / f"covering-{head}.json"
    if not kept.exists():
        KEPT.mkdir(exist_ok=True)
        kept.write_text(json.dumps(_found()), encoding="utf-8")
    found = json.loads(kept.read_text(encoding="utf-8"))
    return Covering(found["lines"], found["seconds"])


def _git(*words: str) -> str:
    run = subprocess.run(["git", *words], cwd=TREE, check=True, capture_output=True, text=True)
    return run.stdout.strip()


def _found() -> dict[str, object]:
    runs = [_started(number, suites) for number, suites in enumerate(SUITES)]
    for process in runs:
        process.wait()
    lines: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    seconds: dict[str, float] = {}
    for number in range(len(SUITES)):
        _read(KEPT / f"coverage-{number}", lines)
        seconds |= json.loads((KEPT / f"seconds-{number}.json").read_text(encoding="utf-8"))
    return {"lines": lines, "seconds": seconds}


def _started(number: int, suites: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    sources = [f"--cov={folder}" for folder in FOLDERS]
    words = ["-m", "pytest", "-q", "-n", "0", "-p", "tests.mutants.seconds", "--cov-context=test"]
    env = {
        **os.environ,
        "COVERAGE_FILE": str(KEPT / f"coverage-{number}"),
        "MUTANTS_SECONDS": str(KEPT / f"seconds-{number}.json"),
    }
    report = ["--cov-report=", "-W", "ignore::coverage.exceptions.CoverageWarning"]
    with (KEPT / f"run-{number}.txt").open("w") as log:
        return subprocess.Popen(
            [sys.executable, *words, *sources, *report, *suites], cwd=TREE, env=env, stdout=log, stderr=log
        )


def _read(file: Path, lines: dict[str, dict[str, list[str]]]) -> None:
    from coverage import CoverageData

    data = CoverageData(basename=str(file))
    data.read()
    for measured in data.measured_files():
        name = Path(measured).relative_to(TREE).as_posix()
        for line, contexts in data.contexts_by_lineno(measured).items():
            lines[name][str(line)] += sorted({test.split("|")[0] for test in contexts if test})
