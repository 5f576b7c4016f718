"""Rule cases of Babylonia: a described position with known supplies, or a new game, and what follows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

import msgspec

from engine import codec
from engine.chance import quick
from engine.game import Illegal, Odds, Pick, begin, play
from engine.games.babylonia import GAME
from engine.games.babylonia.content import (
    BASIC,
    BITS,
    BOARDS,
    CARDS,
    CELLS,
    HEXES,
    KIND,
    KINDS,
    LAND,
    RIVER,
    TILE_KINDS,
    TILES,
    card_bits,
    card_numbers,
    mask,
    spots,
    union,
)
from engine.games.babylonia.model import PARTS, Draw, Options, Player, State
from engine.games.babylonia.sight import counted
from engine.kit.casework import CaseError, bag, differ, facts, only

GIVEN = (
    "players options seat turn_number tiles ziggurats ziggurats_resolved tokens stands supplies cards score"
    " city_tiles phase"
).split()


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


# --- positions --------------------------------------------------------------------------------------------


def _given(given: dict[str, Any]) -> tuple[State, Pick]:
    if "new_game" not in given:
        given = _filled(given)
        return position(given), drawn_from(given["supplies"])
    only("given", given, ("new_game",))
    only("new_game", given["new_game"], ("players", "options"))
    pick = quick(Random(0))
    return begin(GAME, given["new_game"]["players"], _options(given["new_game"]), pick)[0], pick


def _options(given: dict[str, Any]) -> Options:
    chosen = given.get("options") or {}
    return msgspec.convert({key: value for key, value in chosen.items() if value is not None}, Options)


def _filled(given: dict[str, Any]) -> dict[str, Any]:
    """What a position leaves out is empty, and the cards that nobody owns are on offer."""
    nothing: list[Any] = [[]] * given["players"]
    cards = {"owned": nothing, "spent": [], **given.get("cards", {})}
    cards.setdefault("available", [card for card in BASIC if card not in chain(*cards["owned"])])
    empty = {"ziggurats_resolved": [], "tokens": [], "supplies": nothing, "city_tiles": nothing}
    return {**empty, "tiles": [], "score": [0] * given["players"], **given, "cards": cards}


def position(given: dict[str, Any]) -> State:
    """A state at the start of a turn. It need not be reachable, nor its pieces add up to a full set."""
    only("given", given, GIVEN)
    only("cards", given["cards"], ("available", "owned", "spent"))
    board = BOARDS[given["players"]]
    if given.get("phase", "place") != "place":
        raise CaseError("a position is at the start of a turn: phase place")
    if mask(map(_hex, given.get("ziggurats", spots(board.ziggurats)))) != board.ziggurats:
        raise CaseError("ziggurats are always all those of the player count")
    tiles = {_hex(tile["hex"]): tile["kind"] for tile in given["tiles"]}
    cities = mask(at for at, tile in tiles.items() if TILES[tile].symbols)
    players = tuple(_player(given, seat) for seat in range(given["players"]))
    taken = union(player.tokens for player in players)
    return State(
        options=_options(given),
        phase="place",
        seat=given["seat"],
        turn_number=given["turn_number"],
        draws=0,
        players=players,
        bag=(0,) * len(TILE_KINDS),
        layout=tuple(tiles.get(HEXES[number]) for number in board.locations),
        cities=cities,
        fields=mask(tiles) & ~cities,
        free=board.in_play & ~board.ziggurats & ~mask(tiles) & ~taken,
        resolved=mask(map(_hex, given.get("ziggurats_resolved", ()))),
        offer=card_bits(given["cards"]["available"]),
        discarded=(),
        placed=(),
        played=(),
        pending=0,
        chooser=None,
        ziggurat=None,
    )


def _hex(raw: Sequence[int]) -> tuple[int, int]:
    q, r = raw
    return q, r


def _player(given: dict[str, Any], seat: int) -> Player:
    tokens = [token for token in given["tokens"] if token["seat"] == seat]
    boards = tuple(mask(_hex(t["hex"]) for t in tokens if t["kind"] == kind) for kind in KINDS)
    cards = card_bits(given["cards"]["owned"][seat])
    return Player(
        stand=counted(KIND[kind] for kind in given["stands"][seat]),
        supply=counted(KIND[kind] for kind in given["supplies"][seat]),
        boards=boards,
        tokens=union(boards),
        city_tiles=tuple(given["city_tiles"][seat]),
        cards=cards,
        spent=card_bits(given["cards"].get("spent", ())) & cards,
        points=(given["score"][seat],) + (0,) * (len(PARTS) - 1),  # a described score has no parts
    )


def drawn_from(supplies: Sequence[Sequence[str]]) -> Pick:
    """Chance as described: every supply is drawn from its front."""
    queues = [iter(supply) for supply in supplies]

    def pick(odds: Odds[Any], n: int) -> Any:
        seat, count = odds.outcomes[0].seat, sum(odds.outcomes[0].tokens)
        return Draw(seat, counted(KIND[kind] for kind in islice(queues[seat], count)))

    return pick


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
        return [f"not {what}: {at}" for at in want if not BITS[CELLS[_hex(at)]] & hexes]

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
        got = _shown(view, _hex(want["hex"]))
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
