"""A house of its own, whose processes all have the sixth game on their list."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.conftest import browser, people, pytest_collection_modifyitems
from tests.house import house as run_house

__all__ = ["browser", "people", "pytest_collection_modifyitems"]
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    known = os.pathsep.join(map(str, (ROOT / "tests" / "sixth" / "site", ROOT)))
    data = tmp_path_factory.mktemp("sixth") / "data"
    with run_house(data, TURNLOG_LOG_LEVEL="warning", PYTHONPATH=known) as running:
        yield running
