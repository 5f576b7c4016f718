"""What holds in every position of every match, and how chance is weighed."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from engine.chance import prepared
from engine.game import CHANCE, Illegal, begin, play
from engine.games.machi_koro import GAME
from engine.games.machi_koro.content import ALL_LANDMARKS, COPIES, KINDS
from engine.games.machi_koro.legal import DICE
from engine.games.machi_koro.masks import closed_to, offered
from engine.games.machi_koro.model import Build, Built, Options, Rolled, Starter, State, Took, TvStation
from tests.games.playing import Step


def positions(played: list[list[Step]]) -> list[State]:
    return [step.after for match in played for step in match]


def test_no_card_is_ever_lost_or_made(played: list[list[Step]]) -> None:
    """MK-5, MK-6, MK-94: 84 cards and two of every seat, whatever is bought, turned or traded."""
    for state in positions(played):
        deck = state.deck or (0,) * len(KINDS)
        starting = [len(state.coins) if kind in ("wheat_field", "bakery") else 0 for kind in KINDS]
        found = [
            sum(row) + pile + down for row, pile, down in zip(state.owned, state.supply, deck, strict=True)
        ]
        assert found == [copies + more for copies, more in zip(COPIES, starting, strict=True)]


def test_coins_change_only_by_what_the_facts_say(played: list[list[Step]]) -> None:
    """MK-23 to MK-25, MK-51: coins move between seats; only income and buildings touch the bank."""
    for match in played:
        for before, _, facts, after, _ in match[1:]:
            bank = 0
            for fact in facts:
                payout = getattr(fact, "payout", None)
                bank += 0 if payout is None else sum(payout.blue) + payout.green
                bank -= fact.cost if isinstance(fact, Built) else 0
            assert sum(after.coins) == sum(before.coins) + bank
            assert min(after.coins) >= 0


def test_the_masks_follow_from_the_counts(played: list[list[Step]]) -> None:
    """MK-50, MK-72, MK-73."""
    for state in positions(played):
        limit = state.options.copy_limit
        assert state.open == offered(state.supply)
        for seat, mask in enumerate(state.closed):
            city = [row[seat] for row in state.owned]
            assert mask == closed_to(city, mask & ALL_LANDMARKS, limit)
            assert limit is None or max(city) <= limit


def test_the_market_holds_ten_kinds_while_the_deck_lasts(played: list[list[Step]]) -> None:
    """MK-70, MK-71."""
    for state in positions(played):
        if state.options.supply == "ten" and any(state.deck):
            assert sum(map(bool, state.supply)) == 10


def test_only_the_active_seat_may_act(played: list[list[Step]]) -> None:
    for state in positions(played):
        over = state.phase == "over"
        assert GAME.to_act(state) == (set() if over else {state.active})
        for seat in range(len(state.coins)):
            assert bool(GAME.legal(state, seat)) == (seat == state.active and not over)


def test_whoever_could_build_something_may_pass(played: list[list[Step]]) -> None:
    """MK-28, MK-53, MK-90."""
    for state in positions(played):
        if state.phase == "build":
            assert 2 <= len(GAME.legal(state, state.active)) <= 20


def test_the_winner_built_the_fourth_landmark(played: list[list[Step]]) -> None:
    """MK-60, MK-61: nobody else has four; the score is the number of landmarks."""
    for match in played:
        last, result = match[-1], GAME.result(match[-1].after)
        assert result is not None
        assert last.action.card in GAME.view(last.after, None).players[last.after.active].landmarks
        assert result.winners == (last.after.active,)
        assert list(result.places) == [1 if score == 4 else 2 for score in result.scores]
        assert [sum(line.points for line in lines) for lines in result.breakdown] == list(result.scores)
        assert all(GAME.result(step.before) is None for step in match)


def test_everything_is_public(played: list[list[Step]]) -> None:
    """MK-75: seats and spectators see the same."""
    for state in positions(played)[::50]:
        seen = [
            msgspec.structs.replace(GAME.view(state, seat), seat=None) for seat in range(len(state.coins))
        ]
        assert all(view == GAME.view(state, None) for view in seen)
    for step in played[0]:
        assert all(GAME.redact(fact, 1) is fact for fact in step.facts)


def test_exactly_what_chance_did_reveals(played: list[list[Step]]) -> None:
    for match in played:
        for step in match:
            assert all(GAME.reveals(fact) == hasattr(fact, "n") for fact in step.facts)


# --- chance ---------------------------------------------------------------------------------------------


def chances(state: State) -> dict[Any, Fraction]:
    odds = GAME.odds(state)
    weights = odds.weights or [1] * len(odds.outcomes)
    return {o: Fraction(w, odds.total) for o, w in zip(odds.outcomes, weights, strict=True)}


def fresh(options: Options, seats: int = 4) -> State:
    state = None
    for fact in GAME.start(seats, options):
        state = GAME.evolve(state, fact)
    assert state is not None
    return state


def test_every_seat_is_as_likely_to_begin() -> None:
    """MK-13, MK-92."""
    assert chances(fresh(Options(), 3)) == {Starter(seat): Fraction(1, 3) for seat in range(3)}


def test_one_die_and_two_dice_are_fair() -> None:
    one = fresh(Options(first_seat=0))
    assert chances(one) == {DICE[face,]: Fraction(1, 6) for face in range(1, 7)}
    two = chances(msgspec.structs.replace(one, phase="two_dice"))
    assert set(two) == {DICE[faces] for faces in product(range(1, 7), repeat=2)}
    assert Counter(dice.total for dice in two)[7] == 6
    assert sum(dice.double for dice in two) == 6


def test_a_card_is_turned_as_often_as_it_is_in_the_deck() -> None:
    """MK-70: drawing from the multiset is drawing from a shuffled deck."""
    state = fresh(Options(supply="ten"))
    first = chances(state)
    assert list(first.values()) == [Fraction(copies, 84) for copies in COPIES]
    wheat = next(iter(first))
    (turned,) = GAME.decide(state, CHANCE, wheat)
    assert chances(GAME.evolve(state, turned))[wheat] == Fraction(5, 83)


def test_market_before_first_seat_before_dice() -> None:
    """MK-13."""
    asked: list[str] = []

    def watching(odds: Any, n: int) -> Any:
        outcome = odds.outcomes[n % len(odds.outcomes)]
        asked.append(type(outcome).__name__)
        return outcome

    begin(GAME, 3, Options(supply="ten"), watching)
    assert list(dict.fromkeys(asked)) == ["TopCard", "Starter", "Dice"]


# --- facts ----------------------------------------------------------------------------------------------


def test_a_roll_tells_who_paid_whom_and_what_for() -> None:
    """MK-23, MK-24: seat 0 has a bakery and 3 coins; nobody has a café yet, everybody a wheat field."""
    pick = prepared([DICE[3,]])
    _, facts = begin(GAME, 2, Options(first_seat=0), pick)
    (rolled,) = [fact for fact in facts if isinstance(fact, Rolled)]
    assert msgspec.to_builtins(rolled) == {
        "type": "rolled",
        "seat": 0,
        "n": 0,
        "dice": (3,),
        "then": "build",
        "payout": {"coins": (4, 3), "green": 1},
    }


def test_with_one_opponent_the_tv_station_is_a_fact_of_its_own(played: list[list[Step]]) -> None:
    """MK-26."""
    duels = [step for match in played for step in match if len(step.after.coins) == 2]
    taken = [fact for step in duels for fact in step.facts if isinstance(fact, Took)]
    assert taken
    assert all(fact.target == 1 - fact.seat for fact in taken)
    assert not any(isinstance(step.action, TvStation) for step in duels)


def test_one_event_may_pass_over_any_number_of_turns() -> None:
    """MK-30: a loop, however long it takes until somebody can build."""
    state = fresh(Options(first_seat=0), 2)
    owned = ((0, 1), *((0, 0),) * (len(KINDS) - 1))
    state = msgspec.structs.replace(state, phase="build", coins=(1, 0), owned=owned)
    dice = [DICE[6,]] * 3000 + [DICE[1,]]
    after, facts = play(GAME, state, 0, Build("ranch"), prepared(dice))
    assert (after.turn, after.active, after.phase) == (state.turn + 3001, 1, "build")
    assert len(facts) == 3002


def test_the_first_seat_must_exist() -> None:
    with pytest.raises(Illegal, match="bad_options"):
        begin(GAME, 2, Options(first_seat=2), prepared([]))
