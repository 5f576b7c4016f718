"""The match log: a table from opening to result, and what does not fit into a log."""

from collections.abc import Callable

import pytest

from engine import codec, registry
from engine.events import Holder, Place, Undone, reader, seen
from engine.log import BadLog, Match, Rewound, load
from engine.table import (
    Pen,
    Refused,
    act,
    cancel,
    leave,
    open_match,
    resign,
    sit,
)

GAME = registry.game("tides-of-time")
ANNA, BERT, CYRIL = (Holder("person", f"account:{name}") for name in ("anna", "bert", "cyril"))
SEED = b"\1" * 32


def opened(holders: tuple[Holder | None, ...] = (ANNA, None)) -> Pen:
    pen = Pen(None, "2026-11-16T09:00:00.000Z", ANNA.id)
    open_match(pen, "m1", GAME.key, GAME.Options(), [Place("open")] * len(holders), holders, SEED)
    return pen


def playing(actions: int = 0) -> Pen:
    pen = opened((ANNA, BERT))
    for _ in range(actions):
        seat = pen.match.to_act[0]
        act(pen, seat, GAME.legal(pen.match.state, seat)[0])
    return pen


def kinds(pen: Pen) -> list[str]:
    return [codec.decode(line)["kind"] for line in pen.lines]


def test_a_table_starts_with_the_last_seat() -> None:
    pen = opened()
    assert (pen.match.status, pen.match.to_act) == ("open", [])
    sit(pen, 1, BERT, "my nonce")
    assert kinds(pen) == ["opened", "seated", "seated", "started"]
    assert pen.match.status == "running"
    assert pen.match.chairs[1].nonce == "my nonce"


def test_nonces_change_the_dice() -> None:
    hands = []
    for nonce in ("a", "b"):
        pen = opened()
        sit(pen, 1, BERT, nonce)
        hands.append(pen.match.state.players[0].hand)
    assert hands[0] != hands[1]


def test_a_sitting_player_may_give_a_nonce_later() -> None:
    pen = opened()
    sit(pen, 0, ANNA, "later")
    assert kinds(pen)[-1] == "nonce"
    assert pen.match.chairs[0].nonce == "later"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (lambda pen: sit(pen, 0, BERT), "seat_taken"),
        (lambda pen: sit(pen, 1, ANNA), "already_seated"),
        (lambda pen: sit(pen, 2, BERT), "no_such_seat"),
        (lambda pen: sit(pen, -1, BERT), "no_such_seat"),
        (lambda pen: sit(pen, 1, BERT, "x" * 65), "bad_nonce"),
        (lambda pen: sit(pen, 1, BERT, "a,b"), "bad_nonce"),
        (lambda pen: sit(pen, 1, BERT, "a\nb"), "bad_nonce"),
        (lambda pen: leave(pen, 0, BERT.id), "not_your_seat"),
        (lambda pen: cancel(pen, BERT.id), "forbidden"),
    ],
)
def test_what_an_open_table_refuses(command: Callable[[Pen], None], code: str) -> None:
    pen = opened()
    before = list(pen.lines)
    with pytest.raises(Refused) as refusal:
        command(pen)
    assert refusal.value.code == code
    assert pen.lines == before


def test_leaving_frees_the_seat_and_cancelling_ends_the_table() -> None:
    pen = opened()
    leave(pen, 0, ANNA.id)
    assert pen.match.chairs[0].holder is None
    cancel(pen, ANNA.id)
    assert pen.match.status == "cancelled"
    with pytest.raises(Refused, match="not_open"):
        sit(pen, 0, ANNA)


def test_too_many_or_too_few_seats_are_refused() -> None:
    with pytest.raises(Refused, match="bad_seats"):
        opened((ANNA, BERT, CYRIL))


def test_the_load_of_the_lines_is_the_live_match() -> None:
    pen = playing(28)
    assert pen.match.status == "finished"
    assert load(pen.lines) == pen.match
    half = load(pen.lines[:12])
    assert load(pen.lines[12:], half) == pen.match


def test_a_turn_begins_with_the_event_that_put_the_seat_into_to_act() -> None:
    pen = playing()
    started = pen.match.seq
    assert pen.match.since == (started, started)
    act(pen, 0, GAME.legal(pen.match.state, 0)[0])
    assert pen.match.since == (0, started)
    act(pen, 1, GAME.legal(pen.match.state, 1)[0])
    assert pen.match.since == (started + 2, started + 2)


def test_of_two_who_resigns_loses() -> None:
    pen = playing(3)
    resign(pen, 1, BERT.id)
    assert kinds(pen)[-2:] == ["resigned", "finished"]
    assert pen.match.result is not None
    assert (pen.match.result.winners, pen.match.result.how) == ((0,), "resigned")


def undo(pen: Pen, to: int) -> Match:
    match = pen.match
    event = Undone(v=1, match=match.id, seq=match.seq + 1, at="t", by="x", prev=match.head, to=to)
    return load([*pen.lines, codec.encode(event)])


def test_undo_brings_a_position_back_and_keeps_the_dice() -> None:
    pen = playing(7)
    past = load(pen.lines[:6])
    match = undo(pen, 6)
    assert match.state == past.state
    assert match.seq == pen.match.seq + 1
    assert all(since in (0, match.seq) for since in match.since)


def test_an_undo_behind_what_is_in_memory_asks_for_the_whole_log() -> None:
    pen = playing(7)
    match = pen.match
    event = Undone(v=1, match=match.id, seq=match.seq + 1, at="t", by="x", prev=match.head, to=5)
    with pytest.raises(Rewound):
        load([codec.encode(event)], match)


def test_others_read_events_without_secrets() -> None:
    pen = playing(1)
    line = pen.lines[-1]
    own, other, spectator = (seen(GAME, line, viewer, over=False) for viewer in (0, 1, None))
    assert own["action"]["card"]
    assert other["action"] == spectator["action"] == {"type": "play"}
    for event in (own, other, spectator):
        assert not {"salt", "seed", "cmd"} & set(event)
        assert event["hash"] == codec.digest(line)
    assert "seed" not in seen(GAME, pen.lines[0], 0, over=False)
    assert seen(GAME, line, 1, over=True)["salt"]


def change(lines: list[bytes], number: int, **fields: object) -> list[bytes]:
    event = {**codec.decode(lines[number - 1]), **fields}
    return [*lines[: number - 1], codec.encode(event), *lines[number:]]


@pytest.mark.parametrize(
    ("damage", "line", "code"),
    [
        (lambda lines: lines[:5] + lines[6:], 6, "out_of_order"),
        (lambda lines: [*lines[:5], lines[6], lines[5], *lines[7:]], 6, "out_of_order"),
        (lambda lines: change(lines, 5, at="2026-11-16T09:00:00.001Z"), 6, "broken_chain"),
        (lambda lines: change(lines, 5, match="m2"), 5, "foreign_event"),
        (lambda lines: change(lines, 5, kind="no such kind"), 5, "not_an_event"),
        (lambda lines: [*lines[:5], b"{", *lines[6:]], 6, "not_an_event"),
        (lambda lines: lines[1:], 1, "unknown_game"),
        (lambda lines: change(lines, 1, game="chess"), 1, "unknown_game"),
        (lambda lines: [], 1, "empty_log"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(
    damage: Callable[[list[bytes]], list[bytes]], line: int, code: str
) -> None:
    with pytest.raises(BadLog) as problem:
        load(damage(playing(6).lines))
    assert (problem.value.line, problem.value.code) == (line, code)


def test_facts_that_cannot_have_happened_are_named_with_their_line() -> None:
    lines = playing(2).lines
    event = codec.decode(lines[4])
    event["facts"] = [{"type": "revealed", "cards": ["molehill", "no such card"]}]
    with pytest.raises(BadLog) as problem:
        load([*lines[:4], codec.encode(event)])
    assert (problem.value.line, problem.value.code) == (5, "impossible")


def test_every_kind_of_event_is_decoded_by_its_tag() -> None:
    event = reader(GAME.key).decode(playing().lines[3])
    assert type(event).__name__ == "Started"
