"""Every field of every kind of event is forged, with a chain that fits; nothing that matters goes through."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from bots.arena import Played
from engine import codec, registry
from engine.events import kinds
from engine.identity import turn_of_bot, turn_of_stand_in
from engine.log import BadLog, load, steps
from engine.proof.verify import examine, verify
from tests.forging import ANOTHER_TIME, Forgery, fields, forgeries, rehashed
from tests.golden.stories import STORIES, Story, stories, told

PEOPLE = ("account:a", "account:b", "account:c", "account:eve")
EVENTS = int(os.environ.get("FORGED_EVENTS", "1"))  # of each kind and log; more take longer


def with_ids(lines: Sequence[bytes]) -> list[bytes]:
    """The same log as the service writes it: bots of the house and programs name the turns that they play."""
    log, before = [codec.decode(line) for line in lines], None
    for event, (_, match) in zip(log, steps(lines), strict=True):
        if event["kind"] == "acted" and before is not None and event["by"] not in PEOPLE:
            house = event["by"].startswith("bot:")
            since = before.since[event["seat"]]
            event["cmd"] = turn_of_bot(since, event["seat"]) if house else f"turn:{match.id}:{since}"
        before = match
    return rehashed(log)


LOGS = [(f"tides-of-time {name}", played.lines) for name, played in stories(registry.game("tides-of-time"))]
LOGS.append(("machi-koro crowd", told(registry.game("machi-koro"), "crowd").lines))
LOGS += [
    (f"{name} with ids", with_ids(lines)) for name, lines in LOGS if name.endswith(("crowd", "programs"))
]

# What may be changed without being found out, and why. Everything else is refused. Beside times and ids three
# choices are left from which nothing followed: another one would have been just as possible, and whoever
# knows the seed can write it down, so no rule over a log can tell. The tests below show where each of them
# ends, docs/signatures.md says so to whoever verifies, and the signature under a log's head binds them all.
FREE = {
    "at": "a time: when something happened after the start is the server's word",
    "acted.cmd": "an id: a person or program that acts chooses it, for retries; the house's bots do not",
    "undo_asked.to": "a wish that came to nothing: its asker could have asked for another position, and all"
    " that followed, a refusal or the next action, would read the same",
    "timed_out.seat": "a time, in words: of several who were waited for, whose ran out, if nothing followed."
    " Sleep and vacations are in no log, so either may have been late at that moment",
    "acted.by": "an id: which of the house's bots reckoned a move, where one may stand in for another; any of"
    " them may choose any legal one. That the house played a program's turn is on record in `cmd`",
}


def free(lines: Sequence[bytes], forgery: Forgery) -> bool:
    field = f"{forgery.kind}.{forgery.field}"
    if forgery.field == "at":
        return forgery.value == ANOTHER_TIME
    event, after = codec.decode(lines[forgery.seq - 1]), [codec.decode(line) for line in lines[forgery.seq :]]
    if field == "acted.cmd":
        return not event["by"].startswith("bot:")
    if field == "undo_asked.to":
        return _came_to_nothing(after)
    if field == "timed_out.seat":
        return codec.decode(lines[0])["clock"]["timeout"] == "wait"
    programs = {event["by"], forgery.value} <= {"bot:greedy", "bot:random", event["by"]}
    unnamed = event["by"].startswith("bot:") or "cmd" not in event
    return field == "acted.by" and programs and event["by"] not in PEOPLE and unnamed


def _came_to_nothing(after: Sequence[dict[str, Any]]) -> bool:
    """Whether the next that is said of a question is that it is refused, or the match goes on without it."""
    told = next((event for event in after if event["kind"] in ("undo_answered", "undone", "acted")), None)
    return told is None or told["kind"] == "acted" or told.get("agree") is False


def test_nothing_that_matters_can_be_forged(record_property: Callable[[str, object], None]) -> None:
    tried: Counter[str] = Counter()
    passed: dict[str, list[str]] = defaultdict(list)
    for name, lines in LOGS:
        verdict = examine(lines).verdict()
        assert verdict == ("nothing_played" if "cancelled" in name else "valid"), name
        for forgery in forgeries(lines, Random(name), EVENTS):
            field = f"{forgery.kind}.{forgery.field}"
            tried[field] += 1
            if examine(forgery.lines).verdict() == "valid":
                known = free(lines, forgery)
                tried["free"] += known
                passed[field] += [] if known else [f"{name} {forgery.seq} {forgery.value!r}"]
    record_property("free", tried.pop("free"))
    record_property("forgeries", sum(tried.values()))
    assert not {field: where for field, where in passed.items() if where}, "forged, and pronounced true"
    assert not fields() - set(tried), "fields that were never forged: give them a story, or a rule"
    assert sum(tried.values()) > 1000


def forged(lines: Sequence[bytes], kind: str, number: int = 0, **changes: object) -> str:
    """The verdict on a log in which so many of an event's fields were exchanged."""
    log = [codec.decode(line) for line in lines]
    [event for event in log if event["kind"] == kind][number].update(changes)
    return examine(rehashed(log)).verdict()


def test_a_question_names_a_position_that_could_be_asked_for() -> None:
    """Also one that came to nothing: not one before the start, none of the future, none that was free."""
    lines = told(registry.game("tides-of-time"), "evening").lines
    events = [codec.decode(line) for line in lines]
    asked = [event for event in events if event["kind"] == "undo_asked"]
    started = next(event["seq"] for event in events if event["kind"] == "started")
    for number, event in enumerate(asked):
        for to in (-1, 0, 1, started - 1, event["seq"] - 1, event["seq"], event["seq"] + 1, 10**6):
            assert forged(lines, "undo_asked", number, to=to) == "forged", (number, to)


def test_time_runs_out_only_for_a_person_who_is_waited_for() -> None:
    for name in ("absent", "late", "patient"):
        lines = told(registry.game("tides-of-time"), name).lines
        for seat in (-1, 2, None):
            assert forged(lines, "timed_out", seat=seat) == "forged", (name, seat)
    lines = told(registry.game("machi-koro"), "patient").lines
    late = next(codec.decode(line)["seat"] for line in lines if codec.decode(line)["kind"] == "timed_out")
    assert forged(lines, "timed_out", seat=1 - late) == "forged", "only one was to act"


def test_a_program_is_stood_in_for_by_bots_of_the_house_only() -> None:
    lines = told(registry.game("tides-of-time"), "programs").lines
    acted = [event for event in map(codec.decode, lines) if event["kind"] == "acted"]
    program = next(n for n, event in enumerate(acted) if event["by"] == "account:robot")
    person = next(n for n, event in enumerate(acted) if event["by"] == "account:a")
    for by in ("bot:greedy", "bot:random"):
        assert forged(lines, "acted", program, by=by) == "valid"
        assert forged(lines, "acted", person, by=by) == "forged"
    for by in ("bot:search", "bot:mallory", "account:a", "system"):
        assert forged(lines, "acted", program, by=by) == "forged", by


def test_where_turns_have_names_nobody_else_has_played_them() -> None:
    """A program's move does not become the house's, nor the other way round; a bot's id is no free text."""
    lines = with_ids(told(registry.game("tides-of-time"), "programs").lines)
    assert examine(lines).verdict() == "valid"
    acted = [event for event in map(codec.decode, lines) if event["kind"] == "acted"]
    number = next(n for n, event in enumerate(acted) if event["by"] == "account:robot")
    match = load(lines[: acted[number]["seq"] - 1])
    stood_in = turn_of_stand_in(match.id, match.since[1], 1)
    for by in ("bot:greedy", "bot:random"):
        assert forged(lines, "acted", number, by=by) == "forged"
        assert forged(lines, "acted", number, by=by, cmd=stood_in) == "valid", "so the house writes it"
        assert forged(lines, "acted", number, by=by, cmd=stood_in + "0") == "forged"
    assert forged(lines, "acted", number, cmd=stood_in) == "forged"
    crowd = with_ids(told(registry.game("machi-koro"), "crowd").lines)
    assert examine(crowd).verdict() == "valid"
    acted = [event for event in map(codec.decode, crowd) if event["kind"] == "acted"]
    number = next(n for n, event in enumerate(acted) if event["by"].startswith("bot:"))
    for cmd in ("a command", acted[number]["cmd"] + "0", "turn-0-0"):
        assert forged(crowd, "acted", number, cmd=cmd) == "forged", cmd


@pytest.mark.parametrize(
    ("timeout", "verdict"), [("caretaker", "forged"), ("resign", "forged"), ("wait", "valid")]
)
def test_where_a_clock_takes_the_seat_nobody_stands_in_for_a_program(timeout: str, verdict: str) -> None:
    """Its time runs out like a person's, and a caretaker has the seat from then on."""
    story = Story(registry.game("tides-of-time"), "a program and a clock")
    story.open("person", "remote", timeout=timeout)
    story.play_out()
    acted = [event for event in map(codec.decode, story.writer.lines) if event["kind"] == "acted"]
    program = next(n for n, event in enumerate(acted) if event["by"] == "account:robot")
    assert forged(story.writer.lines, "acted", program) == "valid"
    for by in ("bot:greedy", "bot:random"):
        assert forged(story.writer.lines, "acted", program, by=by) == verdict


def test_a_table_that_never_began_is_not_called_true() -> None:
    """Nothing hangs on its terms: another clock, other options or seats read just as well."""
    lines = told(registry.game("tides-of-time"), "cancelled").lines
    for log in (lines, lines[:2]):  # taken away, or still open
        report = examine(log)
        assert report.verdict() == report.verdict(signed=True) == "nothing_played"
        assert report.demand() is report, "nothing speaks against it either"
    assert forged(lines, "opened", listed=False) == "nothing_played"
    assert forged(lines, "cancelled", by="account:mallory") == "forged"
    for name in ("forked", "moved"):
        assert examine(told(registry.game("tides-of-time"), name).lines).verdict() == "valid"


@pytest.mark.parametrize(
    "terms",
    [
        {"clock": {"kind": "sundial", "seconds": 60}},
        {"clock": {"kind": "per_move", "seconds": 0}},
        {"clock": {"kind": "per_move", "seconds": 60, "timeout": "death"}},
        {"clock": {"kind": "bank", "seconds": 60, "cap": 30}},
        {"clock": {"kind": "per_move", "seconds": 60, "remark": "won"}},
        {"places": [{"kind": "person"}]},
        {"places": [{"kind": "person"}, {"kind": "throne"}]},
        {"places": [{"kind": "open"}] * 9},
        {"options": {"cheat": True}},
        {"listed": "perhaps"},
        {"version": 99},
        {"revision": -1},
    ],
)
def test_a_table_that_was_cancelled_had_terms_that_can_be(terms: dict[str, object]) -> None:
    lines = told(registry.game("tides-of-time"), "cancelled").lines
    assert forged(lines, "opened") == "nothing_played"
    with suppress(BadLog):  # what cannot even be read
        assert forged(lines, "opened", **terms) in ("forged", "cannot_be_checked")


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
