"""The rules of Babylonia spelled out a second time: plain sets and loops, from rules.md and data.json.

Nothing here comes from the engine. A position is what rule cases call `given`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import engine.games.babylonia

Hex = tuple[int, int]
Given = dict[str, Any]

DATA = json.loads(Path(engine.games.babylonia.__file__).with_name("data.json").read_text(encoding="utf-8"))
CELLS = {(cell["q"], cell["r"]): cell for cell in DATA["map"]["cells"]}
TILES = {tile["kind"]: tile for tile in DATA["location_tiles"]}
NOBLES = ("priest", "servant", "merchant")
KINDS = (*NOBLES, "farmer")


@cache
def neighbours(at: Hex) -> list[Hex]:
    q, r = at
    around = [(q, r - 1), (q + 1, r - 1), (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r)]
    return [one for one in around if one in CELLS]


@cache
def in_play(players: int) -> set[Hex]:
    regions = {2: "north center", 3: "center south", 4: "north center south"}[players].split()
    return {at for at, cell in CELLS.items() if cell["region"] in (*regions, "tigris", "euphrates")}


def is_river(at: Hex) -> bool:
    return bool(CELLS[at]["terrain"] == "river")


class Position:
    """A described position, with the question words of section 4."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.seats = range(given["players"])
        self.in_play = in_play(given["players"])
        self.tiles = {_hex(tile): tile["kind"] for tile in given["tiles"]}
        self.tokens = {_hex(token): (token["seat"], token["kind"]) for token in given["tokens"]}
        self.ziggurats = {at for at in self.in_play if CELLS[at]["space"] == "ziggurat"}
        self.resolved = {(q, r) for q, r in given["ziggurats_resolved"]}

    def free(self, at: Hex) -> bool:
        """BA-21."""
        held = at in self.tokens or at in self.tiles or at in self.ziggurats
        return at in self.in_play and not held

    def is_city(self, at: Hex) -> bool:
        return at in self.tiles and TILES[self.tiles[at]]["group"] == "city"

    def is_field(self, at: Hex) -> bool:
        return at in self.tiles and not self.is_city(at)

    def owns(self, seat: int, card: int) -> bool:
        return card in self.given["cards"]["owned"][seat]

    def holds(self, at: Hex, seat: int) -> bool:
        return at in self.tokens and self.tokens[at][0] == seat

    def surrounded(self) -> set[Hex]:
        """BA-23, BA-50."""
        waiting = {at for at in self.tiles if self.is_city(at)} | self.ziggurats - self.resolved
        return {at for at in waiting if all(n in self.tokens for n in neighbours(at) if self.counts(n))}

    def counts(self, at: Hex) -> bool:
        return at in self.in_play and not is_river(at)

    def next_to(self, at: Hex) -> list[int]:
        """BA-24: tokens next to a hex, by seat."""
        return [sum(self.holds(n, seat) for n in neighbours(at)) for seat in self.seats]

    def winner(self, at: Hex) -> int | None:
        counts = self.next_to(at)
        return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None

    def network(self, seat: int, city: Hex) -> set[Hex]:
        """BA-25, BA-88, BA-89: own tokens, found by walking."""

        def carries(at: Hex) -> bool:
            if self.holds(at, seat):
                return True
            land = self.owns(seat, 8) and CELLS[at]["region"] == "center"
            return self.free(at) and (land or (self.owns(seat, 9) and is_river(at)))

        seen: set[Hex] = set()
        walk = [at for at in neighbours(city) if carries(at)]
        while walk:
            at = walk.pop()
            if at not in seen:
                seen.add(at)
                walk += [n for n in neighbours(at) if carries(n)]
        return {at for at in seen if self.holds(at, seat)}

    def nobles(self, seat: int, city: Hex) -> set[Hex]:
        """BA-51."""
        symbols = TILES[self.tiles[city]]["symbols"]
        net = self.network(seat, city)
        return {at for at in net if self.tokens[at][1] in symbols and not is_river(at)}

    def tile_points(self, seat: int, city: Hex) -> int:
        """BA-53, BA-87."""
        winner = self.winner(city)
        if winner is None:
            return 0
        owned = len(self.given["city_tiles"][seat]) + (seat == winner)
        return owned + (owned // 2 if self.owns(seat, 7) else 0)

    def touched(self, seat: int) -> set[Hex]:
        """BA-40."""
        return {z for z in self.ziggurats if any(self.holds(n, seat) for n in neighbours(z))}


def _hex(record: dict[str, Any]) -> Hex:
    q, r = record["hex"]
    return q, r


# --- section 6, BA-31 to BA-38, for the seat on turn ------------------------------------------------------

Set = list[tuple[str, Hex]]  # the tokens placed this turn, in order


def with_placed(given: Given, placed: Set) -> Given:
    """The position after these tokens of the turn, points aside."""
    seat = given["seat"]
    stand = list(given["stands"][seat])
    for kind, _ in placed:
        stand.remove(kind)
    new = [{"hex": list(at), "seat": seat, "kind": kind} for kind, at in placed]
    taken = {at for _, at in placed}
    return given | {
        "tokens": given["tokens"] + new,
        "tiles": [tile for tile in given["tiles"] if _hex(tile) not in taken],
        "stands": [stand if s == seat else held for s, held in enumerate(given["stands"])],
    }


def counts(placed: Set) -> tuple[int, int, list[str]]:
    """R, F and the nobles on land of BA-34."""
    land = [kind for kind, at in placed if not is_river(at)]
    return len(placed) - len(land), land.count("farmer"), [kind for kind in land if kind != "farmer"]


class Turn:
    """The tokens placed so far in a turn: what may follow, and whether it may or must end."""

    def __init__(self, given: Given, placed: Set) -> None:
        self.given, self.placed = given, placed
        self.seat = given["seat"]
        self.now = Position(with_placed(given, placed))
        self.stand: list[str] = self.now.given["stands"][self.seat]
        self.owned: list[int] = given["cards"]["owned"][self.seat]

    def refusal(self, kind: str, at: Hex) -> str | None:
        """Why this token may not be added: the rows of section 16 for `place`, in their order."""
        now = self.now
        checks = (
            ("unknown_token", lambda: kind not in KINDS),
            ("token_not_on_stand", lambda: kind not in self.stand),
            ("no_such_hex", lambda: at not in CELLS),
            ("hex_not_in_play", lambda: at not in now.in_play),
            ("hex_occupied", lambda: at in now.tokens),
            ("hex_is_ziggurat", lambda: at in now.ziggurats),
            ("hex_is_city", lambda: now.is_city(at)),
            ("field_needs_farmer", lambda: now.is_field(at) and kind != "farmer" and 6 not in self.owned),
            ("field_needs_own_token", lambda: now.is_field(at) and kind == "farmer" and not self.opens(at)),
            ("river_only_with_two", lambda: len(self.placed) >= 2 and is_river(at)),
            ("set_not_allowed", lambda: not self.allows(kind, at)),
        )
        return next((code for code, wrong in checks if wrong()), None)

    def opens(self, field: Hex) -> bool:
        """BA-38, BA-93."""
        rivers = self.given["options"].get("river_tokens_open_fields", True)
        return any(self.now.holds(n, self.seat) and (rivers or not is_river(n)) for n in neighbours(field))

    def complete(self) -> bool:
        return self.is_complete(self.placed, len(self.stand))

    def is_complete(self, placed: Set, left: int) -> bool:
        """BA-34."""
        k = len(placed)
        if self.given["turn_number"] < 2:
            return bool(k == self.given["turn_number"] + 1)
        if k == 2 or (k == 1 and left == 0):
            return True
        rivers, farmers, nobles = counts(placed)
        if k < 3 or rivers:
            return False
        if not nobles:
            return True
        if 4 in self.owned and farmers == 0 and len(nobles) == 3 and len(set(nobles)) == 3:
            return True
        return 5 in self.owned and len(nobles) == 1 and farmers >= 3

    def allows(self, kind: str, at: Hex) -> bool:
        """BA-34: complete after it, or the first token, or the one open case of card 5."""
        placed = [*self.placed, (kind, at)]
        if len(placed) == 1 or self.is_complete(placed, len(self.stand) - 1):
            return True
        rivers, farmers, nobles = counts(placed)
        late = self.given["turn_number"] >= 2
        if not (late and 5 in self.owned and not rivers and farmers == 2 and len(nobles) == 1):
            return False
        after = Turn(self.given, placed)
        return "farmer" in after.stand and after.has_room()

    def has_room(self) -> bool:
        """Some land hex can take a farmer (BA-36, BA-38)."""
        land = [at for at in CELLS if not is_river(at)]
        return any(self.now.free(at) or (self.now.is_field(at) and self.opens(at)) for at in land)

    def legal(self) -> set[tuple[str, Hex]]:
        """Every placement, by trying them all."""
        return {(kind, at) for kind in set(self.stand) for at in CELLS if self.refusal(kind, at) is None}

    def ends_by_itself(self) -> bool:
        """BA-35: complete, and nothing could be added if the tokens left on the stand were of any kind."""
        return self.complete() and not any(self._dream(kind).legal_kind(kind) for kind in KINDS if self.stand)

    def _dream(self, kind: str) -> "Turn":
        """The stand that allows most: one token of this kind, and farmers."""
        stand = [placed for placed, _ in self.placed] + [kind] + ["farmer"] * (len(self.stand) - 1)
        stands = [stand if s == self.seat else held for s, held in enumerate(self.given["stands"])]
        return Turn(self.given | {"stands": stands}, self.placed)

    def legal_kind(self, kind: str) -> bool:
        return any(self.refusal(kind, at) is None for at in CELLS)
