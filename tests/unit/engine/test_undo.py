"""Undo in every game: free, asked of the others, refused by one of them."""

from random import Random

import pytest

from engine import codec, registry
from engine.events import reader
from engine.log import load
from engine.match import Match
from engine.table import Pen, Refused, act
from engine.undo import answer, expire, free_to, undo, waited_for
from engine.verify import verify
from tests.tables import play_until, player, seated, step

every_game = pytest.mark.parametrize("key", registry.GAMES)


def is_free(match: Match) -> bool:
    return free_to(match, match.runner) is not None


def is_closed(match: Match) -> bool:
    """Somebody has acted, and what they did cannot be taken back freely."""
    return match.runner is not None and not match.run


def kinds(pen: Pen) -> list[str]:
    return [codec.decode(line)["kind"] for line in pen.lines]


def past(pen: Pen, to: int) -> Match:
    return load(pen.lines[:to])


@every_game
def test_own_latest_actions_are_free_while_nothing_is_revealed(key: str) -> None:
    pen = seated(key)
    match = play_until(pen, is_free, Random(1))
    seat, free = match.runner, free_to(match, match.runner)
    assert seat is not None
    assert free is not None
    before = past(pen, free[0])
    assert undo(pen, seat, free[0], before)
    assert kinds(pen)[-1] == "undone"
    assert pen.match.state == before.state
    assert pen.match.to_act == before.to_act
    assert not pen.match.assisted
    assert load(pen.lines) == pen.match  # the live match and the stored one agree
    assert free_to(match, 1 - seat if seat < 2 else 0) is None


@every_game
def test_others_are_asked_once_something_was_revealed_or_somebody_acted(key: str) -> None:
    pen = seated(key)
    match = play_until(pen, is_closed, Random(2))
    seat, to = match.runner, match.seq - 1
    assert seat is not None
    before = past(pen, to)
    assert not undo(pen, seat, to, before)
    assert kinds(pen)[-1] == "undo_asked"
    others = waited_for(pen.match)
    assert others == [s for s in range(len(match.chairs)) if s != seat]
    for other in others:
        assert pen.match.state == match.state
        answer(pen, other, True, before)
    assert kinds(pen)[-1] == "undone"
    assert pen.match.state == before.state
    assert pen.match.assisted
    assert free_to(pen.match, seat) is None  # no free step further back after a peek
    assert load(pen.lines) == pen.match
    assert past(pen, match.seq).state == match.state  # the branch stays readable


def followed(key: str, rng: Random) -> tuple[Pen, int, int] | None:
    """A match in which somebody acts right after what another could have taken back freely."""
    pen = seated(key)
    while pen.match.status == "running":
        match = pen.match
        actor = step(pen, rng)
        if pen.match.status == "running" and is_free(match) and actor != match.runner:
            assert match.runner is not None
            return pen, match.runner, match.run[-1] - 1
    return None


@every_game
def test_who_acted_before_another_must_ask(key: str) -> None:
    """What was free while nobody followed is free no longer, even if nothing was revealed."""
    pen, seat, to = next(filter(None, (followed(key, Random(seed)) for seed in range(40))))
    assert free_to(pen.match, seat) is None
    assert not undo(pen, seat, to, past(pen, to))
    assert kinds(pen)[-1] == "undo_asked"
    assert seat not in waited_for(pen.match)


@every_game
def test_one_person_who_says_no_ends_the_question(key: str) -> None:
    pen = seated(key)
    match = play_until(pen, is_closed, Random(3))
    seat, to = match.runner, match.seq - 1
    assert seat is not None
    undo(pen, seat, to, past(pen, to))
    answer(pen, waited_for(pen.match)[0], False, past(pen, to))
    assert pen.match.ask is None
    assert pen.match.state == match.state
    assert not pen.match.assisted
    with pytest.raises(Refused, match="nothing_asked"):
        answer(pen, 0, True, past(pen, to))


@every_game
def test_bots_agree_at_once(key: str) -> None:
    pen = seated(key, bots=(1,))
    match = play_until(pen, lambda m: is_closed(m) and m.runner == 0, Random(4))
    to = match.seq - 1
    assert undo(pen, 0, to, past(pen, to))
    assert kinds(pen)[-2:] == ["undo_asked", "undone"]
    assert pen.match.assisted


@every_game
def test_the_same_chance_comes_again_after_an_undo(key: str) -> None:
    pen = seated(key)
    match = play_until(pen, is_closed, Random(5))
    seat, to = match.runner, match.seq - 1
    assert seat is not None
    action = reader(key).decode(pen.lines[-1]).action
    undo(pen, seat, to, past(pen, to))
    for other in waited_for(pen.match):
        pen.by = player(pen.match, other)
        answer(pen, other, True, past(pen, to))
    pen.by = player(pen.match, seat)
    act(pen, seat, match.rules.parse(pen.match.state, seat, codec.decode(bytes(action))))
    assert pen.match.state == match.state
    verify(pen.lines)


def test_two_in_a_row_may_be_taken_back_one_by_one_or_together() -> None:
    pen = seated("tides-of-time")
    first = pen.match.seq
    for card in (0, 1):  # a choice, and another one instead of it
        act(pen, 0, pen.match.rules.legal(pen.match.state, 0)[card])
    assert free_to(pen.match, 0) == (first + 1, first)
    undo(pen, 0, first + 1, past(pen, first + 1))
    assert free_to(pen.match, 0) == (first, first)
    undo(pen, 0, first, past(pen, first))
    assert free_to(pen.match, 0) is None
    assert pen.match.since[1] == first  # who was waited for all along is still in the same turn


def test_a_question_ends_when_somebody_plays_on() -> None:
    pen = seated("machi-koro")
    match = play_until(pen, is_closed, Random(6))
    assert match.runner is not None
    undo(pen, match.runner, match.seq - 1, past(pen, match.seq - 1))
    assert pen.match.ask is not None
    step(pen, Random(1))
    assert pen.match.ask is None


def test_a_question_expires() -> None:
    pen = seated("machi-koro")
    match = play_until(pen, is_closed, Random(6))
    assert match.runner is not None
    undo(pen, match.runner, match.seq - 1, past(pen, match.seq - 1))
    expire(pen)
    assert pen.match.ask is None
    assert pen.match.state == match.state
    expire(pen)
    assert kinds(pen).count("undo_answered") == 1


def test_what_undo_refuses() -> None:
    pen = seated("machi-koro")
    match = play_until(pen, is_closed, Random(7))
    seat = match.runner
    assert seat is not None
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(pen, seat, match.seq, match)
    with pytest.raises(Refused, match="nothing_to_undo"):
        undo(pen, seat, 1, past(pen, 1))
    with pytest.raises(Refused, match="nothing_asked"):
        answer(pen, 0, True, match)
    undo(pen, seat, match.seq - 1, past(pen, match.seq - 1))
    with pytest.raises(Refused, match="already_asked"):
        undo(pen, seat, match.seq - 1, past(pen, match.seq - 1))


def chosen_again(card: int) -> Pen:
    """Somebody chooses in secret, takes it back, and chooses again: the same card (0) or another one."""
    pen = seated("tides-of-time")
    first = pen.match.seq
    act(pen, 1, pen.match.rules.legal(pen.match.state, 1)[0])
    undo(pen, 1, first, past(pen, first))
    act(pen, 1, pen.match.rules.legal(pen.match.state, 1)[card])
    return pen


@pytest.mark.parametrize("back", [0, 1, 2])
def test_asking_tells_nothing_about_what_others_chose(back: int) -> None:
    """Whether the position asked for is the same as now, only who chose may know."""
    answers = []
    for card in (0, 1):
        pen = chosen_again(card)
        to = pen.match.seq - 3 + back
        answers.append((undo(pen, 0, to, past(pen, to)), kinds(pen), pen.match.ask))
    assert answers[0] == answers[1]


def test_what_was_taken_back_already_is_nothing_to_take_back() -> None:
    pen = seated("tides-of-time")
    first = pen.match.seq
    act(pen, 1, pen.match.rules.legal(pen.match.state, 1)[0])
    undo(pen, 1, first, past(pen, first))
    for to in (first, first + 1):  # both are followed by nothing that still counts
        for seat in (0, 1):
            with pytest.raises(Refused, match="nothing_to_undo"):
                undo(pen, seat, to, past(pen, to))
