"""Section 14: stands and river tokens are their seat's own, in views, events, errors and lists of actions."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from engine import codec
from engine.chance import quick
from engine.game import Illegal, begin, play
from engine.games.babylonia import GAME
from engine.games.babylonia.content import BITS, CELLS, FARMER, RIVER
from engine.games.babylonia.facts import CardsOffered, Drew, FirstSeat, Placed, PlacingEnded, TileLaid
from engine.games.babylonia.model import Action, Done, Options, Place, State
from engine.games.babylonia.position import position as state_of
from tests.games.babylonia import positions
from tests.games.babylonia.positions import SEEDS
from tests.games.playing import Step

ON_RIVER = (5, 2)


def _told(state: State, seat: int, action: Action, viewer: int | None) -> list[Any]:
    """An action and its facts as somebody else reads them, or the refusal."""
    try:
        facts = GAME.decide(state, seat, action)
    except Illegal as refusal:
        return [refusal.code, sorted(refusal.params)]
    return [codec.encode(GAME.redact(item, viewer)) for item in (action, *facts)]


def test_what_others_read_does_not_depend_on_what_they_may_not_know(played: list[list[Step]]) -> None:
    """BA-103, BA-104: a twin world in which only secrets differ tells everybody else the same."""
    compared = 0
    for number, match in enumerate(played):
        rng = Random(number)
        for step in match[1::5]:
            others = [viewer for viewer in (*range(len(step.after.players)), None) if viewer != step.seat]
            viewer = rng.choice(others)
            twin = GAME.determinise(GAME.view(step.before, viewer), rng)
            action = _same_outside(twin, step.seat, step.action)
            if action is not None:
                told = _told(step.before, step.seat, step.action, viewer)
                assert _told(twin, step.seat, action, viewer) == told
                compared += 1
    assert compared > 100


def _same_outside(twin: State, seat: int, action: Action) -> Action | None:
    """The action that looks the same to others: on a river any kind does, else it must be possible."""
    if isinstance(action, Place) and BITS[CELLS[action.hex]] & RIVER:
        return next(a for a in GAME.legal(twin, seat) if isinstance(a, Place) and a.hex == action.hex)
    return action if action in GAME.legal(twin, seat) else None


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_river_token_looks_the_same_whatever_it_is(viewer: int | None) -> None:
    """BA-37, BA-103."""
    seen = []
    for kind in ("priest", "servant", "merchant", "farmer"):
        stands = [[kind, "farmer", "farmer", "farmer", "farmer"], ["priest"] * 5, ["priest"] * 5]
        state = state_of(_described(stands))
        action = Place(kind, ON_RIVER)
        after, facts = play(GAME, state, 0, action, quick(Random(3)))
        told = [codec.encode(GAME.redact(item, viewer)) for item in (action, *facts)]
        legal = [] if viewer is None else list(GAME.legal(after, viewer))
        refused = [_told(after, viewer or 1, Place("priest", ON_RIVER), viewer), legal]
        seen.append((told, codec.encode(GAME.view(after, viewer)), refused))
    assert all(one == seen[0] for one in seen)
    assert seen[0][0][0] == b'{"hex":[5,2],"token":null,"type":"place"}'


def _described(stands: list[list[str]]) -> dict[str, Any]:
    return {
        "players": 3,
        "seat": 0,
        "turn_number": 10,
        "tiles": [{"hex": [7, 6], "kind": "city_mp"}, {"hex": [6, -1], "kind": "city_p"}],
        "tokens": [],
        "stands": stands,
        "supplies": [["farmer"]] * 3,
        "cards": {"available": [1, 2], "owned": [[], [], []]},
        "score": [0, 0, 0],
        "city_tiles": [[], [], []],
    }


def test_only_its_seat_reads_what_was_drawn(played: list[list[Step]]) -> None:
    """BA-101: everybody else reads how many."""
    drawn = [fact for match in played for step in match for fact in step.facts if isinstance(fact, Drew)]
    assert len(drawn) > 1000
    for fact in drawn:
        assert GAME.redact(fact, fact.seat) == fact
        for viewer in {0, 1, None} - {fact.seat}:
            assert GAME.redact(fact, viewer) == Drew(fact.seat, fact.n, len(fact.tokens), None)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_the_end_of_placing_does_not_tell_what_is_left_on_the_stand(seed: int) -> None:
    """BA-35, BA-104: same tokens placed, another rest: others read the same facts."""
    rng = Random(seed)
    described = positions.position(rng)
    seat, stands = described["seat"], described["stands"]
    kinds = [rng.choice(["farmer", "farmer", "priest", "servant"]) for _ in range(len(stands[seat]))]
    split = rng.randint(1, len(kinds))
    rests = [[rng.choice(["farmer", "merchant"]) for _ in kinds[split:]] for _ in range(2)]
    states = [_with_stand(described, kinds[:split] + rest) for rest in rests]
    while True:
        options = [{a for a in GAME.legal(s, seat) if _uses(a, kinds[:split])} for s in states]
        both = sorted(options[0] & options[1], key=repr)
        if not both:
            return
        action = rng.choice(both)
        told = [_told(state, seat, action, (seat + 1) % 2) for state in states]
        assert told[0] == told[1]
        facts = [GAME.decide(state, seat, action) for state in states]
        if isinstance(action, Done) or any(isinstance(fact, PlacingEnded) for fact in facts[0]):
            return
        kinds.remove(action.token)
        split -= 1
        states = [GAME.evolve(state, told[0]) for state, told in zip(states, facts, strict=True)]


def _with_stand(described: dict[str, Any], stand: list[str]) -> State:
    seat = described["seat"]
    stands = [stand if s == seat else held for s, held in enumerate(described["stands"])]
    return state_of(described | {"stands": stands})


def _uses(action: Action, kinds: list[str]) -> bool:
    return isinstance(action, Done) or (isinstance(action, Place) and action.token in kinds)


def test_views_keep_private_what_is_private(played: list[list[Step]]) -> None:
    """BA-100, BA-101."""
    for match in played[::4]:
        for step in match[::10]:
            for viewer in (*range(len(step.after.players)), None):
                for seat, player in enumerate(GAME.view(step.after, viewer).players):
                    private = (player.stand, player.supply, player.face_down_kinds)
                    assert all((part is not None) == (seat == viewer) for part in private)


def test_a_guess_varies_what_is_hidden_and_keeps_ones_own() -> None:
    """BA-101: the guessed worlds differ from each other, and never in what the seat itself holds."""
    rng = Random(1)
    state, _ = begin(GAME, 2, Options(first_player=0), quick(rng))
    state, _ = play(GAME, state, 0, next(a for a in GAME.legal(state, 0) if a.hex == ON_RIVER), quick(rng))
    guesses = [GAME.determinise(GAME.view(state, 1), rng) for _ in range(60)]
    assert len({guess.players[0].boards for guess in guesses}) == 4
    assert len({guess.players[0].stand for guess in guesses}) > 10
    assert {guess.players[1] for guess in guesses} == {state.players[1]}


def test_a_guess_knows_that_a_farmer_must_follow() -> None:
    """BA-34: after a noble and two farmers with card 5 the seat still holds a farmer."""
    described = _described(
        [["farmer", "farmer", "farmer", "priest", "merchant"], ["farmer"] * 5, ["farmer"] * 5]
    )
    state = state_of(described | {"cards": {"available": [1], "owned": [[5], [], []]}})
    for token, at in (("priest", (5, 0)), ("farmer", (5, -1)), ("farmer", (4, 0))):
        state = GAME.evolve(state, GAME.decide(state, 0, Place(token, at))[0])
    for viewer in (1, None):
        for seed in range(40):
            guess = GAME.determinise(GAME.view(state, viewer), Random(seed))
            assert guess.players[0].stand[FARMER] > 0
            assert GAME.legal(guess, 0)


@pytest.mark.parametrize(
    ("fact", "reveals"),
    [
        (Placed(0, (5, 0), "priest"), True),
        (Placed(0, ON_RIVER, "priest", True), False),
        (Drew(0, 7, 1, ("farmer",)), True),
        (TileLaid(3, (7, 6), "city_p"), True),
        (FirstSeat(1, 0), True),
        (FirstSeat(1), False),
        (CardsOffered((1, 2), 20), True),
        (CardsOffered((1, 2)), False),
        (PlacingEnded(0, ()), False),
    ],
)
def test_what_undo_cannot_take_back(fact: Any, reveals: bool) -> None:
    assert GAME.reveals(fact) is reveals
