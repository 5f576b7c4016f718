"""A rule case that does not hold is reported; `tests/games/test_cases.py` runs them all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.checks import cases

FILES = sorted(Path(__file__).with_name("cases").glob("*.json"))
CASES = [case for path in FILES for case in json.loads(path.read_text())["cases"]]


def broken(**changes):
    case = json.loads(json.dumps(next(c for c in CASES if c["name"] == "refill_and_chief_passes")))
    for path, value in changes.items():
        *inside, last = path.split("__")
        target = case
        for step in inside:
            target = target[int(step) if step.isdigit() else step]
        target[last] = value
    return next(iter(cases.run("akropolis", [case]))).problems


def test_a_case_that_does_not_hold_is_reported():
    assert broken(expect__round=3)
    assert broken(do__0__error="overhang")
    assert broken(do__1__error="overhang")
    assert broken(do__1__expect={"last": {"level": 2}})
    assert not broken(name="another")


@pytest.mark.parametrize(
    "changes",
    [
        {"surprise": 1},
        {"given__surprise": 1},
        {"given__config__surprise": 1},
        {"given__deck": [1, 1, 1, 1]},
        {"given__config__players": 7},
        {"do__0__surprise": 1},
        {"expect__surprise": 1},
        {"kind": "surprise"},
    ],
)
def test_what_a_case_must_not_say_is_an_error(changes):
    assert "cannot be run" in broken(**changes)[0]
