"""Rule cases of Tides of Time: kingdoms to score, or a known deck and the choices that follow."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

from engine.chance import prepared
from engine.game import begin, may_act
from engine.games.tides_of_time import GAME
from engine.games.tides_of_time.content import CARDS, SUITS
from engine.games.tides_of_time.model import Options, State
from engine.games.tides_of_time.scoring import Side, score
from engine.kit.casework import CaseError, act_all, bag, differ, facts, only

VIEWERS = {"seat 0": 0, "seat 1": 1, "spectator": None}


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    kind = case.get("kind", "scoring" if "kingdoms" in case["given"] else "flow")
    if kind == "scoring":
        return _scoring(case["given"], facts(case["expect"]))
    if kind == "flow":
        return _flow(case["given"], case.get("do", []), facts(case["expect"]))
    raise CaseError(f"unknown kind {kind}")


def _scoring(given: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("kingdoms", "options"))
    only("expect", expect, ("breakdown", "round_vp", "effective_counts"))
    options = _options(given)
    tables = score(given["kingdoms"], options)
    sides = [Side(kingdom, options) for kingdom in given["kingdoms"]]
    got = {
        "breakdown": list(tables),
        "round_vp": [sum(table.values()) for table in tables],
        "effective_counts": [dict(zip(SUITS, side.effective, strict=True)) for side in sides],
    }
    return [line for key in expect for line in differ(key, got[key], expect[key])]


def _options(given: dict[str, Any]) -> Options:
    return msgspec.convert(given.get("options") or {}, Options)


def _flow(given: dict[str, Any], do: Sequence[dict[str, Any]], expect: dict[str, Any]) -> list[str]:
    only("given", given, ("deck_order", "options"))
    pick = prepared(given["deck_order"])
    state, _ = begin(GAME, 2, _options(given), pick)
    state, problems = act_all(GAME, state, do, expect.get("error"), pick)
    return problems + _compare(state, {k: v for k, v in expect.items() if k != "error"})


def _compare(state: State, expect: dict[str, Any]) -> list[str]:
    got = describe(state)
    only("expect", expect, (*got, "views"))
    problems = _views(state, expect.get("views", {}))
    for key, want in expect.items():
        if key == "views":
            continue
        if key in ("hands", "deck"):  # hands are sets, and the order of a face-down deck is nobody's
            problems += differ(key, _sets(got[key]), _sets(want))
        else:
            problems += differ(key, got[key], want)
    return problems


def _sets(value: Any) -> Any:
    return [bag(v) for v in value] if value and isinstance(value[0], (list, tuple)) else bag(value)


def describe(state: State) -> dict[str, Any]:
    """The state in the words of the cases."""
    seats = state.players
    result = GAME.result(state)
    described: dict[str, Any] = {
        "phase": state.phase,
        "round": state.round,
        "pick": state.pick,
        "to_act": sorted(GAME.to_act(state)),
        "may_act": may_act(GAME, state, 2),
        "hands": [list(p.hand) for p in seats],
        "kingdoms": [list(p.kingdom) for p in seats],
        "relics": [list(p.relics) for p in seats],
        "committed": [p.committed is not None for p in seats],
        "deck": list(state.deck),
        "discards": msgspec.to_builtins(list(state.discards)),
        "scores": [list(p.scores) for p in seats],
        "totals": [sum(p.scores) for p in seats],
        "legal_count": [len(GAME.legal(state, seat)) for seat in (0, 1)],
        "winners": list(result.winners) if result else [],
    }
    for number in range(1, len(seats[0].breakdown) + 1):
        described[f"breakdown_round_{number}"] = [p.breakdown[number - 1] for p in seats]
    return described


def _views(state: State, expect: dict[str, Any]) -> list[str]:
    """Views in prose: what a viewer must be able to find, and what not."""
    problems = []
    for viewer, wants in expect.items():
        only(f"views of {viewer}", wants, ("has", "lacks"))
        seat = VIEWERS[viewer]
        problems += [f"{viewer} lacks: {w}" for w in wants.get("has", []) if not _has(state, seat, w)]
        problems += [f"{viewer} can see: {w}" for w in wants.get("lacks", []) if _leaks(state, seat, w)]
    return problems


def _has(state: State, seat: int | None, want: str) -> bool:
    players = GAME.view(state, seat).players
    match want.split():
        case ["own", "committed", "choice", card]:
            choice = None if seat is None else players[seat].choice
            return choice is not None and card in astuple(choice)
        case ["seat", number, "has", "committed"]:
            return players[int(number)].committed
    text = msgspec.json.encode(GAME.view(state, seat)).decode()
    return all(f'"{card}"' in text for card in _cards(want))


def _cards(phrase: str) -> list[str]:
    """The cards that a phrase in other words speaks of."""
    found = [word.strip(".,;:\"'") for word in phrase.split() if word.strip(".,;:\"'") in CARDS]
    if not found:
        raise CaseError(f"cannot look for: {phrase}")
    return found


def _leaks(state: State, seat: int | None, want: str) -> bool:
    """Hands and choices only: a scored or discarded card is in every view, and rightly (TT-56)."""
    view = GAME.view(state, seat)
    hands = {card for n, p in enumerate(view.players) if n != seat for card in p.hand or ()}
    if state.round == state.pick == 1:  # later it is the cards this seat has passed or seen (TT-60)
        hands |= set(view.opponent_known or ())
    if want == "any hand card":
        return bool(hands)
    card, *rest = want.split()
    choices = {c for n, p in enumerate(view.players) if n != seat and p.choice for c in astuple(p.choice)}
    match rest:
        case ["as", "the", "choice"]:
            return card in choices
        case ["in", "any", "hand"]:
            return card in hands
        case ["as", "the", "choice", "or", "in", "any", "hand"]:
            return card in choices | hands
    named = state.deck if "deck" in want.split() else _cards(want)
    return any(card in choices | hands for card in named)
