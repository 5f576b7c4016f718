"""What goes wrong with one match stays with that match: it is parked, and everything else goes on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from infra.process.errors import StoreUnavailable
from infra.store.parked import Parked
from service.basics.errors import Problem
from service.bootstrap import Process

log = structlog.get_logger(__name__)


class Outcome:
    """How it went inside: `failed`, and the match is parked, or `gone`: there is no such match."""

    failed = gone = False


@asynccontextmanager
async def parking(deps: Process, match: str, where: str, first: int | None = None) -> AsyncIterator[Outcome]:
    """Whatever is raised inside concerns this match alone, unless it is the store that is away."""
    outcome = Outcome()
    try:
        yield outcome
    except StoreUnavailable:
        raise
    except Exception as problem:
        parked = Parked(deps.client)
        if isinstance(problem, Problem) and problem.code == "not_found":
            log.warning("there is no such match", match=match, where=where)
            await parked.clear(match)
            outcome.gone = True
            return
        stuck = await parked.park(match, where, said(problem), first)
        log.exception("a match is parked", match=match, where=where, tries=stuck.tries)
        outcome.failed = True


def said(problem: Exception) -> tuple[str, str]:
    """An error's class and sentence."""
    sentence = problem.sentence("en") if isinstance(problem, Problem) else str(problem)
    return type(problem).__name__, sentence
