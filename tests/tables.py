"""Tables for tests of any registered game: people at every seat, played by a seeded hand."""

from random import Random

from engine import registry
from engine.chance import quick
from engine.events import Holder, Place
from engine.game import AnyGame, begin, play
from engine.match import Match
from engine.table import LogWriter, NewTable, act, open_match, sit

SEED = b"\5" * 32
START = "2026-11-16T09:00:00.000Z"


class MatchEnded(AssertionError):
    """The match ended before what was wanted of it had come."""


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
    if match.status != "running":
        raise MatchEnded
    seat = rng.choice(match.to_act)
    writer.by = player(match, seat)
    act(writer, seat, rng.choice(list(match.rules.legal(match.state, seat))))
    return seat


def play_until(writer: LogWriter, wanted: object, rng: Random, most: int = 400) -> Match:
    """Play on until `wanted(match)`; fails if the match ends first."""
    for _ in range(most):
        if writer.match.status == "running" and wanted(writer.match):  # type: ignore[operator]
            return writer.match
        step(writer, rng)
    raise AssertionError("it never came to that")


def revealing(game: AnyGame) -> set[bool]:
    """Whether actions reveal something: all of them, none, or some; from a match at random."""
    found: set[bool] = set()
    rng = Random(0)
    pick = quick(rng)
    state, _ = begin(game, max(2, game.players[0]), game.Options(), pick)
    while len(found) < 2 and (waiting := sorted(game.to_act(state))):
        state, facts = play(game, state, waiting[0], rng.choice(game.legal(state, waiting[0])), pick)
        found.add(any(map(game.reveals, facts)))
    return found


def asker(match: Match) -> int | None:
    """Who must ask to take the latest action back: whoever did it if it revealed something, else another."""
    if match.runner is None or True in revealing(match.rules):
        return match.runner if not match.run and match.runner in match.people else None
    return next((seat for seat in match.people if seat != match.runner), None)
