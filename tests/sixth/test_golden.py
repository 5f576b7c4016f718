"""The golden logs and letters of the sixth game, by the checks of the others; and its logs of version 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import codec, registry
from engine.log import UNKNOWN_VERSION, BadLog, load
from engine.proof.verify import audit, read, report, split, verify
from tests.golden import make, notices, test_golden, test_notices
from tests.respelt import respelt
from tests.sixth.golden import EARLIER, HERE
from tests.sixth.registered import KEY

LOGS = sorted((HERE / KEY).glob("*.ndjson"))
OLD = EARLIER / "version-1.ndjson"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_replays(path: Path):
    test_golden.test_a_golden_log_replays_to_the_recorded_result(path)


def test_every_option_story_and_kind_of_event_has_one(monkeypatch):
    monkeypatch.setattr(make, "HERE", HERE)
    test_golden.test_every_option_and_ending_has_a_golden_log(KEY)
    test_golden.test_every_kind_of_event_is_in_a_golden_log(KEY)


@pytest.mark.parametrize("lang", notices.LANGS)
def test_its_letters_read_as_they_did(lang, monkeypatch):
    monkeypatch.setattr(notices, "HERE", HERE / "notices")
    test_notices.test_notices_read_as_they_did(KEY, lang)
    test_notices.test_notices_are_in_both_languages(KEY)


def test_an_old_log_folds_beside_a_new_one(sixth):
    old, lines = read(OLD.read_bytes())
    new, _ = read(LOGS[0].read_bytes())
    assert (old.version, new.version) == (1, sixth.version) == (1, 2)
    assert old.rules is registry.game(KEY, 1) is not sixth
    assert old.result == old.rules.result(old.state)
    assert verify(lines).verdict() == "valid"
    assert audit(lines).verdict == "same"


def test_todays_rules_would_fold_it_otherwise():
    """Why version 1 is kept: under version 2 nobody in this log ever loses a turn."""
    lines = split(OLD.read_bytes())
    newer = respelt(lines, lambda event: event | ({"version": 2} if event["seq"] == 1 else {}))
    assert load(newer).state != load(lines).state
    assert report(OLD.read_bytes()).version == 1


def test_without_the_old_rules_it_is_refused(monkeypatch, sixth):
    from dataclasses import replace

    monkeypatch.setattr(registry.part(KEY, ""), "GAME", replace(sixth, earlier=()))
    with pytest.raises(BadLog) as refused:
        read(OLD.read_bytes())
    assert refused.value.code == UNKNOWN_VERSION


def test_a_fact_without_a_field_that_has_a_default_folds():
    """A roll of before `lost` was a field, under rules that have it."""
    lines = split(LOGS[0].read_bytes())
    bare = respelt(lines, _without_lost)
    assert b'"lost":false' in b"".join(lines)
    assert b'"lost":false' not in b"".join(bare)
    assert load(bare).state.banked == load(lines).state.banked
    found = report(b"\n".join([*bare, codec.encode({"end": len(bare), "head": codec.digest(bare[-1])}), b""]))
    assert found.checks["chain"] is None


def _without_lost(event):
    facts = [{k: v for k, v in f.items() if (k, v) != ("lost", False)} for f in event.get("facts", [])]
    return event | {"facts": facts} if facts else event
