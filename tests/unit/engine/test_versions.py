"""Versions of rules and of the envelope: what is known is read, what is not is refused by its own name."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import codec, registry, upcast
from engine.events import VERSION, plain, seen
from engine.log import UNKNOWN_VERSION, BadLog, load, steps
from engine.proof.verify import audit, report, split, verify
from tests.respelt import closed, envelope_0, respelt

EARLIER = Path(__file__).parents[2] / "golden" / "earlier"
TODAY = split((EARLIER / "tides_of_time.ndjson").read_bytes())
LIFTED = split((EARLIER / "envelope_0.ndjson").read_bytes())


def of_version(version):
    return respelt(TODAY, lambda event: event | ({"version": version} if event["seq"] == 1 else {}))


def test_rules_are_asked_for_by_version():
    game = registry.game("tides-of-time")
    assert registry.game("tides-of-time", game.version) is game
    for version in (0, -1, 99):
        with pytest.raises(registry.UnknownVersion):
            registry.game("tides-of-time", version)
    with pytest.raises(registry.UnknownGame):
        registry.game("chess", 1)


def test_a_log_of_unknown_rules_is_refused_by_its_own_name():
    lines = of_version(99)
    for fold in (load, lambda lines: list(steps(lines)), verify):
        with pytest.raises(BadLog, match="version 99 of the rules of 'tides-of-time'") as refused:
            fold(lines)
        assert (refused.value.code, refused.value.line) == (UNKNOWN_VERSION, 1)


def test_unknown_is_not_forged():
    found = report(closed(of_version(99)))
    assert found.verdict() == "cannot_be_checked"
    assert found.is_unknown


def test_the_golden_log_of_the_first_envelope_tells_the_same_match():
    then, now = load(LIFTED), load(TODAY)
    assert (then.state, then.result, then.chairs) == (now.state, now.result, now.chairs)
    assert then.head != now.head
    assert verify(LIFTED).verdict() == "valid"
    assert audit(LIFTED).verdict == "same"
    assert [codec.decode(line)["v"] for line in LIFTED] == [0] * len(LIFTED)


def test_readers_see_todays_envelope():
    for old, new in zip(LIFTED, TODAY, strict=True):
        shown, due = (seen(registry.game("tides-of-time"), line, 0, False) for line in (old, new))
        differ = {name for name in due.keys() | shown.keys() if due.get(name) != shown.get(name)}
        assert differ <= {"hash", "prev"}
        assert plain(old) | {"prev": ""} == plain(new) | {"prev": ""}


def test_the_newest_envelope_is_what_the_lifts_lead_to():
    assert sorted(upcast.LIFTS) == list(range(VERSION))


@pytest.mark.parametrize("v", [-1, VERSION + 1, 10**12])
def test_an_unknown_envelope_is_refused(v):
    lines = respelt(TODAY, lambda event: event | ({"v": v} if event["seq"] == 4 else {}))
    with pytest.raises(BadLog, match=f"version {v} of the envelope") as refused:
        load(lines)
    assert (refused.value.code, refused.value.line) == (UNKNOWN_VERSION, 4)
    assert report(closed(lines)).verdict() == "cannot_be_checked"


def test_an_event_does_not_pass_for_one_of_another_envelope():
    for change in (lambda event: event | {"v": 0}, lambda event: envelope_0(event) | {"v": 1}):
        with pytest.raises(BadLog) as refused:
            load(respelt(TODAY, lambda event, change=change: change(event) if event["seq"] == 5 else event))
        assert (refused.value.code, refused.value.line) == ("not_an_event", 5)


@pytest.mark.parametrize("v", [None, "1", [1], {}, 1.5])
def test_a_version_that_is_no_number_is_no_event(v):
    lines = respelt(TODAY, lambda event: event | {"v": v})
    with pytest.raises(BadLog) as refused:
        load(lines)
    assert refused.value.code == "not_an_event"


def test_both_envelopes_may_be_in_one_log():
    mixed = respelt(TODAY, lambda event: envelope_0(event) if event["seq"] < 6 else event)
    assert load(mixed).state == load(TODAY).state
    assert load(mixed[6:], load(mixed[:6])).state == load(TODAY).state
    assert verify(mixed).verdict() == "valid"


def test_an_old_envelope_may_not_say_more_than_its_event():
    lines = respelt(TODAY, lambda event: envelope_0(event) | ({"aside": 1} if event["seq"] == 3 else {}))
    with pytest.raises(BadLog, match="line 3: the line says more"):
        verify(lines)


def without_how(event):
    """As if a result had got its `how` only later: it has a default."""
    if event["kind"] != "finished":
        return event
    return event | {"result": {name: value for name, value in event["result"].items() if name != "how"}}


def test_a_log_that_misses_a_field_with_a_default_holds():
    """`how` of a result is written always; a server that did not know it would have left it out."""
    lines = respelt(TODAY, without_how)
    assert b'"how"' in TODAY[-1]
    assert b'"how"' not in lines[-1]
    assert load(lines).result == load(TODAY).result
    assert verify(lines).verdict() == "valid"
