"""Rule cases of Babylonia: a described position with known supplies, or a new game, and what follows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from engine import codec
from engine.chance import quick
from engine.game import Illegal, Pick, begin, play
from engine.games.babylonia import GAME
from engine.games.babylonia.content import (
    BITS,
    BOARDS,
    CARDS,
    CELLS,
    KINDS,
    LAND,
    RIVER,
    card_numbers,
    spots,
    union,
)
from engine.games.babylonia.model import State
from engine.games.babylonia.position import drawn_from, filled, hex_of, options_of, position
from engine.kit.casework import bag, differ, facts, only


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    only("case", case, ("given", "do", "expect"))
    state, pick = _given(case["given"])
    before = _scores(state)
    problems: list[str] = []
    for number, step in enumerate(case.get("do") or (), 1):
        only(f"do {number}", step, ("seat", "action", "error", "then"))
        state, error = _act(state, step, pick)
        problems += differ(f"do {number}", error or "accepted", step.get("error") or "accepted")
        problems += [f"do {number}: {line}" for line in compare(state, before, step.get("then") or {})]
    return problems + compare(state, before, case.get("expect") or {})


def _act(state: State, step: dict[str, Any], pick: Pick) -> tuple[State, str | None]:
    try:
        action = GAME.parse(state, step["seat"], step["action"])
        return play(GAME, state, step["seat"], action, pick)[0], None
    except Illegal as refusal:
        return state, refusal.code


def _given(given: dict[str, Any]) -> tuple[State, Pick]:
    if "new_game" not in given:
        given = filled(given)
        return position(given), drawn_from(given["supplies"])
    only("given", given, ("new_game",))
    only("new_game", given["new_game"], ("players", "options"))
    pick = quick(Random(0))
    return begin(GAME, given["new_game"]["players"], options_of(given["new_game"]), pick)[0], pick


# --- expectations -----------------------------------------------------------------------------------------


def compare(state: State, before: Sequence[int], expect: Mapping[str, Any]) -> list[str]:
    """Only what is listed is checked."""
    expect = facts(expect)
    got = describe(state, before)
    only("expect", expect, (*got, *_CHECKS))
    problems: list[str] = []
    for key, want in expect.items():
        if key in _CHECKS:
            problems += _CHECKS[key](state, want)
        elif key in _UNORDERED:
            problems += differ(key, bag(got[key]), bag(want or ()))
        else:
            problems += differ(key, got[key], want)
    return problems


_UNORDERED = ("pending", "cards_available", "cards_spent", "legal_types", "legal_exactly", "winners")


def describe(state: State, before: Sequence[int]) -> dict[str, Any]:
    """The state in the words of the cases."""
    result = GAME.result(state)
    legal = _legal(state)
    return {
        "phase": state.phase,
        "to_act": sorted(GAME.to_act(state)),
        "score": _scores(state),
        "score_delta": [now - then for now, then in zip(_scores(state), before, strict=True)],
        "city_tile_counts": [len(player.city_tiles) for player in state.players],
        "stand_sizes": [sum(player.stand) for player in state.players],
        "supply_sizes": [sum(player.supply) for player in state.players],
        "turn_number": state.turn_number,
        "pending": [list(at) for at in spots(state.pending)],
        "cards_available": list(card_numbers(state.offer)),
        "cards_spent": [card for card in CARDS if any(p.spent >> card & 1 for p in state.players)],
        "winners": list(result.winners) if result else [],
        "legal_exactly": legal,
        "legal_types": list({action["type"] for action in legal}),
    }


def _scores(state: State) -> list[int]:
    return [player.score for player in state.players]


def _legal(state: State) -> list[Any]:
    actions = [action for seat in GAME.to_act(state) for action in GAME.legal(state, seat)]
    legal: list[Any] = codec.decode(codec.encode(actions))  # as the cases write them
    return legal


def _setup(state: State, want: Mapping[str, Any]) -> list[str]:
    want, got = facts(want), _set_up(state)
    only("setup", want, got)
    problems: list[str] = []
    for key, value in want.items():
        if key == "ziggurats":
            problems += differ(key, bag(got[key]), bag(value))
        elif isinstance(value, dict) and isinstance(got[key], dict):  # none of a kind may be listed as 0
            problems += differ(key, {kind: got[key].get(kind, 0) for kind in value}, value)
        else:
            problems += differ(key, got[key], value)
    return problems


def _set_up(state: State) -> dict[str, Any]:
    board = BOARDS[len(state.players)]
    tiles = Counter(tile for tile in state.layout if tile)
    totals = [tuple(map(sum, zip(p.stand, p.supply, strict=True))) for p in state.players]
    return {
        "hexes_in_play": board.in_play.bit_count(),
        "land_hexes": (board.in_play & LAND).bit_count(),
        "river_hexes": (board.in_play & RIVER).bit_count(),
        "location_spaces": len(board.locations),
        "tiles_by_kind": dict(tiles),
        "cities": state.cities.bit_count(),
        "fields": state.fields.bit_count(),
        "ziggurats": [list(at) for at in spots(board.ziggurats)],
        "stand_plus_supply_per_seat": dict(zip(KINDS, totals[0], strict=True))
        if len(set(totals)) == 1
        else totals,
    }


def _cards_owned(state: State, want: Sequence[Sequence[int]]) -> list[str]:
    got = [list(card_numbers(player.cards)) for player in state.players]
    return differ("cards_owned", got, [sorted(cards) for cards in want])


def _legal_includes(state: State, want: Sequence[Any]) -> list[str]:
    legal = _legal(state)
    return [f"not legal: {action}" for action in want if action not in legal]


def _legal_excludes(state: State, want: Sequence[Any]) -> list[str]:
    legal = _legal(state)
    return [f"legal: {action}" for action in want if action in legal]


def _all_in(what: str, found: Callable[[State], int]) -> Callable[[State, Sequence[Any]], list[str]]:
    """Whether every listed hex belongs to a set of hexes of the state."""

    def lines(state: State, want: Sequence[Any]) -> list[str]:
        hexes = found(state)
        return [f"not {what}: {at}" for at in want if not BITS[CELLS[hex_of(at)]] & hexes]

    return lines


def _tiles_left(state: State, want: Sequence[Any] | int) -> list[str]:
    """Hexes that still hold a tile, or how many do."""
    left = state.cities | state.fields
    if isinstance(want, int):
        return differ("tiles_left", left.bit_count(), want)
    return _all_in("left", lambda _: left)(state, want)


def _views(state: State, want: Sequence[dict[str, Any]]) -> list[str]:
    return [line for one in want for line in _view(state, one)]


def _view(state: State, want: dict[str, Any]) -> list[str]:
    only("views", want, ("viewer", "hex", "stand_of", "shows"))
    view = GAME.view(state, want.get("viewer"))
    if "hex" in want:
        got = _shown(view, hex_of(want["hex"]))
    else:
        player = view.players[want["stand_of"]]
        got = {"size": player.stand_size, "kinds": None if player.stand is None else bag(player.stand)}
    only("shows", want["shows"], got)
    shows = {key: value for key, value in want["shows"].items() if key in got}  # the rest are remarks
    if shows.get("kinds"):
        shows["kinds"] = bag(shows["kinds"])
    return differ(f"view of {want.get('viewer')}", {key: got[key] for key in shows}, shows)


def _shown(view: Any, at: tuple[int, int]) -> dict[str, Any]:
    for seat, player in enumerate(view.players):
        for kind in KINDS:
            if at in getattr(player.face_up, kind):
                return {"seat": seat, "kind": kind}
        if at in player.face_down:
            kinds = player.face_down_kinds
            return {"seat": seat, "kind": kinds and kinds[player.face_down.index(at)]}
    return {"seat": None, "kind": None}


_CHECKS: dict[str, Callable[[State, Any], list[str]]] = {
    "cards_owned": _cards_owned,
    "legal_includes": _legal_includes,
    "legal_excludes": _legal_excludes,
    "tiles_gone": _all_in("gone", lambda state: ~(state.cities | state.fields)),
    "tiles_left": _tiles_left,
    "free": _all_in("free", lambda state: state.free),
    "face_down": _all_in("face down", lambda s: union(p.tokens for p in s.players) & RIVER),
    "views": _views,
    "setup": _setup,
}
