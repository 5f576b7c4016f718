"""Rule cases of World Wonders: a described position, actions, and what must hold afterwards."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.game import CHANCE, Illegal, Pick, play
from engine.games.world_wonders import GAME, scoring
from engine.games.world_wonders.content import table
from engine.games.world_wonders.market import coins
from engine.games.world_wonders.model import (
    City,
    State,
)
from engine.games.world_wonders.position import build, opened, prepared
from engine.games.world_wonders.sight import objects
from engine.kit import ranking
from engine.kit.casework import bag, bare, differ, only

PLAIN = "round phase turn_order to_act over winners goals legal_count".split()
LISTS = "legal legal_has legal_lacks refused_now".split()
TABLES = "seats offer score goal_values goal_points solo".split()


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    given = {key: value for key, value in bare(case["given"]).items() if value is not None}
    expect = case.get("expect") or {}
    only("expect", expect, (*PLAIN, *LISTS, *TABLES, "refused", "error"))
    try:
        start = build(given)
    except Illegal as refusal:
        return differ("creation", refusal.code, _refused(expect))
    if _refused(expect):
        return [f"creation: accepted, expected {_refused(expect)}"]
    pick = prepared(start, given)
    state = _settled(opened(start, given), pick)
    problems: list[str] = []
    for number, step in enumerate(case.get("do") or (), 1):
        only(f"do {number}", step, ("seat", "action", "refused", "error"))
        state, code = _act(state, step["seat"], step["action"], pick)
        problems += differ(f"do {number}", code, _refused(step))
    return problems + _compare(state, expect, pick)


def _refused(words: Mapping[str, Any]) -> Any:
    """The code of the refusal that a step, or the set-up, must meet."""
    return words.get("refused") or words.get("error")


def _settled(state: State, pick: Pick) -> State:
    while CHANCE in GAME.to_act(state):
        for fact in GAME.decide(state, CHANCE, pick(GAME.odds(state), state.draws)):
            state = GAME.evolve(state, fact)
    return state


def _act(state: State, seat: int, raw: Any, pick: Pick) -> tuple[State, str | None]:
    """The state after an action, or the same state and the code of the refusal."""
    try:
        action = GAME.parse(state, seat, raw)
        return play(GAME, state, seat, action, pick)[0], None
    except Illegal as refusal:
        return state, refusal.code


def _compare(state: State, expect: Mapping[str, Any], pick: Pick) -> list[str]:
    plain = describe(state)
    problems = [line for key in PLAIN if key in expect for line in differ(key, plain[key], expect[key])]
    problems += _lists(state, expect, pick)
    for key in TABLES:
        if key in expect:
            problems += _COMPARE[key](state, bare(expect[key]))
    return problems


def describe(state: State) -> dict[str, Any]:
    """The state in the words of the cases."""
    to_act = sorted(GAME.to_act(state))
    return {
        "round": state.round,
        "phase": state.phase,
        "turn_order": list(state.order),
        "to_act": to_act,
        "over": state.phase == "over",
        "winners": _winners(state),
        "goals": list(state.goals),
        "legal_count": sum(len(GAME.legal(state, seat)) for seat in to_act),
    }


def _winners(state: State) -> list[int]:
    """If the game ended now."""
    target = scoring.target(state)
    standing = scoring.standing(state)
    if target is not None:
        return [0] if standing[0][0] > target else []
    return list(ranking.winners(ranking.places(standing)))


def _lists(state: State, expect: Mapping[str, Any], pick: Pick) -> list[str]:
    """What the seat to act may do."""
    legal = [msgspec.to_builtins(a) for seat in GAME.to_act(state) for a in GAME.legal(state, seat)]
    problems = differ("legal", bag(legal), bag(expect["legal"])) if "legal" in expect else []
    problems += [f"not legal: {a}" for a in expect.get("legal_has", ()) if a not in legal]
    problems += [f"legal: {a}" for a in expect.get("legal_lacks", ()) if a in legal]
    for action, code in expect.get("refused_now", ()):
        problems += differ(f"{action}", _act(state, max(state.active, 0), action, pick)[1], code)
    return problems


# --- tables, each compared only where the case says something --------------------------------------------


def _partial(what: str, got: Any, want: Any) -> list[str]:
    """Records are compared field by field; null stands for "not checked" in lists of records."""
    if isinstance(want, dict) and isinstance(got, dict):
        only(what, want, got)
        return [line for key in want for line in _partial(f"{what} {key}", got[key], want[key])]
    if isinstance(want, int) and isinstance(got, list):
        return differ(f"{what}, number", len(got), want)
    return differ(what, got, want)


def _by_seat(what: str, got: Sequence[Any], want: Sequence[Any]) -> list[str]:
    pairs = [(seat, one) for seat, one in enumerate(want) if one is not None]
    return [line for seat, one in pairs for line in _partial(f"{what} {seat}", got[seat], one)]


def _seats(state: State, want: Sequence[Any]) -> list[str]:
    got = [_seat(state, city, seat) for seat, city in enumerate(state.cities)]
    return _by_seat("seat", got, [one and _any_order(one, got[seat]) for seat, one in enumerate(want)])


def _any_order(want: dict[str, Any], got: dict[str, Any]) -> dict[str, Any]:
    """The order in which cards were taken and pieces were placed is nobody's business."""
    want = _sorted(want, "monuments")
    if isinstance(want.get("objects"), list):
        got["objects"] = bag(map(_object, got["objects"]))
        want["objects"] = bag(_object(_named(thing, got["objects"])) for thing in want["objects"])
    return want


def _sorted(want: Mapping[str, Any], key: str) -> dict[str, Any]:
    """With this list in order, if it is one."""
    return {**want, key: sorted(want[key])} if isinstance(want.get(key), list) else dict(want)


def _object(thing: Mapping[str, Any]) -> dict[str, Any]:
    return {**thing, "cells": sorted(map(list, thing["cells"]))}


def _named(thing: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """With what the case does not say of an object, from the one on the same cells."""
    cells = sorted(map(list, thing["cells"]))
    return {**next((own for own in found if own["cells"] == cells), {}), **thing}


def _seat(state: State, city: City, seat: int) -> dict[str, Any]:
    content = table(state.data)
    stride = content.board(city.map).on.stride
    return {
        "map": city.map,
        "objects": msgspec.json.decode(msgspec.json.encode(objects(stride, city))),
        "spent": city.spent,
        "limit": city.limit,
        "coins": coins(city),
        "loan": city.loan,
        "loan_taken_this_round": city.borrowed,
        "loan_taken_this_turn": state.fresh_loan and seat == state.active,
        "resources": dict(zip(content.resources, city.resources, strict=True)),
        "population": city.population,
        "monuments": sorted(monument.card for monument in city.monuments),
        "first_road_placed": city.settled,
        "out": city.out,
        "pedestal": state.pedestals.index(seat) + 1 if seat in state.pedestals else None,
        "roads": len(city.roads),
        "towers": len(city.towers),
        "buildings": len(city.buildings),
    }


def _offer(state: State, want: Mapping[str, Any]) -> list[str]:
    content = table(state.data)
    stacks = [content.stacks[number].id for number in content.setups[len(state.cities)].stacks]
    tiles = dict(zip(stacks, state.tiles, strict=True))
    got = {
        "long_roads": state.long_roads,
        "short_roads": state.short_roads,
        "towers": state.towers,
        "buildings": {
            stack: tile if isinstance(_buildings(want).get(stack), str) else tile and _tile(state, tile)
            for stack, tile in tiles.items()
        },
        "buildings_face_up": [stack for stack, tile in tiles.items() if tile],
        "pedestals": {str(slot): holder for slot, holder in enumerate(state.pedestals, 1)},
        "monuments": _slots(state.slots),
        "monuments_face_up": sorted(key for key in state.slots if key is not None),
        "monument_deck": list(state.deck),
        "monument_deck_size": len(state.deck),
    }
    shown = _sorted(_sorted(want, "buildings_face_up"), "monuments_face_up")
    if isinstance(want.get("monuments"), list):
        shown["monuments"] = _slots(want["monuments"])
        return _partial("offer", got, shown)
    return _partial("offer", {**got, "monuments": got["monuments_face_up"]}, shown)


def _buildings(want: Mapping[str, Any]) -> Mapping[str, Any]:
    return want.get("buildings") or {}


def _slots(keys: Sequence[str | None]) -> list[str | None]:
    """Without empty slots at the right end: a position need not list them."""
    slots = list(keys)
    while slots and slots[-1] is None:
        slots.pop()
    return slots


def _tile(state: State, tile: str) -> dict[str, Any]:
    content = table(state.data)
    kind, _, resources = content.tiles[tile]
    return {"id": tile, "kind": kind, "resources": dict(zip(content.resources, resources, strict=True))}


def _score(state: State, want: Sequence[Any]) -> list[str]:
    sums = [_sums(lines) for lines in scoring.score(state)]
    return _by_seat("score", sums, [{"total": one} if isinstance(one, int) else one for one in want])


def _sums(lines: Sequence[Any]) -> dict[str, int]:
    sums = {line.what: line.points for line in lines}
    goals = sum(points for what, points in sums.items() if what.startswith("goal:"))
    return {**sums, "goals": goals, "total": sum(sums.values())}


def _goal_values(state: State, want: Mapping[str, list[int]]) -> list[str]:
    return _partial("goal values", {key: scoring.goal_values(state, key) for key in want}, want)


def _goal_points(state: State, want: Mapping[str, list[int]]) -> list[str]:
    goals, rounding = table(state.data).goals, state.options.goal_rounding
    got = {key: scoring.prizes(goals[key], scoring.goal_values(state, key), rounding) for key in want}
    return _partial("goal points", got, want)


def _solo(state: State, want: Mapping[str, Any]) -> list[str]:
    got = {
        "score": scoring.totals(scoring.score(state))[0],
        "target": scoring.target(state),
        "won": _winners(state) == [0],
        "automaton_monuments": sorted(state.automaton),
    }
    return _partial("solo", got, _sorted(want, "automaton_monuments"))


_COMPARE: dict[str, Any] = {
    "seats": _seats,
    "offer": _offer,
    "score": _score,
    "goal_values": _goal_values,
    "goal_points": _goal_points,
    "solo": _solo,
}
