"""Recorded good play: every card makes a difference somewhere, and both ends of the game are there."""

from pathlib import Path

import pytest

from engine.proof.verify import audit, read, verify
from tests.games.babylonia.feats import ALL, feats
from tests.games.babylonia.make_golden import FOLDER

LOGS = sorted(FOLDER.glob("*.ndjson"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_recorded_match_replays_under_todays_rules(path: Path) -> None:
    match, lines = read(path.read_bytes())
    verify(lines)
    assert audit(lines).verdict == "same"
    assert match.result is not None
    assert {str(feat) for feat in feats(lines)} >= set(path.stem.split("-"))


def test_every_card_and_both_ends_are_recorded() -> None:
    """BA-61, BA-81 to BA-89."""
    assert {part for path in LOGS for part in path.stem.split("-")} == set(map(str, ALL))
