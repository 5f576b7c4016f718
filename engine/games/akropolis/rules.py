"""Akropolis, AK-15 to AK-36 and AK-53 to AK-62: who may do what, and what follows."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.game import CHANCE, NOBODY, ONLY_CHANCE, Illegal, Line, Odds, Result
from engine.games.akropolis.choices import Choices
from engine.games.akropolis.content import DATA, QUARRY, SETUPS
from engine.games.akropolis.evolve import evolve, sides
from engine.games.akropolis.geometry import ROTATIONS, covered
from engine.games.akropolis.model import (
    Action,
    Build,
    Built,
    Draw,
    Drawn,
    Fact,
    FirstSeat,
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

DRAWS = [Draw(tile) for tile in range(len(DATA["tiles"]) + 1)]
FIRST_SEATS = [FirstSeat(seat) for seat in range(4)]
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
    """AK-32."""
    if state.phase != "build" or seat != state.turn:
        return []
    plan = plan_of(state.cities[seat])
    return Choices(min(len(state.site), state.stones[seat] + 1), plan.placements, plan.frame)


def odds(state: State) -> Odds[FirstSeat | Draw]:
    """AK-19: any seat may be first; any tile that is left may be next."""
    if state.phase == "open":
        return Odds(FIRST_SEATS[: len(state.cities)])
    return Odds([DRAWS[tile] for tile in state.deck])


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
    if seat == CHANCE:
        fact, quiet = _chance(state, action), True
    else:
        fact, quiet = _build(state, seat, action), len(state.site) > 2  # AK-33
    if quiet and state.architect is None:
        return [fact]
    return [fact, *_follow_up(evolve(state, fact))]


def _chance(state: State, outcome: FirstSeat | Draw) -> Fact:
    if isinstance(outcome, FirstSeat):
        return _opened(len(state.cities), outcome.seat, state.draws)
    return Drawn(outcome.tile, state.draws)


def _build(state: State, seat: int, action: Build) -> Built:
    """AK-22 to AK-31: paying comes first, stones for covered quarries last."""
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
    """AK-23, AK-24."""
    if not 0 <= slot < len(state.site):
        raise Illegal("no_such_slot", slot=slot, count=len(state.site))
    stones = state.stones[state.turn]
    if slot > stones:
        raise Illegal("not_enough_stones", cost=slot, stones=stones)


def rest(plan: Plan, action: Build) -> tuple[int, int]:
    """AK-26 to AK-28, AK-31: the level the tile comes to rest on, and how many quarries it covers."""
    top = plan.top
    first, second, third = [top.get(spot) for spot in covered(action.q, action.r, action.rotation)]
    if first is None or second is None or third is None:
        if not (first is second is third):
            raise Illegal("overhang")
        if not plan.frame.has(plan.touched, action.q, action.r, action.rotation):
            raise Illegal("not_adjacent")
        return 1, 0
    if not first.level == second.level == third.level:
        raise Illegal("uneven_ground")
    if first.tile == second.tile == third.tile:
        raise Illegal("single_support")
    return first.level + 1, (first.hex == QUARRY) + (second.hex == QUARRY) + (third.hex == QUARRY)


def _follow_up(state: State) -> list[Fact]:
    """Section 6 and AK-S3: what happens without anybody's decision, one fact after the other."""
    facts: list[Fact] = []
    while (fact := _automatic(state)) is not None:
        facts.append(fact)
        state = evolve(state, fact)
    return facts


def _automatic(state: State) -> Fact | None:
    if state.phase != "build":
        return None
    if len(state.site) == 1:
        if not state.deck:
            return final_scoring(state)
        return NextRound(state.round + 1, (state.chief + 1) % sides(state))  # AK-34, AK-35
    if state.architect is not None and state.turn == ARCHITECT:
        return take(state.architect, state.site)
    return None


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
    """AK-54: by total, then by stones; equals share a place."""
    return ranking.places([_strength(score) for score in scores])


def _strength(score: Score) -> tuple[int, int]:
    return score.total, score.stones


def _lines(score: Score) -> tuple[Line, ...]:
    """The score pad; value and stars are part of what a line is for."""
    lines = [Line(f"{name}:{d.value}:{d.stars}", d.points, RULE[name]) for name, d in score.districts.items()]
    return (*lines, Line("stones", score.stones, "AK-53"))
