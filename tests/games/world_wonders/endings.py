"""The ways a match can end that a golden log is kept of (WW-110, WW-130, WW-170)."""

from collections.abc import Callable

from engine.games.world_wonders.content import table
from engine.games.world_wonders.model import (
    Options,
)
from engine.log import Match


def _population(match: Match) -> bool:
    """Somebody's population track is full."""
    final = table("").tracks[match.options.resource_side].final
    return any(city.population == final for city in match.state.cities)


def _won(match: Match) -> bool:
    return match.result is not None and len(match.result.winners) == 1


def _lost(match: Match) -> bool:
    return match.result is not None and not match.result.winners


def _shared(match: Match) -> bool:
    return match.result is not None and len(match.result.winners) > 1


ENDINGS: dict[str, tuple[int, Options, Callable[[Match], bool]]] = {
    "solo-won": (1, Options(), _won),
    "solo-lost": (1, Options(), _lost),
    "solo-hard-won": (1, Options(solo_mode="hard"), _won),
    "population-full": (5, Options(), _population),
    "shared-victory": (2, Options(), _shared),
}
