"""Which settings of a game's options are worth checking: each value once, and some mixtures."""

from itertools import product
from random import Random
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from engine.game import AnyGame, Illegal

MIXTURES = 12


def variants(game: AnyGame, seats: int) -> list[Any]:
    """Options: the defaults, every single change, and a fixed sample of combinations."""
    fields = {f.name: values(f.type) for f in msgspec.structs.fields(game.Options)}
    default = game.Options()
    found = [default]
    for name, choices in fields.items():
        found += [msgspec.structs.replace(default, **{name: value}) for value in choices]
    mixtures = [dict(zip(fields, mix, strict=True)) for mix in _product(list(fields.values()))]
    found += [msgspec.structs.replace(default, **mix) for mix in mixtures]
    return [o for n, o in enumerate(found) if o not in found[:n] and _allowed(game, seats, o)]


def values(kind: Any) -> list[Any]:
    """The values of an option's type that are worth a try; [] = leave it at its default."""
    if kind is bool:
        return [False, True]
    if kind is NoneType or kind is None:
        return [None]
    if kind is int:
        return [0, 1]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated and args[0] is int:
        return _least(*args[1:])
    if origin is Literal:
        return list(args)
    if origin in (tuple, frozenset):
        members = values(args[0])
        return [origin(()), *(origin((m,)) for m in members), origin(members)]
    return [value for arg in args for value in values(arg)]


def _least(*bounds: Any) -> list[int]:
    """The two least numbers that an option allows."""
    low = max((meta.ge for meta in bounds if meta.ge is not None), default=0)
    high = min((meta.le for meta in bounds if meta.le is not None), default=low + 1)
    return list(range(int(low), min(int(high), int(low) + 1) + 1))


def _product(choices: list[list[Any]]) -> list[tuple[Any, ...]]:
    if not all(choices):
        return []
    size = 1
    for values_ in choices:
        size *= len(values_)
    if size <= MIXTURES:
        return list(product(*choices))
    rng = Random(0)
    return [tuple(rng.choice(values_) for values_ in choices) for _ in range(MIXTURES)]


def _allowed(game: AnyGame, seats: int, options: Any) -> bool:
    try:
        game.start(seats, options)
    except Illegal:
        return False
    return True
