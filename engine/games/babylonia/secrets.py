"""What a seat of Babylonia may not know (BA-101, BA-102), told from the log alone.

Every token of another seat whose kind was never shown may be of another kind: those on its stand, in its
supply, and face down on rivers. This file does not know what a view shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.games.babylonia.content import FARMER, KIND, KINDS, TOKENS
from engine.games.babylonia.evolve import evolve
from engine.games.babylonia.facts import Drew, Fact, Placed
from engine.games.babylonia.model import State
from engine.games.babylonia.sets import OPEN, WIDENING, status


@dataclass(slots=True)
class Piece:
    """One token of a seat: its kind, where in the log it was drawn and, if it was, placed face down."""

    kind: int
    drawn: int | None = None
    placed: int | None = None


def exchange(log: Sequence[Any], seat: int | None, rng: Random) -> list[Any]:
    """Another log (actions, each before its facts) that this seat, or a spectator, must read alike."""
    state: Any = reduce(evolve, (item for item in log if isinstance(item, Fact)), None)
    told = list(log)
    for owner in range(len(state.players)):
        if owner != seat:
            _exchange_tokens(told, owner, _owes_farmer(state, owner), rng)
    return told


def _exchange_tokens(log: list[Any], owner: int, owes_farmer: bool, rng: Random) -> None:
    shown, hidden = _pieces(log, owner, rng)
    free = list(hidden)
    if owes_farmer:
        free.remove(next(p for p in hidden if p.kind == FARMER and p.drawn is not None and p.placed is None))
    kinds = [piece.kind for piece in free]
    rng.shuffle(kinds)
    for piece, kind in zip(free, kinds, strict=True):
        piece.kind = kind
        if piece.placed is not None:
            log[piece.placed] = replace(log[piece.placed], token=KINDS[kind])
            log[piece.placed - 1] = replace(log[piece.placed - 1], token=KINDS[kind])
    _rewrite_draws(log, owner, [*shown, *hidden])


def _pieces(log: Sequence[Any], owner: int, rng: Random) -> tuple[list[Piece], list[Piece]]:
    """The tokens that the owner has shown, and all its others."""
    supply = list(TOKENS)
    stand: list[Piece] = []
    shown: list[Piece] = []
    down: list[Piece] = []
    for at, item in enumerate(log):
        match item:
            case Drew() if item.seat == owner:
                for token in item.tokens or ():
                    supply[KIND[token]] -= 1
                    stand.append(Piece(KIND[token], at))
            case Placed() if item.seat == owner:
                piece = rng.choice([p for p in stand if p.kind == KIND[item.token or ""]])
                stand.remove(piece)
                piece.placed = at if item.face_down else None
                (down if item.face_down else shown).append(piece)
    return shown, [*stand, *down, *(Piece(k) for k, left in enumerate(supply) for _ in range(left))]


def _rewrite_draws(log: list[Any], owner: int, pieces: Sequence[Piece]) -> None:
    for at, item in enumerate(log):
        if isinstance(item, Drew) and item.seat == owner:
            kinds = sorted(piece.kind for piece in pieces if piece.drawn == at)
            log[at] = replace(item, tokens=tuple(KINDS[kind] for kind in kinds))


def _owes_farmer(state: State, owner: int) -> bool:
    """BA-34, BA-85: after a noble and two farmers everybody knows that another farmer is there."""
    cards = state.players[owner].cards & WIDENING
    return state.phase == "place" and state.seat == owner and status(2, cards, state.played) is OPEN
