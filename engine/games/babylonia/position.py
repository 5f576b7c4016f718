"""A state from a described position, and chance from described supplies: for cases, tests and puzzles."""

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

import msgspec

from engine.game import Odds, Pick
from engine.games.babylonia.content import (
    BASIC,
    BOARDS,
    HEXES,
    KIND,
    KINDS,
    TILE_KINDS,
    TILES,
    Hex,
    card_bits,
    mask,
    spots,
    union,
)
from engine.games.babylonia.model import PARTS, Draw, Options, Player, State
from engine.games.babylonia.sight import counted
from engine.kit.casework import CaseError, only

GIVEN = (
    "players options seat turn_number tiles ziggurats ziggurats_resolved tokens stands supplies cards score"
    " city_tiles phase"
).split()


def options_of(given: dict[str, Any]) -> Options:
    chosen = given.get("options") or {}
    return msgspec.convert({key: value for key, value in chosen.items() if value is not None}, Options)


def filled(given: dict[str, Any]) -> dict[str, Any]:
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
    if mask(map(hex_of, given.get("ziggurats", spots(board.ziggurats)))) != board.ziggurats:
        raise CaseError("ziggurats are always all those of the player count")
    tiles = {hex_of(tile["hex"]): tile["kind"] for tile in given["tiles"]}
    cities = mask(at for at, tile in tiles.items() if TILES[tile].symbols)
    players = tuple(_player(given, seat) for seat in range(given["players"]))
    taken = union(player.tokens for player in players)
    return State(
        options=options_of(given),
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
        resolved=mask(map(hex_of, given.get("ziggurats_resolved", ()))),
        offer=card_bits(given["cards"]["available"]),
        discarded=(),
        placed=(),
        played=(),
        pending=0,
        chooser=None,
        ziggurat=None,
    )


def hex_of(raw: Sequence[int]) -> Hex:
    q, r = raw
    return q, r


def _player(given: dict[str, Any], seat: int) -> Player:
    tokens = [token for token in given["tokens"] if token["seat"] == seat]
    boards = tuple(mask(hex_of(t["hex"]) for t in tokens if t["kind"] == kind) for kind in KINDS)
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
