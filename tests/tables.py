"""Tables for tests of any registered game: people at every seat, played by a seeded hand."""

from random import Random

from engine import registry
from engine.events import Holder, Place
from engine.match import Match
from engine.table import LogWriter, NewTable, act, open_match, sit

SEED = b"\5" * 32
START = "2026-11-16T09:00:00.000Z"


def person(seat: int) -> Holder:
    return Holder("person", f"account:{'abcdefgh'[seat]}")


def seated(
    key: str, bots: tuple[int, ...] = (), seats: int = 0, clock: dict[str, object] | None = None
) -> LogWriter:
    """A match that has started: people everywhere but at `bots`."""
    rules = registry.game(key)
    seats = seats or max(2, rules.players[0])
    holders = [Holder("bot", "greedy") if n in bots else None for n in range(seats)]
    places = [Place("bot" if holder else "open") for holder in holders]
    writer = LogWriter(None, START, "account:a")
    open_match(writer, key, rules.Options(), NewTable("m1", places, holders, SEED, clock=clock))
    for seat in range(seats):
        if seat not in bots:
            writer.by = person(seat).id
            sit(writer, seat, person(seat))
    return writer


def player(match: Match, seat: int) -> str:
    """Who acts for a seat, as the log names them."""
    holder = match.chairs[seat].holder
    assert holder is not None
    return f"bot:{holder.id}" if holder.kind == "bot" else holder.id


def step(writer: LogWriter, rng: Random) -> int:
    """One random action; says which seat acted."""
    match = writer.match
    seat = rng.choice(match.to_act)
    writer.by = player(match, seat)
    act(writer, seat, rng.choice(list(match.rules.legal(match.state, seat))))
    return seat


def play_until(writer: LogWriter, wanted: object, rng: Random, most: int = 400) -> Match:
    """Play on until `wanted(match)`; fails if the match ends first."""
    for _ in range(most):
        if writer.match.status == "running" and wanted(writer.match):  # type: ignore[operator]
            return writer.match
        assert writer.match.status == "running", "the match ended first"
        step(writer, rng)
    raise AssertionError("it never came to that")
