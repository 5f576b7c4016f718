"""Components as printed: records, and how data.json writes them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.games.world_wonders.model import Await, Buy, Item
from engine.games.world_wonders.pieces import Pattern


class Stack(NamedTuple):
    id: str
    board: str
    shape: str
    price: int
    tiles: tuple[str, ...]
    buy: Buy


class Tile(NamedTuple):
    kind: str
    number: int  # of the kind
    resources: tuple[int, ...]


class Need(NamedTuple):
    """What a monument must touch, and how many different ones (WW-72)."""

    name: str
    many: int
    kind: int  # number of the kind of building, -1 for anything else


class Card(NamedTuple):
    """A monument as printed (WW-70)."""

    id: str
    rigid: bool
    parts: tuple[Pattern, ...]
    words: tuple[str, ...]  # what `place` calls each part
    left: tuple[int, ...]  # cells still to come after each part
    needs: tuple[Need, ...]  # buildings first: without one there is nothing to look for
    checks: tuple[
        Need, ...
    ]  # those a position beside all it needs may still miss: it covers them, or needs two
    vp: int
    resources: tuple[int, ...]
    population: int
    buy: Buy


class Goal(NamedTuple):
    kind: int
    arg: str | None
    first: int
    second: int


class SoloItem(NamedTuple):
    """A thing that the automaton discards; a building may be named by stack or kind, or be any (WW-164)."""

    item: Item
    stack: str | None
    kind: str | None


class SoloCard(NamedTuple):
    reshuffle: bool
    sections: tuple[tuple[SoloItem, ...], ...]
    leftmost: bool


class Tracks(NamedTuple):
    """A side of the resource board (WW-90 to WW-93)."""

    top: int
    symbols: tuple[tuple[int, ...], ...]  # for each resource: how many symbols lie up to a space (WW-92)
    rings: tuple[int, ...]  # victory points with the marker on this space: all rings up to it (WW-121)
    final: int


class Setup(NamedTuple):
    long_roads: int
    short_roads: int
    towers: int
    monuments: int
    pedestals: int
    stacks: tuple[int, ...]  # numbers of those in play
    names: tuple[str, ...]  # and their ids
    turn_up: tuple[Await, ...]  # one tile of each stack in play, in id order


def solid(pattern: list[str]) -> Pattern:
    """WW-64, WW-66, WW-67: every cell on land."""
    return tuple(row.replace("#", "L") for row in pattern)


def bridge(pattern: list[str]) -> Pattern:
    """WW-62: the two ends on land, water allowed between them."""
    text = "\n".join(pattern)
    first, last = text.index("#"), text.rindex("#")
    middle = text[first + 1 : last].replace("#", "A")
    return tuple((text[:first] + "L" + middle + "L" + text[last + 1 :]).split("\n"))


def amounts(raw: Mapping[str, int], names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(raw.get(name, 0) for name in names)


def tracks(raw: Mapping[str, Any], names: tuple[str, ...]) -> Tracks:
    rings, top = raw["population_rings"], raw["track_max"]
    symbols = (raw["population_symbols"].get(name, ()) for name in names)
    return Tracks(
        top,
        tuple(tuple(sum(at <= space for at in own) for space in range(top + 1)) for own in symbols),
        tuple(sum(rings[: space + 1]) for space in range(len(rings))),
        raw.get("population_final", len(rings) - 1),
    )


def stack(raw: Mapping[str, Any]) -> Stack:
    tiles = tuple(tile["id"] for tile in raw["tiles"])
    return Stack(raw["id"], raw["board"], raw["shape"], raw["price"], tiles, Buy("building", stack=raw["id"]))


def _needs(listed: list[str], kinds: Mapping[str, int]) -> tuple[Need, ...]:
    needs = [Need(name, count, kinds.get(name, -1)) for name, count in Counter(listed).items()]
    return tuple(sorted(needs, key=lambda need: need.kind < 0))


def card(raw: Mapping[str, Any], names: tuple[str, ...], kinds: Mapping[str, int]) -> Card:
    rigid = raw.get("mode", "rigid" if "pattern" in raw else "free") == "rigid"
    parts = tuple(tuple(part) for part in ([raw["pattern"]] if rigid else raw["parts"]))
    reward = raw.get("reward", {})
    needs = _needs(raw.get("adjacent", []), kinds)
    sizes = [sum(sign not in ".G" for row in part for sign in row) for part in parts]
    return Card(
        id=raw["id"],
        rigid=rigid,
        parts=parts,
        words=("monument",) if rigid else tuple(f"part{n}" for n in range(1, len(parts) + 1)),
        left=tuple(sum(sizes[number + 1 :]) for number in range(len(sizes))),
        needs=needs,
        checks=tuple(need for need in needs if need.many > 1 or need.name in ("natural", "water")),
        vp=reward.get("vp", 0),
        resources=amounts(reward.get("resources", {}), names),
        population=reward.get("population", 0),
        buy=Buy("monument", card=raw["id"]),
    )


def goal(raw: Mapping[str, Any]) -> Goal:
    return Goal(raw["kind"], raw.get("arg"), raw["vp"]["first"], raw["vp"]["second"])


def solo_card(raw: Mapping[str, Any]) -> SoloCard:
    if raw.get("reshuffle"):
        return SoloCard(True, (), False)
    sections = (raw.get("top", ()), raw.get("middle", ()))
    return SoloCard(
        False, tuple(tuple(map(_solo_item, items)) for items in sections), raw["monument"] == "left"
    )


def _solo_item(raw: Mapping[str, Any]) -> SoloItem:
    return SoloItem(raw["item"], raw.get("stack"), raw.get("kind"))
