"""Ratings: published numbers, order, ties, tables of several, and who is not counted."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from engine.log import load
from engine.table import leave
from engine.tenure import hand_over
from engine.undo import answer, undo, waited_for
from infra.store.ratings import RatedResult
from service.memory.ratings import DEVIATION, KNOWN, LATELY_MS, MEAN, MOVES, Standing, fold, outcome, weight
from tests.tables import play_until, seated, step

MONTH = LATELY_MS
SETTLED = {name: Standing(matches=KNOWN) for name in "abc"}  # no newcomers: their results count in full


def result(players: str, places: list[int], at: int = 0) -> RatedResult:
    return RatedResult(f"m{at}", at, list(players), places)


def test_the_first_match_moves_as_published() -> None:
    """The example of the algorithm's other implementations: 25 +- 25/3 becomes 27.635 +- 8.066."""
    after = fold(SETTLED, [result("ab", [1, 2])])
    unit = DEVIATION / (25 / 3)
    assert after["a"].mean == pytest.approx(MEAN + unit * (27.63523138 - 25))
    assert after["b"].mean == pytest.approx(MEAN - unit * (27.63523138 - 25))
    assert after["a"].deviation == after["b"].deviation == pytest.approx(unit * 8.0655063)
    assert (after["a"].wins, after["b"].wins, after["b"].matches) == (1, 0, KNOWN + 1)


def test_a_tie_says_that_they_are_equal() -> None:
    even = fold({}, [result("ab", [1, 1])])
    assert even["a"] == even["b"]
    assert even["a"].mean == MEAN
    strong = {"a": Standing(1900.0, matches=KNOWN), "b": Standing(1100.0, matches=KNOWN)}
    after = fold(strong, [result("ab", [1, 1])])
    assert after["a"].mean < 1900
    assert after["b"].mean > 1100


def test_an_upset_moves_more_and_the_well_known_move_less() -> None:
    known = {
        "a": Standing(1700.0, 100.0**2, KNOWN),
        "b": Standing(1300.0, 100.0**2, KNOWN),
        "c": Standing(1300.0, matches=KNOWN),
    }
    expected = fold(known, [result("ab", [1, 2])])["a"].mean - 1700
    upset = 1700 - fold(known, [result("ab", [2, 1])])["a"].mean
    assert 0 < expected < upset
    against = fold(known, [result("bc", [2, 1])])
    assert abs(against["b"].mean - 1300) < abs(against["c"].mean - 1300)


def test_the_better_one_is_found_and_known_surely() -> None:
    rng = Random(1)
    games = [result("abc", [1, 2, 3] if rng.random() < 0.8 else [3, 1, 2], n * MONTH) for n in range(200)]
    after = fold({}, games)
    assert after["a"].mean > after["b"].mean > after["c"].mean
    assert after["a"].deviation < 100
    assert after["a"].low > after["b"].low


def test_a_bot_does_not_meet_itself() -> None:
    after = fold({}, [result("xax", [1, 2, 3])])
    assert (after["x"].matches, after["x"].wins) == (1, 1)
    assert after["a"].mean == pytest.approx(MEAN)  # between the two
    assert after["x"].mean == pytest.approx(MEAN)


def farm(results: list[RatedResult]) -> float:
    """What somebody gains by them."""
    return fold(SETTLED, results)["a"].mean - MEAN


def beaten(opponents: list[str]) -> list[RatedResult]:
    return [RatedResult(f"m{n}", n * 60_000, ["a", who], [1, 2]) for n, who in enumerate(opponents)]


def test_newcomers_who_let_themselves_be_beaten_bring_nothing() -> None:
    assert farm(beaten([f"new{n}" for n in range(25)])) == 0
    assert farm(beaten(["b"])) > 0


def test_the_same_opponent_again_and_again_brings_what_three_and_a_half_matches_do() -> None:
    once = farm(beaten(["b"]))
    assert once < farm(beaten(["b"] * 25)) <= 3.6 * once
    assert farm(beaten(["b"] * 1000)) <= 3.6 * once
    rarely = [RatedResult(f"m{n}", n * 6 * MONTH, ["a", "b"], [1, 2]) for n in range(10)]
    assert farm(rarely) > farm(beaten(["b"] * 10))  # friends who play now and then count


def test_one_more_meeting_says_as_much_as_is_published() -> None:
    """docs/ratings.md: 1/(1 + n/3)² after n meetings, which halve every 30 days."""
    now = result("ab", [1, 2], at=2 * MONTH)
    for meetings in (0, 1, 3, 10):
        just_now = {("a", "b"): (float(meetings), now.at)}
        assert weight(just_now, now, "a", "b", SETTLED["b"]) == pytest.approx(1 / (1 + meetings / 3) ** 2)
    earlier = {("a", "b"): (8.0, now.at - 60 * 24 * 3600 * 1000)}
    assert weight(earlier, now, "b", "a", SETTLED["a"]) == pytest.approx(1 / (1 + 2 / 3) ** 2)


def test_puppets_that_are_used_again_say_less_than_honest_opponents() -> None:
    puppets = beaten([f"p{n}" for n in range(5)] * 5)
    honest = fold({f"p{n}": Standing(matches=KNOWN) for n in range(25)}, beaten([f"p{n}" for n in range(25)]))
    assert farm(puppets) < (honest["a"].mean - MEAN) / 2


def test_our_own_bots_may_meet_as_often_as_they_like() -> None:
    many = [RatedResult(f"m{n}", n, ["bot:greedy", "bot:random"], [1, 2]) for n in range(50)]
    after = fold({}, many)
    assert after["bot:greedy"].mean - after["bot:random"].mean > 800


def test_what_one_fold_remembers_the_next_one_knows() -> None:
    results, met = beaten(["b"] * 10), {}
    at_once = fold(SETTLED, results)
    piecewise = SETTLED
    for one in results:
        piecewise = fold(piecewise, [one], met)
    assert piecewise == at_once


@pytest.mark.parametrize("moves", [0, MOVES - 1, MOVES])
def test_resigning_at_once_is_no_match(moves: int) -> None:
    writer = seated("machi-koro")
    rng = Random(3)
    acted = Counter()
    while min(acted[0], acted[1]) < moves:
        seat = writer.match.to_act[0]
        step(writer, rng)
        acted[seat] += 1
    leave(writer, 1, "account:b")
    assert writer.match.result.how == "resigned"
    assert (outcome(writer.match, writer.lines) is not None) is (moves == MOVES)


def finished(key: str = "machi-koro", **more):
    writer = seated(key, **more)
    rng = Random(3)
    while writer.match.status == "running":
        step(writer, rng)
    return writer


def test_a_match_counts_for_whom_its_seats_belong_to() -> None:
    match = finished(bots=(1,)).match
    counted = outcome(match)
    assert counted is not None
    assert counted.players == ["account:a", "bot:greedy"]
    assert counted.places == list(match.result.places)
    away = seated("machi-koro")
    hand_over(away, 1, "account:b")
    rng = Random(3)
    while away.match.status == "running":
        step(away, rng)
    assert outcome(away.match).players == ["account:a", "account:b"]


def test_what_does_not_count() -> None:
    match = finished().match
    assert outcome(match) is not None
    assert outcome(seated("machi-koro").match) is None  # not over
    assert outcome(replace(match, result=replace(match.result, how="abandoned"))) is None
    helped = seated("machi-koro")
    then = play_until(helped, lambda m: m.runner is not None and not m.run, Random(2))
    past = helped.match.seq - 1
    before = load(helped.lines[:past])
    undo(helped, then.runner, past, before)
    for seat in waited_for(helped.match):
        answer(helped, seat, True, before)
    rng = Random(3)
    while helped.match.status == "running":
        step(helped, rng)
    assert outcome(helped.match) is None
    assert outcome(finished("akropolis", seats=2, bots=(0, 1)).match) is None  # one bot against itself
