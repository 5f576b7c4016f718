"""`verify` believes nothing; `audit` tells a change of rules from a change of dice."""

from collections.abc import Callable

import pytest

from bots.arena import Played, play_match
from bots.registry import bot
from engine import chance, codec, registry
from engine.log import BadLog
from engine.proof.rederive import examine
from engine.proof.verify import audit, read, split, verify

GAME = registry.game("tides-of-time")


@pytest.fixture(scope="module")
def played() -> Played:
    return play_match(GAME, GAME.Options(), ["random"] * 2, [bot("random")] * 2, "verify")


def rebuilt(lines: list[bytes], change: Callable[[int, dict[str, object]], None]) -> list[bytes]:
    """The log with some events changed and a chain that fits again: what a clever forger would do."""
    made: list[bytes] = []
    for number, line in enumerate(lines, 1):
        event = codec.decode(line)
        change(number, event)
        event["prev"] = codec.digest(made[-1]) if made else codec.ZERO
        made.append(codec.encode(event))
    return made


def test_an_honest_log_holds(played: Played) -> None:
    match, lines = read(played.export)
    verify(lines)
    assert match == played.match
    assert audit(lines).verdict == "same"


def swap_first_cards(number: int, event: dict[str, object]) -> None:
    if event["kind"] == "started":
        facts = event["facts"]
        assert isinstance(facts, list)
        facts[1]["card"], facts[6]["card"] = facts[6]["card"], facts[1]["card"]


def other_seed(number: int, event: dict[str, object]) -> None:
    if event["kind"] == "opened":
        event["seed"] = "22" * 32
    event["salt"] = chance.salt(b"\x22" * 32, number)


def other_seal(number: int, event: dict[str, object]) -> None:
    if event["kind"] == "opened":
        event["seal"] = "22" * 32


def other_salt(number: int, event: dict[str, object]) -> None:
    if number == 9:
        event["salt"] = "22" * 16


def other_score(number: int, event: dict[str, object]) -> None:
    if event["kind"] == "finished":
        event["result"]["scores"] = [99, 0]  # type: ignore[index]


def no_seed(number: int, event: dict[str, object]) -> None:
    event.pop("seed", None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (swap_first_cards, "other_dice"),
        (other_seed, "broken_seal"),
        (other_seal, "broken_seal"),
        (other_salt, "wrong_salt"),
        (other_score, "differs"),
        (no_seed, None),
    ],
)
def test_a_forged_log_is_found_out(
    played: Played, change: Callable[[int, dict[str, object]], None], code: str | None
) -> None:
    lines = rebuilt(played.lines, change)
    with pytest.raises(BadLog) as problem:
        verify(lines)
    assert code is None or problem.value.code == code


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda data: data[:-1], "cut_log"),
        (lambda data: data[: data.rindex(b"\n", 0, -1) + 1], "incomplete_log"),
        (lambda data: data.replace(b"{", b"{ ", 1), "not_canonical"),
        (lambda data: data.replace(b'"end":', b'"end":1', 1), "cut_log"),
        (lambda data: data.replace(b'"head":"', b'"head":"0', 1), "broken_chain"),
        (lambda data: data.replace(b'"head":', b'"redacted":true,"head":', 1), "not_canonical"),
        (lambda data: b"", "empty_log"),
        (lambda data: data + b"\n", "not_canonical"),
    ],
)
def test_a_damaged_file_is_refused(played: Played, damage: Callable[[bytes], bytes], code: str) -> None:
    with pytest.raises(BadLog) as problem:
        read(damage(played.export))
    assert problem.value.code == code


def test_a_redacted_export_is_incomplete(played: Played) -> None:
    closing = codec.encode({"end": 1, "head": "x", "redacted": True})
    with pytest.raises(BadLog) as problem:
        split(played.lines[0] + b"\n" + closing + b"\n")
    assert problem.value.code == "incomplete_log"


def test_an_audit_names_the_event_that_differs(played: Played) -> None:
    def cheat(number: int, event: dict[str, object]) -> None:
        if event["kind"] == "finished":
            return
        for fact in event.get("facts", ()):  # type: ignore[attr-defined]
            if fact["type"] == "scored":
                fact["totals"][0] += 1

    verdict = audit(rebuilt(played.lines, cheat))
    assert verdict.verdict == "differs"
    assert verdict.seq > 4


def test_of_no_events_the_first_is_missing() -> None:
    found = examine([]).checks["chain"]
    assert isinstance(found, BadLog)
    assert (found.line, found.code) == (1, "empty_log")
