"""Rule cases of Akropolis: a match with a known deck, one city, a top view to score, or a ranking."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from engine.chance import quick
from engine.game import Illegal, Odds, Pick, begin, play
from engine.games.akropolis import GAME
from engine.games.akropolis.content import DISTRICTS, SETUPS
from engine.games.akropolis.evolve import evolve
from engine.games.akropolis.frame import frame_for
from engine.games.akropolis.model import (
    Architect,
    Build,
    Built,
    City,
    Fact,
    Options,
    Placed,
    Score,
    State,
)
from engine.games.akropolis.plan import extended, plan_of
from engine.games.akropolis.rules import final_scoring, rank, refuse_turn, rest
from engine.games.akropolis.scoring import TopView, Variants, score, tally
from engine.games.akropolis.solo import architect_score
from engine.kit import ranking
from engine.kit.casework import CaseError, differ, only
from engine.kit.casework import facts as without_remarks

FIELDS = tuple(f.name for f in msgspec.structs.fields(Options))


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    only("case", case, ("given", "do", "expect"))
    run = _KINDS.get(case.get("kind", "game"))
    if run is None:
        raise CaseError(f"unknown kind {case['kind']}")
    return run(case["given"], case.get("do") or (), case.get("expect") or {})


def _compare(what: str, got: dict[str, Any], want: dict[str, Any]) -> list[str]:
    """Only what is named is compared; a name that is not known is an error."""
    only(what, want, got)
    problems = []
    for key, value in without_remarks(want).items():
        if isinstance(value, dict) and isinstance(got[key], dict):
            problems += _compare(f"{what} {key}", got[key], value)
        elif key == "scores":
            problems += _compare_each(f"{what} {key}", got[key], value)
        else:
            problems += differ(f"{what} {key}", got[key], value)
    return problems


def _compare_each(what: str, got: Sequence[dict[str, Any]], want: Sequence[dict[str, Any]]) -> list[str]:
    problems = differ(f"{what}: how many", len(got), len(want))
    for number, (mine, theirs) in enumerate(zip(got, want, strict=False)):
        problems += _compare(f"{what} {number}", mine, theirs)
    return problems


# --- setup and game: a whole match with prepared tiles ----------------------------------------------------


def _match(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("config", "deck"))
    pick = _tiles(given.get("deck"))
    state = _begin(given["config"], pick)
    problems: list[str] = []
    last: dict[str, Any] = {"last": None, "stones_gained": None, "legal_actions_before": None}
    for number, step in enumerate(do, 1):
        only(f"do {number}", step, ("seat", "action", "error", "expect"))
        before = state
        state, facts, error = _act(state, step["seat"], step["action"], pick)
        problems += differ(f"do {number}", error or "accepted", step.get("error") or "accepted")
        if error is None:
            last = _last(facts)
        last["legal_actions_before"] = len(GAME.legal(before, before.turn))
        problems += _compare(f"do {number}", describe(state) | last, step.get("expect") or {})
    return problems + _compare("expect", describe(state) | last, expect)


def _begin(config: dict[str, Any], pick: Pick) -> State:
    only("config", config, ("players", *FIELDS))
    chosen = {k: v for k, v in without_remarks(config).items() if v is not None}  # null: the default
    seats = chosen.pop("players", 2)
    if "solo_level" in chosen:
        seats = 1
    options = msgspec.convert(chosen, Options)
    if (seats, False) not in SETUPS:
        raise CaseError(f"{seats} players")
    return begin(GAME, seats, options, pick)[0]


def _tiles(deck: Sequence[int] | None) -> Pick:
    """Chance that draws the given tiles in their order; whatever is not given falls as it may."""
    free = quick(Random(0))
    if deck is None:
        return free
    queue = iter(deck)

    def pick(odds: Odds[Any], n: int) -> Any:
        if n == 0 and isinstance(odds.outcomes, range):  # the first seat
            return free(odds, n)
        drawn = next(queue, None)
        if drawn is None:
            return free(odds, n)
        if drawn not in odds.outcomes:
            raise CaseError(f"draw {n}: tile {drawn} cannot come")
        return drawn

    return pick


def _act(state: State, seat: int, raw: Any, pick: Pick) -> tuple[State, Sequence[Fact], str | None]:
    """One action; the checks run in the order of AK-62, so whose turn it is comes before the shape."""
    try:
        refuse_turn(state, seat)
        after, facts = play(GAME, state, seat, GAME.parse(state, seat, raw), pick)
    except Illegal as refusal:
        return state, (), refusal.code
    return after, facts, None


def _last(facts: Sequence[Fact]) -> dict[str, Any]:
    """What the action just folded did."""
    built = facts[0]
    assert isinstance(built, Built)
    told = {"tile": built.tile, "level": built.level, "cost": built.paid, "stones_gained": built.gained}
    return {"last": told, "stones_gained": built.gained}


def describe(state: State) -> dict[str, Any]:
    """The state in the words of the cases."""
    over = state.phase == "over"
    seats = len(state.cities)
    setup = SETUPS[seats, state.options.long_game]
    pads = state.final or final_scoring(state)
    ranks = rank(pads.scores)
    result = GAME.result(state)
    described: dict[str, Any] = {
        "config": {"players": seats} | msgspec.to_builtins(state.options),
        "rounds": setup.rounds,
        "builds": [[msgspec.to_builtins(placed) for placed in city.builds] for city in state.cities],
        "tiles_used": len(setup.tiles),
        "stack_size": setup.stack,
        "site": list(state.site),
        "stacks_left": len(state.deck) // setup.stack,
        "stones": list(state.stones),
        "chief": state.chief,
        "to_act": None if over else state.turn,
        "round": state.round,
        "finished": over,
        "legal_actions": 0 if over else len(GAME.legal(state, state.turn)),
        "legal_placements": 0 if over else plan_of(state.cities[state.turn]).placements.bit_count(),
        "scores": [_pad(pad) | {"rank": ranks[seat]} for seat, pad in enumerate(pads.scores)],
        "winners": list(result.winners) if result else [],
    }
    if state.architect is not None and pads.architect is not None:
        described["architect"] = {
            "stones": state.architect.stones,
            "tiles": list(state.architect.tiles),
            "score": _pad(pads.architect),
        }
    return described


def _pad(score: Score) -> dict[str, Any]:
    districts = {name: msgspec.to_builtins(district) for name, district in score.districts.items()}
    return {
        "districts": districts,
        "quarry_points": score.quarries,
        "stones": score.stones,
        "total": score.total,
    }


# --- city and legal: one seat's city ----------------------------------------------------------------------


def _city(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    """The actions are tried one by one; what is expected at the end is about the given position."""
    only("given", given, ("builds", "stones", "site", "variants"))
    city, problems = _built_city(given.get("builds") or ())
    stones, site = given.get("stones") or 0, given.get("site") or ()
    state = _alone(city, stones, site)
    for number, step in enumerate(do, 1):
        only(f"do {number}", step, ("seat", "action", "error", "expect"))
        problems += _try(f"do {number}", state, step)
    wanted = {key: want for key, want in expect.items() if key != "scores"}
    problems += _compare("expect", _pad_of(state, given.get("variants")) | _choices(state), wanted)
    for pad in expect.get("scores") or ():
        got = _pad_of(state, pad.get("variants")) | {"variants": pad.get("variants")}
        problems += _compare("scores", got, pad)
    return problems


def _pad_of(state: State, chosen: Iterable[str] | None) -> dict[str, Any]:
    return _pad(score(plan_of(state.cities[0]), state.stones[0], _variants(chosen)))


def _choices(state: State) -> dict[str, Any]:
    """How many actions there are, in the words of `legal` and in those of the other kinds."""
    actions, placements = len(GAME.legal(state, 0)), plan_of(state.cities[0]).placements.bit_count()
    return {
        "actions": actions,
        "legal_actions": actions,
        "placements": placements,
        "legal_placements": placements,
        "affordable_slots": min(len(state.site), state.stones[0] + 1),
        "site": list(state.site),
    }


def _built_city(builds: Iterable[dict[str, Any]]) -> tuple[City, list[str]]:
    """The city, and where a build's level is not the one given."""
    city, problems = City(), []
    for number, raw in enumerate(builds, 1):
        only(f"build {number}", raw, ("tile", "q", "r", "rotation", "level"))
        level, _ = rest(plan_of(city), Build(0, raw["q"], raw["r"], raw["rotation"]))
        problems += differ(f"build {number}: level", level, raw.get("level", level))
        city = extended(city, Placed(raw["tile"], raw["q"], raw["r"], raw["rotation"], level))
    return city, problems


def _alone(city: City, stones: int, site: Sequence[int]) -> State:
    """A position in which this city's seat is to act."""
    cities, both = (city, City()), (stones, 0)
    return State(Options(), "build", 0, 1, 0, 0, (), tuple(site), both, cities)


def _try(what: str, state: State, step: dict[str, Any]) -> list[str]:
    """One action on its own; what follows automatically is not part of the question."""
    got: dict[str, Any] = {"legal_actions_before": len(GAME.legal(state, 0))}
    try:
        facts = GAME.decide(state, 0, GAME.parse(state, 0, step["action"]))
    except Illegal as refusal:
        error, after = refusal.code, state
    else:
        error, after = "accepted", evolve(state, facts[0])
        last = _last(facts)
        got |= last | last["last"]
    got |= {"stones": after.stones[0], "site": list(after.site)}
    problems = differ(what, error, step.get("error") or "accepted")
    return problems or _compare(what, got, step.get("expect") or {})


# --- score, solo_score and ranking: no match at all -------------------------------------------------------


def _score(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("cells", "variants", "stones"))
    cells, stones = given["cells"], given.get("stones") or 0
    districts = tally(top_view(cells), _variants(given.get("variants")))
    total = stones + sum(district.points for district in districts.values())
    return _compare("expect", _pad(Score(districts, stones, total)), expect)


def top_view(cells: Sequence[tuple[int, int, int, str]]) -> TopView:
    """Any top view: it need not be a city that can be built, nor be connected."""
    frame = frame_for(max((max(abs(q), abs(r)) for q, r, _, _ in cells), default=0))
    hexes: dict[str, int] = {}
    levels = [0] * (1 + max((level for _, _, level, _ in cells), default=1))
    for q, r, level, kind in cells:
        bit = 1 << frame.index(q, r)
        hexes[kind] = hexes.get(kind, 0) | bit
        levels[level] |= bit
    return TopView(frame, hexes, levels)


def _variants(districts: Iterable[str] | None) -> Variants:
    districts = set(districts or ())
    unknown = districts - set(DISTRICTS)
    if unknown:
        raise CaseError(f"variants: unknown {', '.join(sorted(unknown))}")
    return tuple(district in districts for district in DISTRICTS)


def _solo_score(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("level", "tiles", "stones", "variants"))
    architect = Architect(given.get("stones") or 0, tuple(given["tiles"]))
    pad = architect_score(architect, given["level"], _variants(given.get("variants")))
    return _compare("expect", _pad(pad), expect)


def _ranking(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("seats",))
    scores = [Score({}, seat["stones"], seat["total"]) for seat in given["seats"]]
    ranks = rank(scores)
    return _compare("expect", {"ranks": list(ranks), "winners": list(ranking.winners(ranks))}, expect)


_KINDS: dict[str, Callable[[dict[str, Any], Sequence[dict[str, Any]], dict[str, Any]], list[str]]] = {
    "setup": _match,
    "game": _match,
    "city": _city,
    "legal": _city,
    "score": _score,
    "solo_score": _solo_score,
    "ranking": _ranking,
}
