"""A plugin for pytest: how long each test took, and which of the planted probes speak up in which."""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

TOOK: dict[str, float] = defaultdict(float)
FAILED: set[str] = set()


def pytest_runtest_logstart() -> None:
    from mutants_probe import SEEN  # planted in the copy

    SEEN.clear()


def pytest_runtest_logreport(report: Any) -> None:
    TOOK[report.nodeid] += report.duration
    if report.failed or report.skipped:  # one that fails without any mutant would kill them all
        FAILED.add(report.nodeid)
    if report.when == "teardown" and len(TOOK) % 20 == 0:
        _write()  # all that is known by now, if there is no end


def pytest_sessionfinish() -> None:
    _write()


def _write() -> None:
    passed = {test: took for test, took in TOOK.items() if test not in FAILED}
    Path(os.environ["MUTANTS_SECONDS"]).write_text(json.dumps(passed), encoding="utf-8")
