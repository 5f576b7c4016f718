"""The bit masks that a state keeps beside its counts, so that one `&` answers what may be built (MK-50)."""

from collections.abc import Iterable, Sequence

from engine.games.machi_koro.content import ALL_LANDMARKS, PURPLE, THINGS


def offered(supply: Sequence[int]) -> int:
    """Piles that are not empty, and every landmark."""
    return ALL_LANDMARKS | sum(1 << kind for kind, copies in enumerate(supply) if copies)


def closed_to(city: Iterable[int], landmarks: int, limit: int | None) -> int:
    """What the owner of this city (counts by kind) may build no more (MK-50, MK-72, MK-73)."""
    return landmarks | sum(1 << kind for kind, copies in enumerate(city) if is_full(kind, copies, limit))


def is_full(kind: int, copies: int, limit: int | None) -> bool:
    """Whether a city with so many copies may take no more of that kind."""
    if PURPLE[kind]:
        return copies > 0
    return limit is not None and copies >= limit


def things(mask: int) -> list[str]:
    """The ids in a mask, in the order of their numbers."""
    return [thing for number, thing in enumerate(THINGS) if mask >> number & 1]
