"""An answer for a turn, whatever becomes of the bot that should give it: others take over, in order."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import structlog

from bots.registry import BOTS, bot
from engine.game import AnyGame
from engine.identity import of_bot
from engine.match import Match
from infra.process.metrics import BOT_TURNS
from service.commands.records import Act
from workers.bots.limits import seconds, within
from workers.jobs import BotTurn, StandIn

log = structlog.get_logger(__name__)
STAND_INS = ("greedy", "random")


class NoAnswer(Exception):
    """Not even the last bot in line has answered: a bug of the game."""


class IllegalAnswer(Exception):
    """A bot answered something that it may not do."""


def at_home(name: str) -> str:
    """A log from elsewhere may name any bot, with any time to think: here those of the house play."""
    return name if name in BOTS else STAND_INS[0]


def line_up(name: str, begun: int) -> Sequence[str]:
    """Who is asked: the bot itself, once more, then the stand-ins. Earlier beginnings have used places up.

    >>> line_up("search", 1), line_up("search", 3), line_up("search", 9)
    (('search', 'search', 'greedy', 'random'), ('greedy', 'random'), ('random',))
    """
    line = (name, name, *STAND_INS)
    return line[min(begun, len(line)) - 1 :]


def answer(match: Match, turn: BotTurn | StandIn, names: Sequence[str]) -> tuple[str, Any]:
    """The first legal answer, and whose it is."""
    rules = match.rules
    legal = list(rules.legal(match.state, turn.seat))
    for number, name in enumerate(names):
        # The same turn falls alike, and only this house knows how; a bot that failed gets other dice.
        rng = match.private(f"bot:{turn.since}:{turn.seat}:{number}")
        try:  # whatever a bot does, the others must not wait for it
            return name, _ask(rules, rules.view(match.state, turn.seat), turn.seat, legal, name, rng)
        except Exception as problem:
            BOT_TURNS.labels(name, "failed").inc()
            log.exception(
                "bot failed", bot=name, match=turn.match, seat=turn.seat, reason=type(problem).__name__
            )
    raise NoAnswer(turn.job_id)


def command(match: Match, turn: BotTurn | StandIn, name: str, action: Any, key: str) -> Act:
    """A bot of the house plays this seat; `key` is what makes a second call the same command."""
    return Act(
        who=of_bot(name),
        match=turn.match,
        seq=match.seq,
        action=msgspec.to_builtins(action),
        key=key,
        seat=turn.seat,
    )


def _ask(rules: AnyGame, view: Any, seat: int, legal: Sequence[Any], name: str, rng: Random) -> Any:
    with within(seconds(name)):
        action = bot(name)(rules, view, seat, legal, rng)
    if action not in legal:
        raise IllegalAnswer(repr(action)[:200])
    return action
