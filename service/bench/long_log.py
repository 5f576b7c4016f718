"""A log as long as one likes, for whatever is measured on long ones."""

from functools import cache
from random import Random

from bots.arena import EPOCH
from engine import registry
from engine.events import Holder, Place, Undone
from engine.game import play
from engine.identity import SYSTEM
from engine.match import Match
from engine.table import LogWriter, NewTable, act, open_match

GAME, SEATS = "machi-koro", 4


@cache
def long_log(length: int, undos: int = 0) -> list[bytes]:
    """Four at a table of Machi Koro of whom nobody wins; every undo goes back behind all others."""
    rules, rng = registry.game(GAME), Random(1)
    writer = LogWriter(None, EPOCH, SYSTEM)
    bots = [Holder("bot", "random")] * SEATS
    new = NewTable("bench", [Place("bot")] * SEATS, bots, rng.randbytes(32))
    open_match(writer, rules.key, rules.Options(), new)
    while len(writer.lines) < length:
        if undos and len(writer.lines) % 4 == 0 and len(writer.lines) > 8:
            then, undos = writer.steps[-3][1], undos - 1
            writer.write(Undone, seat=0, to=then.seq, past=then)
        seat = writer.match.to_act[0]
        legal = list(rules.legal(writer.match.state, seat))
        rng.shuffle(legal)
        act(writer, seat, next(action for action in legal if _goes_on(writer.match, seat, action)))
    return writer.lines[:length]


def _goes_on(match: Match, seat: int, action: object) -> bool:
    """Whether the match is not over after this."""
    state, _ = play(match.rules, match.state, seat, action, match.dice)
    return match.rules.result(state) is None
