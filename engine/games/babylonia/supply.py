"""BA-15, BA-60: what a seat draws from its supply, and with which odds."""

from functools import lru_cache
from itertools import product
from math import comb, prod

from engine.game import Odds
from engine.games.babylonia.content import KINDS, LARGE_STAND, PLAYERS, STAND, card_bits
from engine.games.babylonia.model import Counts, Draw, Player, State

SEVEN_TOKENS = card_bits([3])


def wanting(player: Player, played: int = 0) -> int:
    """BA-60, BA-83: how many tokens the seat draws when so many more have left its stand."""
    size = LARGE_STAND if player.cards & SEVEN_TOKENS else STAND
    gap = size - sum(player.stand) + played
    return min(gap, sum(player.supply)) if gap > 0 else 0


def refill(state: State, seat: int) -> Odds[Draw]:
    """Every mixture of as many tokens as the seat wants, weighted by the ways to draw it."""
    player = state.players[seat]
    count = wanting(player)
    return Odds(_DRAWS[seat][count], _ways(player.supply, count))


_MIXTURES: tuple[tuple[Counts, ...], ...] = tuple(
    tuple(mix for mix in product(range(count + 1), repeat=len(KINDS)) if sum(mix) == count)
    for count in range(LARGE_STAND + 1)
)
_DRAWS = [[tuple(Draw(seat, mix) for mix in mixes) for mixes in _MIXTURES] for seat in range(max(PLAYERS))]


@lru_cache(maxsize=16384)
def _ways(supply: Counts, count: int) -> tuple[int, ...]:
    return tuple(prod(map(comb, supply, mix)) for mix in _MIXTURES[count])


@lru_cache(maxsize=1024)
def named(counts: Counts) -> tuple[str, ...]:
    """A multiset of tokens, written out in the order of KINDS."""
    return tuple(kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count))
