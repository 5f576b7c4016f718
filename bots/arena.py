"""Bots against bots, offline: the same table, the same dice and the same log as on the server."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from bots.registry import Choose
from engine import codec
from engine.events import Holder, Place
from engine.game import AnyGame, Result
from engine.log import Match
from engine.table import Pen, act, open_match
from engine.verify import closing

EPOCH = "2026-01-01T00:00:00.000Z"  # simulated matches happen outside time


class Played(NamedTuple):
    match: Match
    result: Result
    actions: int
    lines: list[bytes]

    @property
    def export(self) -> bytes:
        return b"\n".join([*self.lines, closing(self.match), b""])


def play_match(
    game: AnyGame, options: Any, names: Sequence[str], bots: Sequence[Choose], seed: str, ident: str = ""
) -> Played:
    """One match; bot i sits at seat i. The same seed and id give the same log."""
    rng = Random(seed)
    pen = Pen(None, EPOCH, "system")
    holders = [Holder("bot", name) for name in names]
    ident = ident or "sim" + codec.digest(seed.encode())[:16]
    open_match(pen, ident, game.key, options, [Place("bot")] * len(names), holders, rng.randbytes(32))
    actions = 0
    while pen.match.status == "running":
        _turn(pen, game, bots, rng)
        actions += 1
    assert pen.match.result is not None
    return Played(pen.match, pen.match.result, actions, pen.lines)


def _turn(pen: Pen, game: AnyGame, bots: Sequence[Choose], rng: Random) -> None:
    match = pen.match
    seat = match.to_act[0]
    view, legal = game.view(match.state, seat), game.legal(match.state, seat)
    act(pen, seat, bots[seat](game, view, seat, legal, rng))


class Tally:
    """Wins and scores by entry of the list of bots, wherever they sat."""

    def __init__(self, entries: int) -> None:
        self.wins = [0.0] * entries
        self.scores = [0] * entries
        self.games = self.actions = 0

    def add(self, played: Played, entry_at: Sequence[int]) -> None:
        self.games += 1
        self.actions += played.actions
        for seat, entry in enumerate(entry_at):
            self.scores[entry] += played.result.scores[seat]
        for seat in played.result.winners:
            self.wins[entry_at[seat]] += 1 / len(played.result.winners)


def rotation(entries: int, number: int) -> list[int]:
    """Which entry sits at each seat of match `number`: everybody moves on by one."""
    return [(seat + number) % entries for seat in range(entries)]


def series(
    game: AnyGame, options: Any, names: Sequence[str], bots: Sequence[Choose], games: int, seed: int
) -> Iterator[tuple[Played, list[int]]]:
    """Match after match with rotating seats."""
    for number in range(games):
        order = rotation(len(bots), number)
        yield (
            play_match(
                game,
                options,
                [names[entry] for entry in order],
                [bots[entry] for entry in order],
                f"{game.key} {seed} {number}",
            ),
            order,
        )
