"""Facts are folded here, never judged."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.games.machi_koro.content import (
    ALL_LANDMARKS,
    COPIES,
    KINDS,
    LANDMARK,
    NUMBER,
    PURPLE,
    START_CARDS,
    START_COINS,
)
from engine.games.machi_koro.masks import closed_to, offered
from engine.games.machi_koro.model import (
    Began,
    Built,
    Counts,
    Declined,
    Fact,
    Kept,
    Passed,
    Rolled,
    SetUp,
    State,
    Threw,
    Took,
    Traded,
    Turned,
)

NO_CARDS: Counts = (0,) * len(KINDS)


def evolve(state: State | None, fact: Fact) -> State:
    return _EVOLVE[type(fact)](state, fact)


def _next(state: State, fact: Any) -> State:
    """Where the fact leads; if a turn begins with it, MK-20."""
    if fact.next is None:
        return replace(state, phase=fact.then)
    return replace(
        state,
        phase=fact.then,
        active=fact.next,
        turn=state.turn + 1,
        dice=(),
        rerolled=False,
        extra_turn=False,
    )


def _set_up(_: None, fact: SetUp) -> State:
    limited = fact.options.supply == "ten"
    supply = NO_CARDS if limited else COPIES
    city = [START_CARDS.get(kind, 0) for kind in KINDS]
    state = State(
        options=fact.options,
        phase=fact.then,
        active=0,
        turn=0,
        draws=0,
        dice=(),
        rerolled=False,
        extra_turn=False,
        coins=(START_COINS,) * fact.seats,
        owned=tuple((copies,) * fact.seats for copies in city),
        closed=(closed_to(city, 0, fact.options.copy_limit),) * fact.seats,
        supply=supply,
        open=offered(supply),
        deck=COPIES if limited else (),
    )
    return _next(state, fact)


def _turned(state: State, fact: Turned) -> State:
    kind = NUMBER[fact.card]
    turned = replace(
        state,
        phase=fact.then,
        draws=fact.n + 1,
        deck=_add(state.deck, kind, -1),
        supply=_add(state.supply, kind, 1),
        open=state.open | 1 << kind,
    )
    return turned if fact.next is None else _next(turned, fact)


def _add(counts: Counts, at: int, more: int) -> Counts:
    changed = [*counts]
    changed[at] += more
    return tuple(changed)


def _began(state: State, fact: Began) -> State:
    return _next(replace(state, draws=fact.n + 1), fact)


def _rolled(state: State, fact: Rolled) -> State:
    payout = fact.payout
    coins = state.coins if payout is None else payout.coins
    if fact.next is None:
        return replace(
            state,
            phase=fact.then,
            draws=fact.n + 1,
            dice=fact.dice,
            extra_turn=fact.extra,
            coins=coins,
        )
    return _next(replace(state, draws=fact.n + 1, coins=coins), fact)


def _kept(state: State, fact: Kept) -> State:
    coins = state.coins if fact.payout is None else fact.payout.coins
    return _next(replace(state, extra_turn=fact.extra, coins=coins), fact)


def _threw(state: State, fact: Threw) -> State:
    return replace(state, phase=fact.then, rerolled=fact.again)


def _took(state: State, fact: Took) -> State:
    coins = _add(_add(state.coins, fact.target, -fact.coins), fact.seat, fact.coins)
    return _next(replace(state, coins=coins), fact)


def _traded(state: State, fact: Traded) -> State:
    rows = [*state.owned]
    for card, gains, loses in ((fact.give, fact.target, fact.seat), (fact.take, fact.seat, fact.target)):
        kind = NUMBER[card]
        rows[kind] = _add(_add(rows[kind], loses, -1), gains, 1)
    traded = replace(state, owned=tuple(rows))
    if state.options.copy_limit is not None:
        traded = replace(traded, closed=_reopened(traded))
    return _next(traded, fact)


def _reopened(state: State) -> Counts:
    """What a traded card leaves below the copy limit may be had again (MK-72)."""
    limit, cities = state.options.copy_limit, zip(*state.owned, strict=True)
    return tuple(
        closed_to(city, mask & ALL_LANDMARKS, limit) for city, mask in zip(cities, state.closed, strict=True)
    )


def _built(state: State, fact: Built) -> State:
    """Spelt out at length because every turn of a search passes here."""
    seat, number = fact.seat, NUMBER[fact.card]
    coins = [*state.coins]
    coins[seat] -= fact.cost
    if number >= LANDMARK:
        return _next(replace(state, coins=tuple(coins), closed=_closing(state, seat, number)), fact)
    row, owned, supply = [*state.owned[number]], [*state.owned], [*state.supply]
    row[seat] += 1
    owned[number] = tuple(row)
    supply[number] -= 1
    if PURPLE[number] or row[seat] == state.options.copy_limit:
        state = replace(state, closed=_closing(state, seat, number))
    if not supply[number]:
        state = replace(state, open=state.open & ~(1 << number))
    if fact.next is None:
        return replace(state, phase=fact.then, coins=tuple(coins), owned=tuple(owned), supply=tuple(supply))
    return replace(
        state,
        phase=fact.then,
        active=fact.next,
        turn=state.turn + 1,
        dice=(),
        rerolled=False,
        extra_turn=False,
        coins=tuple(coins),
        owned=tuple(owned),
        supply=tuple(supply),
    )


def _closing(state: State, seat: int, number: int) -> Counts:
    masks = [*state.closed]
    masks[seat] |= 1 << number
    return tuple(masks)


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    SetUp: _set_up,
    Turned: _turned,
    Began: _began,
    Rolled: _rolled,
    Kept: _kept,
    Threw: _threw,
    Took: _took,
    Traded: _traded,
    Declined: _next,
    Built: _built,
    Passed: _next,
}
