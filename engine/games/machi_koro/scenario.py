"""Rule cases of Machi Koro: a position or a new game, the dice to come, the actions and what they lead to."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from engine import codec
from engine.game import CHANCE, Odds, Pick, begin
from engine.games.machi_koro import GAME
from engine.games.machi_koro.content import COPIES, KINDS, NUMBER
from engine.games.machi_koro.legal import DICE
from engine.games.machi_koro.model import Dice, Options, PlayerView, State, TopCard, View
from engine.games.machi_koro.sight import determinise
from engine.kit.casework import CaseError, act_all, bag, differ, facts, only

TURN_START = "turn_start"  # the automatic steps of MK-20 still have to run
GIVEN = "players active phase dice_queue options supply deck dice extra_turn rerolled turn".split()


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    given, expect = case["given"], facts(case["expect"])
    dice, deck = list(given.get("dice_queue", [])), list(given.get("deck", []))
    pick = _prepared(dice, deck if "deck" in given else None)
    state = _new_game(given, pick) if "new_game" in given else _position(given, pick)
    state, problems = act_all(GAME, state, case.get("do", []), expect.pop("error", None), pick)
    return problems + differ("dice left over", dice, []) + _compare(state, expect)


def _prepared(dice: list[int], deck: list[str] | None) -> Pick:
    """Chance as the case tells it: single dice in the order rolled, cards from the top of the deck."""

    def pick(odds: Odds[Any], n: int) -> Any:
        match odds.outcomes[0]:
            case Dice(faces=faces):
                outcome: Any = DICE.get(tuple(_pop(dice, "die") for _ in faces))
            case TopCard() if deck is not None:
                outcome = TopCard(_pop(deck, "card"))
            case _:  # who starts or what lies on top, where the case leaves it open: it cannot matter there
                outcome = odds.outcomes[0]
        if outcome not in odds.outcomes:
            raise CaseError(f"draw {n}: {outcome!r} is not among the outcomes")
        return outcome

    return pick


def _pop(queue: list[Any], what: str) -> Any:
    if not queue:
        raise CaseError(f"no prepared {what} left")
    return queue.pop(0)


def _new_game(given: dict[str, Any], pick: Pick) -> State:
    only("given", given, ("new_game", "dice_queue", "deck", "options"))
    only("new_game", given["new_game"], ("seats", "options"))
    chosen = given.get("options", {}) | given["new_game"].get("options", {})
    options = msgspec.convert(chosen, Options)
    return begin(GAME, given["new_game"]["seats"], options, pick)[0]


def _position(given: dict[str, Any], pick: Pick) -> State:
    """The described position is all public, so it is a view."""
    only("given", given, GIVEN)
    options = msgspec.convert(given.get("options", {}), Options)
    players = tuple(_player(player) for player in given["players"])
    active, phase = given["active"], given["phase"]
    deck = _count(given.get("deck", []))
    if phase == TURN_START:
        given = given | {"dice": [], "rerolled": False, "extra_turn": False}
        phase = "roll" if "train_station" in players[active].landmarks else "one_die"
    described = {
        "seat": None,
        "options": options,
        "phase": phase,
        "active": active,
        "turn": given.get("turn", 1),
        "dice": given.get("dice", []),
        "rerolled": given.get("rerolled", False),
        "extra_turn": given.get("extra_turn", False),
        "players": players,
        "supply": _supply(given.get("supply", {}), options),
        "deck": deck,
        "deck_size": sum(deck.values()),
        "winner": None,
    }
    return _settle(determinise(msgspec.convert(described, View), Random(0)), pick)


def _player(raw: dict[str, Any]) -> PlayerView:
    only("player", raw, ("coins", "cards", "landmarks"))
    _known(raw["cards"], KINDS)
    _known(raw.get("landmarks", []), NUMBER)
    return msgspec.convert({"landmarks": [], **raw}, PlayerView)


def _supply(raw: dict[str, int], options: Options) -> dict[str, int]:
    """Copies that differ from the full supply, or the complete market."""
    _known(raw, KINDS)
    return raw if options.supply == "ten" else dict(zip(KINDS, COPIES, strict=True)) | raw


def _count(cards: Sequence[str]) -> dict[str, int]:
    _known(cards, KINDS)
    return {card: cards.count(card) for card in cards}


def _known(cards: Any, known: Any) -> None:
    unknown = [card for card in cards if card not in known]
    if unknown:
        raise CaseError(f"no such card: {', '.join(map(str, unknown))}")


def _settle(state: State, pick: Pick) -> State:
    while CHANCE in GAME.to_act(state):
        for fact in GAME.decide(state, CHANCE, pick(GAME.odds(state), state.draws)):
            state = GAME.evolve(state, fact)
    return state


def _compare(state: State, expect: dict[str, Any]) -> list[str]:
    got = describe(state)
    only("expect", expect, got)
    problems = []
    for key, want in expect.items():
        if key in ("deck", "legal"):  # the order of neither is anybody's
            problems += differ(key, *(bag(map(codec.encode, side)) for side in (got[key], want)))
        elif key in ("supply", "cards", "landmarks"):
            problems += differ(key, got[key], _tidy(want))
        else:
            problems += differ(key, got[key], want)
    return problems


def _tidy(want: Any) -> Any:
    """Piles without cards may be left out; landmarks are a set."""
    if isinstance(want, dict):
        return {kind: copies for kind, copies in want.items() if copies}
    if want and isinstance(want[0], str):
        return sorted(want, key=NUMBER.__getitem__)
    return [_tidy(part) for part in want]


def describe(state: State) -> dict[str, Any]:
    """The state in the words of the cases."""
    shown = GAME.view(state, None)
    legal = GAME.legal(state, state.active)
    return {
        "coins": list(state.coins),
        "cards": [player.cards for player in shown.players],
        "landmarks": [list(player.landmarks) for player in shown.players],
        "active": state.active,
        "phase": state.phase,
        "dice": list(state.dice),
        "extra_turn": state.extra_turn,
        "rerolled": state.rerolled,
        "turn": state.turn,
        "supply": shown.supply,
        "deck": [kind for kind, copies in shown.deck.items() for _ in range(copies)],
        "to_act": sorted(GAME.to_act(state)),
        "legal_count": len(legal),
        "legal": [msgspec.to_builtins(action) for action in legal],
        "winner": shown.winner,
    }
