"""Akropolis, AK-15 to AK-36 and AK-53 to AK-62: who may do what, and what follows."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.akropolis.builds import Choices
from engine.games.akropolis.content import DISTRICTS, QUARRY, SETUPS
from engine.games.akropolis.evolve import evolve, sides
from engine.games.akropolis.geometry import ROTATIONS
from engine.games.akropolis.model import (
    Action,
    Build,
    Built,
    Drawn,
    Fact,
    NextRound,
    Opened,
    Options,
    Score,
    Scored,
    SetUp,
    SoloLevel,
    State,
)
from engine.games.akropolis.plan import Plan, plan_of
from engine.games.akropolis.scoring import score, variants
from engine.games.akropolis.solo import architect_score, take
from engine.kit import ranking

ARCHITECT = 1  # whose turn it is in a solo match when it is not the player's
EASY: SoloLevel = "hippodamos"
RULE = {"house": "AK-43", "market": "AK-44", "barracks": "AK-45", "temple": "AK-46", "garden": "AK-47"}
FIELDS = ("slot", "q", "r", "rotation")

_ONE = tuple(frozenset({seat}) for seat in range(4))


def start(seats: int, options: Options) -> Sequence[Fact]:
    """AK-15 to AK-19: the tiles come from chance, and the first seat too unless it is given."""
    if seats == 1:
        options = replace(options, solo_level=options.solo_level or EASY, first_seat=options.first_seat or 0)
    elif options.solo_level is not None:
        raise Illegal("bad_options", option="solo_level")  # AK-S1: one seat only
    if seats == 4:
        options = replace(options, long_game=False)  # AK-55
    if options.first_seat is None:
        return [SetUp(seats, options)]
    if options.first_seat >= seats:
        raise Illegal("bad_options", option="first_seat")  # AK-56
    return [SetUp(seats, options), _opened(seats, options.first_seat, None)]


def _opened(seats: int, first: int, n: int | None) -> Opened:
    """AK-18: 1, 2, 3, 4 stones in turn order."""
    stones = SETUPS[seats, False].stones
    return Opened(first, tuple(stones[(seat - first) % seats] for seat in range(seats)), n)


def to_act(state: State) -> frozenset[int]:
    """AK-21."""
    if state.phase == "build":
        return _ONE[state.turn]
    return NOBODY if state.phase == "over" else ONLY_CHANCE


def legal(state: State, seat: int) -> Sequence[Action]:
    """AK-32; to take none, or to put one away, is not among them (AK-A18)."""
    if state.phase != "build" or seat != state.turn:
        return []
    plan = plan_of(state.cities[seat])
    return Choices(min(len(state.site), state.stones[seat] + 1), plan.placements, plan.frame)


def odds(state: State) -> Odds[int]:
    """AK-19: any seat may be first; any tile that is left may be next. No client can post a bare number."""
    return Odds(range(len(state.cities)) if state.phase == "open" else state.deck)


def parse(state: State, seat: int, raw: Any) -> Action:
    """AK-61, shape only: `unknown_action`, `bad_field`."""
    if not isinstance(raw, dict) or raw.get("type") != "build":
        kind = raw.get("type") if isinstance(raw, dict) else None
        raise Illegal("unknown_action", type=kind[:40] if isinstance(kind, str) else "-")
    for field in FIELDS:
        if type(raw.get(field)) is not int:  # True is no integer here
            raise Illegal("bad_field", field=field, expected="integer")
    for field in raw:
        if field not in FIELDS and field != "type":
            raise Illegal("bad_field", field=str(field)[:40], expected="nothing")
    action = Build(raw["slot"], raw["q"], raw["r"], raw["rotation"])
    _refuse_rotation(action)
    return action


def _refuse_rotation(action: Build) -> None:
    if action.rotation not in ROTATIONS:
        raise Illegal("bad_field", field="rotation", expected="rotation")


def decide(state: State, seat: int, action: Any) -> Sequence[Fact]:
    """A build and the automatic steps after it (section 6), or one draw."""
    drawn = seat == CHANCE and type(action) is not Build  # nobody may speak for chance
    fact = _chance(state, action) if drawn else _build(state, seat, action)
    if state.architect is not None:
        return [fact, *_follow_up(evolve(state, fact))]
    if drawn or len(state.site) > 2:
        return [fact]  # AK-33
    return [fact, _next_round(state) if state.deck else final_scoring(evolve(state, fact))]


def _chance(state: State, outcome: int) -> Fact:
    if state.phase == "open":
        return _opened(len(state.cities), outcome, state.draws)
    return Drawn(outcome, state.draws)


def _build(state: State, seat: int, action: Build) -> Built:
    """AK-22 to AK-31: paying comes first, stones for covered quarries last, as many as there are (AK-A7)."""
    refuse_turn(state, seat)
    _refuse_rotation(action)
    _refuse_slot(state, action.slot)
    level, gained = rest(plan_of(state.cities[seat]), action)
    tile = state.site[action.slot]
    return Built(seat, tile, action.q, action.r, action.rotation, level, action.slot, gained)


def refuse_turn(state: State, seat: int) -> None:
    """The first two lines of AK-62."""
    if state.phase == "over":
        raise Illegal("game_over")
    if seat != state.turn or state.phase != "build":
        raise Illegal("not_your_turn", seat=state.turn)


def _refuse_slot(state: State, slot: int) -> None:
    """AK-13, AK-23, AK-24."""
    if not 0 <= slot < len(state.site):
        raise Illegal("no_such_slot", slot=slot, count=len(state.site))
    stones = state.stones[state.turn]
    if slot > stones:
        raise Illegal("not_enough_stones", cost=slot, stones=stones)


def rest(plan: Plan, action: Build) -> tuple[int, int]:
    """AK-26 to AK-28, AK-31: the level the tile comes to rest on, and how many quarries it covers."""
    frame = plan.frame
    bit = frame.bit(action.q, action.r, action.rotation)
    if bit is None or not plan.touched >> bit & 1:
        raise Illegal("not_adjacent")
    if not plan.blocked >> bit & 1:
        return 1, 0
    tile = frame.tile(action.q, action.r, action.rotation)
    below = [level for level, spots in enumerate(plan.levels) if spots & tile]
    if tile & plan.built != tile:
        raise Illegal("overhang")
    if len(below) > 1:
        raise Illegal("uneven_ground")
    if not plan.raised >> bit & 1:
        raise Illegal("single_support")
    return below[0] + 1, (tile & plan.hexes[QUARRY]).bit_count()


def _follow_up(state: State) -> list[Fact]:
    """AK-S3: what happens in a solo match until the player or chance is asked."""
    facts: list[Fact] = []
    while (fact := _automatic(state)) is not None:
        facts.append(fact)
        state = evolve(state, fact)
    return facts


def _automatic(state: State) -> Fact | None:
    if state.phase != "build":
        return None
    if len(state.site) == 1:
        return _next_round(state) if state.deck else final_scoring(state)
    if state.architect is not None and state.turn == ARCHITECT:
        return take(state.architect, state.site)
    return None


def _next_round(state: State) -> NextRound:
    """AK-34, AK-35: one tile is left; the token passes, and chance refills the site."""
    return NextRound(state.round + 1, (state.chief + 1) % sides(state))


def final_scoring(state: State) -> Scored:
    """AK-36, AK-53; the same at any time, for the live score."""
    chosen = variants(state.options)
    scores = tuple(
        score(plan_of(city), stones, chosen) for city, stones in zip(state.cities, state.stones, strict=True)
    )
    if state.architect is None:
        return Scored(scores)
    return Scored(scores, architect_score(state.architect, state.options.solo_level or EASY, chosen))


def result(state: State) -> Result | None:
    """AK-54, AK-S8."""
    if state.final is None:
        return None
    scores, rival = state.final.scores, state.final.architect
    places = rank(scores)
    winners = ranking.winners(places)
    if rival is not None and not _strength(scores[0]) > _strength(rival):
        winners = ()
    return Result(tuple(s.total for s in scores), places, winners, tuple(map(_lines, scores)))


def rank(scores: Sequence[Score]) -> tuple[int, ...]:
    """AK-54: by total, then by stones; equals share a place (AK-A10)."""
    return ranking.places([_strength(score) for score in scores])


def _strength(score: Score) -> tuple[int, int]:
    return score.total, score.stones


def _lines(score: Score) -> tuple[Line, ...]:
    """The score pad, in its printed order; value and stars are part of what a line is for."""
    pad = [(name, score.districts[name]) for name in DISTRICTS if name in score.districts]
    lines = [Line(f"{name}:{d.value}:{d.stars}", d.points, RULE[name]) for name, d in pad]
    return (*lines, Line("stones", score.stones, "AK-53"))
