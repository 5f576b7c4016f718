"""What chance does: the order of the setup's draws, and refills as if tokens were drawn one by one."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace

from engine.game import Illegal, Odds, begin
from engine.games.babylonia import GAME
from engine.games.babylonia.facts import CardsOffered, Drew, FirstSeat, SetUp, TileLaid, TurnBegan
from engine.games.babylonia.model import Options, Player, State
from engine.games.babylonia.supply import refill, wanting
from tests.games.playing import Step


def _first(odds: Odds[Any], n: int) -> Any:
    return odds.at(0)


def test_the_order_of_the_draws() -> None:
    """BA-17: first seat, tiles, cards of the variant, then every seat's tokens."""
    state, facts = begin(GAME, 2, Options(ziggurat_cards="random7"), _first)
    kinds = [SetUp, FirstSeat, *[TileLaid] * 18, CardsOffered, Drew, Drew, TurnBegan]
    assert [type(fact) for fact in facts] == kinds
    assert [fact.n for fact in facts[1:-1]] == list(range(22))
    assert state.draws == 22
    assert [fact.seat for fact in facts if isinstance(fact, Drew)] == [0, 1]


def test_what_the_options_fix_is_not_drawn() -> None:
    """BA-14, BA-90."""
    state, facts = begin(GAME, 3, Options(first_player=2), _first)
    assert facts[1] == FirstSeat(2)
    assert facts[28:29] == [fact for fact in facts if isinstance(fact, CardsOffered)]
    assert facts[28] == CardsOffered((1, 2, 3, 4, 5, 6, 7))
    assert state.draws == 26 + 3
    assert (state.seat, state.turn_number) == (2, 0)


@pytest.mark.parametrize("seat", [-1, 3, 10**30])
def test_a_first_player_who_is_not_there(seat: int) -> None:
    """BA-90."""
    with pytest.raises(Illegal) as refused:
        GAME.start(3, Options(first_player=seat))
    assert refused.value.code == "bad_options"
    assert "first_player" in GAME.words.refusal("bad_options", refused.value.params, "cs")


def test_the_variant_offers_seven_of_nine() -> None:
    """BA-91: every choice of two cards that stay out is equally likely."""
    state = begin(GAME, 2, Options(ziggurat_cards="random7"), _first)[0]
    odds = GAME.odds(replace(state, phase="setup", offer=0))
    assert odds.weights is None
    assert len({outcome.cards for outcome in odds.outcomes}) == comb(9, 7)
    assert all(list(outcome.cards) == sorted(set(outcome.cards)) for outcome in odds.outcomes)


@pytest.mark.parametrize("supply", [(1, 0, 2, 3), (2, 1, 0, 0), (0, 0, 0, 1), (6, 0, 1, 0)])
@pytest.mark.parametrize("held", [0, 2, 3, 4])
def test_a_refill_has_the_odds_of_drawing_one_by_one(
    supply: tuple[int, ...], held: int, played: list[list[Step]]
) -> None:
    """BA-60: a mixture's weight is the share of the orders of the supply that begin with it."""
    state = _with_player(played[0][0].after, Player(stand=(held, 0, 0, 0), supply=supply))
    odds = refill(state, 0)
    tokens = [kind for kind, count in enumerate(supply) for _ in range(count)]
    count = min(5 - held, len(tokens))
    found = Counter(_mixture(order) for order in permutations(tokens, count))
    orders = sum(found.values())
    assert odds.weights is not None
    for outcome, weight in zip(odds.outcomes, odds.weights, strict=True):
        assert outcome.seat == 0
        assert Fraction(weight, odds.total) == Fraction(found[outcome.tokens], orders)
    assert {outcome.tokens for outcome in odds.outcomes} >= set(found)


def _mixture(kinds: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(kinds.count(kind) for kind in range(4))


def _with_player(state: State, player: Player) -> State:
    return replace(state, phase="refill", seat=0, players=(player, *state.players[1:]))


@pytest.mark.parametrize(
    ("stand", "supply", "cards", "draws"),
    [
        (3, 9, 0, 2),
        (3, 1, 0, 1),
        (5, 9, 0, 0),
        (7, 9, 0, 0),
        (0, 0, 0, 0),
        (5, 9, 1 << 3, 2),
        (2, 9, 1 << 3, 5),
    ],
)
def test_how_many_tokens_are_drawn(stand: int, supply: int, cards: int, draws: int) -> None:
    """BA-60, BA-83."""
    player = Player(stand=(0, 0, 0, stand), supply=(supply, 0, 0, 0), cards=cards)
    assert wanting(player) == draws
