"""Actions that are almost right: what a careless or hostile client would send."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

Raw = dict[str, Any]


def mutants(raws: Sequence[Raw], rng: Random) -> Iterator[Raw]:
    """The given actions themselves, and each with one thing changed."""
    for raw in raws:
        yield raw
        yield {**raw, "surplus": 1}
        for field in raw:
            if field != "type":
                yield {k: v for k, v in raw.items() if k != field}
                yield {**raw, field: _other(raw[field], [r.get(field) for r in raws], rng)}


def _other(value: Any, seen: Sequence[Any], rng: Random) -> Any:
    """Another value for a field: of the wrong type, out of range, or taken from another action."""
    ideas: list[Any] = [None, "nonsense", -1, 10**6, [], 1.5, True]
    if isinstance(value, int) and not isinstance(value, bool):
        ideas += [value + 1, value - 1] * 4
    if isinstance(value, list):
        ideas += [value[:-1], value[::-1], [*value, *value]] * 3
    return rng.choice(ideas + [s for s in seen if s is not None] * 3)
