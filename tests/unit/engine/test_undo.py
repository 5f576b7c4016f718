"""Undo in every game: free, asked of the others, refused by one of them."""

from random import Random

import pytest

from engine import codec, registry
from engine.events import reader
from engine.log import load
from engine.match import Match
from engine.proof.verify import verify
from engine.table import LogWriter, Refused, act
from engine.undo import answer, expire, free_to, undo, waited_for
from tests.tables import asker, play_until, player, seated, step

every_game = pytest.mark.parametrize("key", registry.GAMES)


def is_free(match: Match) -> bool:
    return free_to(match, match.runner) is not None


def is_closed(match: Match) -> bool:
    """Somebody has acted, and what they did cannot be taken back freely."""
    return match.runner is not None and not match.run


def closed(writer: LogWriter, rng: Random) -> tuple[Match, int, int]:
    """A match whose latest action cannot be taken back freely: who asks for it, and to where."""
    match = play_until(writer, lambda m: asker(m) is not None, rng)
    seat = asker(match)
    assert seat is not None
    return match, seat, match.seq - 1


def kinds(writer: LogWriter) -> list[str]:
    return [codec.decode(line)["kind"] for line in writer.lines]


def past(writer: LogWriter, to: int) -> Match:
    return load(writer.lines[:to])


@every_game
def test_own_latest_actions_are_free_while_nothing_is_revealed(key: str) -> None:
    writer = seated(key)
    match = play_until(writer, is_free, Random(1))
    seat, free = match.runner, free_to(match, match.runner)
    assert seat is not None
    assert free is not None
    before = past(writer, free[0])
    assert undo(writer, seat, free[0], before)
    assert kinds(writer)[-1] == "undone"
    assert writer.match.state == before.state
    assert writer.match.to_act == before.to_act
    assert not writer.match.assisted
    assert load(writer.lines) == writer.match  # the live match and the stored one agree
    assert free_to(match, 1 - seat if seat < 2 else 0) is None


@every_game
def test_others_are_asked_once_something_was_revealed_or_somebody_acted(key: str) -> None:
    writer = seated(key)
    match, seat, to = closed(writer, Random(2))
    before = past(writer, to)
    assert not undo(writer, seat, to, before)
    assert kinds(writer)[-1] == "undo_asked"
    others = waited_for(writer.match)
    assert others == [s for s in range(len(match.chairs)) if s != seat]
    for other in others:
        assert writer.match.state == match.state
        answer(writer, other, True, before)
    assert kinds(writer)[-1] == "undone"
    assert writer.match.state == before.state
    assert writer.match.assisted
    assert free_to(writer.match, seat) is None  # no free step further back after a peek
    assert load(writer.lines) == writer.match
    assert past(writer, match.seq).state == match.state  # the branch stays readable


def followed(key: str, rng: Random) -> tuple[LogWriter, int, int] | None:
    """A match in which somebody acts right after what another could have taken back freely."""
    writer = seated(key)
    while writer.match.status == "running":
        match = writer.match
        actor = step(writer, rng)
        if writer.match.status == "running" and is_free(match) and actor != match.runner:
            assert match.runner is not None
            return writer, match.runner, match.run[-1] - 1
    return None


@every_game
def test_who_acted_before_another_must_ask(key: str) -> None:
    """What was free while nobody followed is free no longer, even if nothing was revealed."""
    writer, seat, to = next(filter(None, (followed(key, Random(seed)) for seed in range(40))))
    assert free_to(writer.match, seat) is None
    assert not undo(writer, seat, to, past(writer, to))
    assert kinds(writer)[-1] == "undo_asked"
    assert seat not in waited_for(writer.match)


@every_game
def test_one_person_who_says_no_ends_the_question(key: str) -> None:
    writer = seated(key)
    match, seat, to = closed(writer, Random(3))
    undo(writer, seat, to, past(writer, to))
    answer(writer, waited_for(writer.match)[0], False, past(writer, to))
    assert writer.match.ask is None
    assert writer.match.state == match.state
    assert not writer.match.assisted
    with pytest.raises(Refused, match="nothing_asked"):
        answer(writer, 0, True, past(writer, to))


@every_game
def test_bots_agree_at_once(key: str) -> None:
    writer = seated(key, bots=(1,))
    match = play_until(writer, lambda m: asker(m) == 0, Random(4))
    to = match.seq - 1
    assert undo(writer, 0, to, past(writer, to))
    assert kinds(writer)[-2:] == ["undo_asked", "undone"]
    assert writer.match.assisted


@every_game
def test_the_same_chance_comes_again_after_an_undo(key: str) -> None:
    writer = seated(key)
    match, seat, to = closed(writer, Random(5))
    actor = match.runner
    assert actor is not None
    action = reader(key).decode(writer.lines[-1]).action
    writer.by = player(match, seat)
    undo(writer, seat, to, past(writer, to))
    for other in waited_for(writer.match):
        writer.by = player(writer.match, other)
        answer(writer, other, True, past(writer, to))
    writer.by = player(writer.match, actor)
    act(writer, actor, match.rules.parse(writer.match.state, actor, codec.decode(bytes(action))))
    assert writer.match.state == match.state
    verify(writer.lines)


def test_two_in_a_row_may_be_taken_back_one_by_one_or_together() -> None:
    writer = seated("tides-of-time")
    first = writer.match.seq
    for card in (0, 1):  # a choice, and another one instead of it
        act(writer, 0, writer.match.rules.legal(writer.match.state, 0)[card])
    assert free_to(writer.match, 0) == (first + 1, first)
    undo(writer, 0, first + 1, past(writer, first + 1))
    assert free_to(writer.match, 0) == (first, first)
    undo(writer, 0, first, past(writer, first))
    assert free_to(writer.match, 0) is None
    assert writer.match.since[1] == first  # who was waited for all along is still in the same turn


def test_a_question_ends_when_somebody_plays_on() -> None:
    writer = seated("machi-koro")
    match = play_until(writer, is_closed, Random(6))
    assert match.runner is not None
    undo(writer, match.runner, match.seq - 1, past(writer, match.seq - 1))
    assert writer.match.ask is not None
    step(writer, Random(1))
    assert writer.match.ask is None


def test_a_question_expires() -> None:
    writer = seated("machi-koro")
    match = play_until(writer, is_closed, Random(6))
    assert match.runner is not None
    undo(writer, match.runner, match.seq - 1, past(writer, match.seq - 1))
    expire(writer)
    assert writer.match.ask is None
    assert writer.match.state == match.state
    expire(writer)
    assert kinds(writer).count("undo_answered") == 1


def test_what_undo_refuses() -> None:
    writer = seated("machi-koro")
    match = play_until(writer, is_closed, Random(7))
    seat = match.runner
    assert seat is not None
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(writer, seat, match.seq, match)
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(writer, seat, 1, past(writer, 1))
    with pytest.raises(Refused, match="nothing_asked"):
        answer(writer, 0, True, match)
    undo(writer, seat, match.seq - 1, past(writer, match.seq - 1))
    with pytest.raises(Refused, match="already_asked"):
        undo(writer, seat, match.seq - 1, past(writer, match.seq - 1))


def chosen_again(card: int) -> LogWriter:
    """Somebody chooses in secret, takes it back, and chooses again: the same card (0) or another one."""
    writer = seated("tides-of-time")
    first = writer.match.seq
    act(writer, 1, writer.match.rules.legal(writer.match.state, 1)[0])
    undo(writer, 1, first, past(writer, first))
    act(writer, 1, writer.match.rules.legal(writer.match.state, 1)[card])
    return writer


@pytest.mark.parametrize("back", [0, 1, 2])
def test_asking_tells_nothing_about_what_others_chose(back: int) -> None:
    """Whether the position asked for is the same as now, only who chose may know."""
    answers = []
    for card in (0, 1):
        writer = chosen_again(card)
        to = writer.match.seq - 3 + back
        answers.append((undo(writer, 0, to, past(writer, to)), kinds(writer), writer.match.ask))
    assert answers[0] == answers[1]


def test_what_was_taken_back_already_is_nothing_to_take_back() -> None:
    writer = seated("tides-of-time")
    first = writer.match.seq
    act(writer, 1, writer.match.rules.legal(writer.match.state, 1)[0])
    undo(writer, 1, first, past(writer, first))
    for to in (first, first + 1):  # both are followed by nothing that still counts
        for seat in (0, 1):
            with pytest.raises(Refused, match="nothing_to_undo"):
                undo(writer, seat, to, past(writer, to))
