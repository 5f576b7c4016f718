"""Every field of every kind of event is forged, with a chain that fits; nothing that matters goes through."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random

import pytest

from bots.arena import Played
from engine import codec, registry
from engine.events import kinds
from engine.log import BadLog
from engine.verify import examine, verify
from tests.forging import fields, forgeries, rehashed
from tests.golden.stories import STORIES, stories, told

EVENTS = int(os.environ.get("FORGED_EVENTS", "1"))  # of each kind and log; more take longer
LOGS = [(f"tides-of-time {name}", played.lines) for name, played in stories(registry.game("tides-of-time"))]
LOGS.append(("machi-koro crowd", told(registry.game("machi-koro"), "crowd").lines))

# What may be changed without being found out, and why. Everything else is refused.
FREE = {
    "at": "a time: when something happened after the start is the server's word",
    "acted.cmd": "an id: whoever acts chooses it, for their own retries",
    "undo_asked.to": "a number of an event: only where the question came to nothing",
    "timed_out.seat": "whose time was up, like the time itself: only where nothing followed from it",
    "acted.by": "which bot of the house stood in for a program: any of them may",
}
# A table that was taken away before anything was drawn: no dice hang on its terms, and it has no result.
UNDRAWN = {"opened.options", "opened.places[].kind", "opened.listed", "opened.clock", "opened.revision"}


def free(name: str, field: str) -> bool:
    allowed = field in FREE or field.endswith(".at")
    return allowed or (name.endswith("story-cancelled") and field in UNDRAWN)


def test_nothing_that_matters_can_be_forged(record_property: Callable[[str, object], None]) -> None:
    tried: Counter[str] = Counter()
    passed: dict[str, list[str]] = defaultdict(list)
    for name, lines in LOGS:
        assert examine(lines).verdict() == "valid", name
        for forgery in forgeries(lines, Random(name), EVENTS):
            field = f"{forgery.kind}.{forgery.field}"
            tried[field] += 1
            if examine(forgery.lines).verdict() == "valid":
                tried["free"] += free(name, field)
                passed[field] += [] if free(name, field) else [f"{name} {forgery.seq} {forgery.value!r}"]
    record_property("free", tried.pop("free"))
    record_property("forgeries", sum(tried.values()))
    assert not {field: where for field, where in passed.items() if where}, "forged, and pronounced true"
    assert not fields() - set(tried), "fields that were never forged: give them a story, or a rule"
    assert sum(tried.values()) > 1000


def test_the_logs_that_are_forged_have_every_kind_of_event() -> None:
    assert {codec.decode(line)["kind"] for _, lines in LOGS for line in lines} == kinds()


@pytest.mark.parametrize("name", [name for name in STORIES if name not in ("cancelled", "crowd")])
def test_nobody_is_exchanged_for_somebody_else(name: str) -> None:
    """Everywhere in the log, so that it reads like an honest one: the dice know who sat there."""
    lines = told(registry.game("tides-of-time"), name).lines
    for account in (b"account:a", b"account:b", b"account:robot"):
        if any(account in line for line in lines):
            forged = [line.replace(account + b'"', b'account:victim"') for line in lines]
            assert examine(rehashed([*map(codec.decode, forged)])).verdict() == "forged", account


def changed(played: Played, **result: object) -> list[bytes]:
    """The same log with another result."""
    log = [codec.decode(line) for line in played.lines]
    log[-1]["result"] |= result
    return rehashed(log)


@pytest.fixture(scope="module")
def evening() -> Played:
    return told(registry.game("tides-of-time"), "evening")


@pytest.mark.parametrize(
    "lie",
    [
        {"winners": [0, 1], "places": [1, 1]},
        {"breakdown": [[], []]},
        {"how": "resigned", "scores": [999, 0]},
        {"how": "resigned", "scores": [0, 0], "breakdown": [[], []]},
        {"how": "abandoned"},
        {"scores": [999, 0]},
    ],
)
def test_a_false_result_is_refused(evening: Played, lie: dict[str, object]) -> None:
    report = examine(changed(evening, **lie))
    assert report.checks["result"] is not None
    assert {what for what, problem in report.checks.items() if problem} == {"result"}


def test_a_match_does_not_end_by_a_resignation_that_nobody_wrote(evening: Played) -> None:
    """Cut in the middle, and closed with a walkover."""
    log = [codec.decode(line) for line in evening.lines]
    middle = log[:12]
    walkover = {"scores": [0, 0], "places": [1, 2], "winners": [0], "breakdown": [[], []], "how": "resigned"}
    end = {**log[-1], "seq": 13, "salt": log[12]["salt"], "by": log[11]["by"], "result": walkover}
    with pytest.raises(BadLog) as problem:
        verify(rehashed([*middle, end]))
    assert (problem.value.line, problem.value.code) == (13, "no_cause")


def test_a_stranger_does_not_act(evening: Played) -> None:
    log = [codec.decode(line) for line in evening.lines]
    acted = next(event for event in log if event["kind"] == "acted")
    acted["by"] = "account:mallory"
    report = examine(rehashed(log))
    assert {what for what, problem in report.checks.items() if problem} == {"holders"}


def test_what_had_to_follow_cannot_be_left_out(evening: Played) -> None:
    """A log that was cut after its last action: the end is missing, and that is said."""
    report = examine(evening.lines[:-1])
    problem = report.checks["result"]
    assert problem is not None
    assert problem.code == "not_due"


def test_nothing_is_said_beside_the_fields(evening: Played) -> None:
    """A word that our reader would pass over, and another one might not."""
    log = [codec.decode(line) for line in evening.lines]
    log[5]["remark"] = "won by cheating"
    report = examine(rehashed(log))
    assert [(what, problem.code) for what, problem in report.checks.items() if problem] == [
        ("chain", "not_canonical")
    ]
