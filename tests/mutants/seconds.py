"""A plugin for pytest: how long each test took, for choosing the quick ones."""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

TOOK: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:  # a test that fails without any mutant would kill them all
        TOOK[report.nodeid] = 1e6
    TOOK[report.nodeid] += report.duration


def pytest_sessionfinish() -> None:
    Path(os.environ["MUTANTS_SECONDS"]).write_text(json.dumps(TOOK), encoding="utf-8")
