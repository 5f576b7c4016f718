"""What lists show of a match follows its log, also back: after a failover or a restored backup."""

import structlog

from infra.store.readmodel import Summary
from service.bootstrap import Tables

log = structlog.get_logger(__name__)
TRIES = 3


async def show(deps: Tables, shown: Summary) -> bool:
    """Put a summary into the lists. One that is ahead of the log itself tells of what is lost, and goes.

    Answers whether that was so: then other notes may be ahead of the log, too.
    """
    instead = None
    for _ in range(TRIES):
        newer = await deps.readmodel.put(shown, instead)
        if newer is None:
            return instead is not None
        events = await deps.store.length(shown.match)
        if newer <= events:
            return False  # another relay was faster, and knows more
        instead = newer
        log.error("lists were ahead of a log", match=shown.match, listed=instead, events=events)
    return False


async def hide(deps: Tables, match: str) -> None:
    """A match without any log is in no list and waits for no time."""
    if not await deps.readmodel.has(match) or await deps.store.length(match):
        return
    log.error("a listed match has no log", match=match)
    await deps.readmodel.drop(match)
    await deps.store.set_due(match, None)
