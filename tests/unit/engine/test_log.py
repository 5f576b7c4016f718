"""The match log: a table from opening to result, and what does not fit into a log."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import chance, codec, registry
from engine.events import Holder, Place, Undone, reader, seen
from engine.log import BadLog, Match, Rewound, load
from engine.table import (
    LogWriter,
    NewTable,
    Refused,
    act,
    cancel,
    leave,
    open_match,
    reseal,
    resign,
    sit,
)
from tests.tables import seated

GAME = registry.game("tides-of-time")
ANNA, BERT, CYRIL = (Holder("person", f"account:{name}") for name in ("anna", "bert", "cyril"))
SEED = b"\1" * 32


def opened(holders: tuple[Holder | None, ...] = (ANNA, None)) -> LogWriter:
    writer = LogWriter(None, "2026-11-16T09:00:00.000Z", ANNA.id)
    new = NewTable("m1", [Place("open")] * len(holders), holders, SEED)
    open_match(writer, GAME.key, GAME.Options(), new)
    return writer


def playing(actions: int = 0) -> LogWriter:
    writer = opened((ANNA, BERT))
    for _ in range(actions):
        seat = writer.match.to_act[0]
        act(writer, seat, GAME.legal(writer.match.state, seat)[0])
    return writer


def kinds(writer: LogWriter) -> list[str]:
    return [codec.decode(line)["kind"] for line in writer.lines]


def test_a_table_starts_with_the_last_seat() -> None:
    writer = opened()
    assert (writer.match.status, writer.match.to_act) == ("open", [])
    sit(writer, 1, BERT, "my nonce")
    assert kinds(writer) == ["opened", "seated", "seated", "started"]
    assert writer.match.status == "running"
    assert writer.match.chairs[1].nonce == "my nonce"


def test_a_nonce_may_be_as_long_as_the_refusal_of_a_longer_one_says() -> None:
    with pytest.raises(Refused) as refused:
        sit(opened(), 1, BERT, "x" * 65)
    longest = "x" * refused.value.params["limit"]
    writer = opened()
    sit(writer, 1, BERT, longest)
    assert writer.match.chairs[1].nonce == longest


def test_nonces_change_the_dice() -> None:
    hands = []
    for nonce in ("a", "b"):
        writer = opened()
        sit(writer, 1, BERT, nonce)
        hands.append(writer.match.state.players[0].hand)
    assert hands[0] != hands[1]


def test_a_sitting_player_may_give_a_nonce_later() -> None:
    writer = opened()
    sit(writer, 0, ANNA, "later")
    assert kinds(writer)[-1] == "nonce"
    assert writer.match.chairs[0].nonce == "later"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (lambda writer: sit(writer, 0, BERT), "seat_taken"),
        (lambda writer: sit(writer, 1, ANNA), "already_seated"),
        (lambda writer: sit(writer, 2, BERT), "no_such_seat"),
        (lambda writer: sit(writer, -1, BERT), "no_such_seat"),
        (lambda writer: sit(writer, 1, BERT, "x" * 65), "bad_nonce"),
        (lambda writer: sit(writer, 1, BERT, "a,b"), "bad_nonce"),
        (lambda writer: sit(writer, 1, BERT, "a\nb"), "bad_nonce"),
        (lambda writer: leave(writer, 0, BERT.id), "not_your_seat"),
        (lambda writer: cancel(writer, BERT.id), "forbidden"),
    ],
)
def test_what_an_open_table_refuses(command: Callable[[LogWriter], None], code: str) -> None:
    writer = opened()
    before = list(writer.lines)
    with pytest.raises(Refused) as refusal:
        command(writer)
    assert refusal.value.code == code
    assert writer.lines == before


def test_leaving_frees_the_seat_and_cancelling_ends_the_table() -> None:
    writer = opened()
    leave(writer, 0, ANNA.id)
    assert writer.match.chairs[0].holder is None
    cancel(writer, ANNA.id)
    assert writer.match.status == "cancelled"
    with pytest.raises(Refused, match="not_open"):
        sit(writer, 0, ANNA)


def test_too_many_or_too_few_seats_are_refused() -> None:
    with pytest.raises(Refused, match="bad_seats"):
        opened((ANNA, BERT, CYRIL))


def test_the_load_of_the_lines_is_the_live_match() -> None:
    writer = playing(28)
    assert writer.match.status == "finished"
    assert load(writer.lines) == writer.match
    half = load(writer.lines[:12])
    assert load(writer.lines[12:], half) == writer.match


def test_a_turn_begins_with_the_event_that_put_the_seat_into_to_act() -> None:
    writer = playing()
    started = writer.match.seq
    assert writer.match.since == (started, started)
    act(writer, 0, GAME.legal(writer.match.state, 0)[0])
    assert writer.match.since == (0, started)
    act(writer, 1, GAME.legal(writer.match.state, 1)[0])
    assert writer.match.since == (started + 2, started + 2)


def test_of_two_who_resigns_loses() -> None:
    writer = playing(3)
    resign(writer, 1, BERT.id)
    assert kinds(writer)[-2:] == ["resigned", "finished"]
    assert writer.match.result is not None
    assert (writer.match.result.winners, writer.match.result.how) == ((0,), "resigned")


def undo(writer: LogWriter, to: int) -> Match:
    match = writer.match
    event = Undone(v=1, match=match.id, seq=match.seq + 1, at="t", by="x", prev=match.head, to=to)
    return load([*writer.lines, codec.encode(event)])


def test_undo_brings_a_position_back_and_keeps_the_dice() -> None:
    writer = playing(7)
    past = load(writer.lines[:6])
    match = undo(writer, 6)
    assert match.state == past.state
    assert match.seq == writer.match.seq + 1
    assert all(since in (0, match.seq) for since in match.since)


def test_an_undo_behind_what_is_in_memory_asks_for_the_whole_log() -> None:
    writer = playing(7)
    match = writer.match
    event = Undone(v=1, match=match.id, seq=match.seq + 1, at="t", by="x", prev=match.head, to=5)
    with pytest.raises(Rewound):
        load([codec.encode(event)], match)


def test_others_read_events_without_secrets() -> None:
    writer = playing(1)
    line = writer.lines[-1]
    own, other, spectator = (seen(GAME, line, viewer, over=False) for viewer in (0, 1, None))
    assert own["action"]["card"]
    assert other["action"] == spectator["action"] == {"type": "play"}
    for event in (own, other, spectator):
        assert not {"salt", "seed", "cmd"} & set(event)
        assert event["hash"] == codec.digest(line)
    assert "seed" not in seen(GAME, writer.lines[0], 0, over=False)
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


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_was_played_is_what_its_log_folds_to(key: str) -> None:
    """The writer takes the state that the rules came to; a fold comes to the same by itself."""
    writer = seated(key)
    for _ in range(12):
        seat = writer.match.to_act[0]
        legal = writer.match.rules.legal(writer.match.state, seat)
        act(writer, seat, legal[len(writer.lines) % len(legal)])
        assert load(writer.lines) == writer.match


def test_a_fact_is_evolved_once_when_it_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    evolved: list[object] = []
    counting = replace(GAME, evolve=lambda state, fact: (evolved.append(fact), GAME.evolve(state, fact))[1])
    writer = playing()
    monkeypatch.setattr(Match, "rules", property(lambda _: counting))
    act(writer, 0, GAME.legal(writer.match.state, 0)[0])
    act(writer, 1, GAME.legal(writer.match.state, 1)[0])
    (first, _), (second, _) = writer.steps[-2:]
    assert evolved == [*first.facts, *second.facts]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kept", [True, False])
def test_a_match_whose_seed_is_known_goes_on_with_other_dice(kept: bool) -> None:
    """Whoever exported a log knows the seed in it: after an import nothing may follow from that one."""
    writer = playing(3)
    state, other = writer.match.state, b"\2" * 32
    reseal(writer, "m1", other, kept)
    goes_on = load(writer.lines)
    assert (goes_on.seal, goes_on.seed) == (chance.seal(other), other.hex())
    assert (goes_on.state, goes_on.status) == (state, "running")
    assert [chair.holder is not None for chair in goes_on.chairs] == [kept, kept]
