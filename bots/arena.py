"""Bots against bots, offline: the same dice as on the server, and the same log for who wants it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from bots.registry import Choose, is_blind, resolve
from engine import codec, registry
from engine.events import Holder, Place
from engine.game import AnyGame, Pick, Result, begin, play
from engine.identity import SYSTEM
from engine.log import Match
from engine.proof.verify import closing
from engine.table import LogWriter, NewTable, act, start_when_full, write_opened, write_seated

EPOCH = "2026-01-01T00:00:00.000Z"  # simulated matches happen outside time


class Ending(NamedTuple):
    """How a match went."""

    result: Result
    actions: int


class Played(NamedTuple):
    """The same with its log."""

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
    writer = _opened(game, options, names, rng, ident or _ident(seed))
    start_when_full(writer)
    actions = 0
    while writer.match.status == "running":
        match = writer.match
        seat = match.to_act[0]
        view, legal = game.view(match.state, seat), game.legal(match.state, seat)
        act(writer, seat, bots[seat](game, view, seat, legal, rng))
        actions += 1
    assert writer.match.result is not None
    return Played(writer.match, writer.match.result, actions, writer.lines)


def play_unwritten(
    game: AnyGame, options: Any, names: Sequence[str], bots: Sequence[Choose], seed: str
) -> Ending:
    """The very match that `play_match` plays, without its log: most of a quick bot's time is writing."""
    rng = Random(seed)
    dice = _opened(game, options, names, rng, _ident(seed)).match.dice
    return play_on(game, options, bots, dice, rng)


def play_on(game: AnyGame, options: Any, bots: Sequence[Choose], dice: Pick, rng: Random) -> Ending:
    """A match under these dice, from the first draw to the result."""
    state, _ = begin(game, len(bots), options, dice)
    to_act, legal, view = game.to_act, game.legal, game.view
    looks = [not is_blind(choose) for choose in bots]
    actions = 0
    while waiting := to_act(state):
        seat = min(waiting)
        seen = view(state, seat) if looks[seat] else None  # not made for a bot that looks at none
        action = bots[seat](game, seen, seat, legal(state, seat), rng)
        state, _ = play(game, state, seat, action, dice)
        actions += 1
    result = game.result(state)
    assert result is not None
    return Ending(result, actions)


def _ident(seed: str) -> str:
    return "sim" + codec.digest(seed.encode())[:16]


def _opened(game: AnyGame, options: Any, names: Sequence[str], rng: Random, ident: str) -> LogWriter:
    """A full table before the first draw. Its dice hang on every word of it."""
    writer = LogWriter(None, EPOCH, SYSTEM)
    holders = [Holder("bot", name) for name in names]
    new = NewTable(ident, [Place("bot")] * len(names), holders, rng.randbytes(32))
    write_opened(writer, game, options, new)
    write_seated(writer, holders)
    return writer


class Tally:
    """Wins and scores by entry of the list of bots, wherever they sat."""

    def __init__(self, entries: int) -> None:
        self.wins = [0.0] * entries
        self.scores = [0] * entries
        self.games = self.actions = 0

    def add(self, played: Ending | Played, entry_at: Sequence[int]) -> None:
        self.games += 1
        self.actions += played.actions
        for seat, entry in enumerate(entry_at):
            self.scores[entry] += played.result.scores[seat]
        for seat in played.result.winners:
            self.wins[entry_at[seat]] += 1 / len(played.result.winners)


def rotation(entries: int, number: int) -> list[int]:
    """Which entry sits at each seat of match `number`: everybody moves on by one."""
    return [(seat + number) % entries for seat in range(entries)]


class Order(NamedTuple):
    """A match to be played, as plain values: it may be played in another process."""

    game: str
    options: Any
    names: tuple[str, ...]  # by seat
    seed: str
    entries: tuple[int, ...]  # by seat: which of the bots sits there


def series(game: AnyGame, options: Any, names: Sequence[str], games: int, seed: int) -> Iterator[Order]:
    """Match after match with rotating seats."""
    for number in range(games):
        order = tuple(rotation(len(names), number))
        at = tuple(names[entry] for entry in order)
        yield Order(game.key, options, at, f"{game.key} {seed} {number}", order)


def play_order(order: Order) -> Ending:
    return play_unwritten(*_called(order), order.seed)


def log_order(order: Order) -> Played:
    return play_match(*_called(order), order.seed)


def _called(order: Order) -> tuple[AnyGame, Any, tuple[str, ...], list[Choose]]:
    return registry.game(order.game), order.options, order.names, [resolve(name) for name in order.names]
