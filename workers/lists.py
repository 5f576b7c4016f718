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
        if await deps.readmodel.put(shown, instead):
            return instead is not None
        kept = await deps.readmodel.get(shown.match)
        events = await deps.store.length(shown.match)
        if kept is not None and shown.seq < kept.seq <= events:
            return False  # another relay was faster, and knows more
        instead = kept.seq if kept is not None else None
        log.error("lists were ahead of a log", match=shown.match, listed=instead, events=events)
    return False


async def hide(deps: Tables, match: str) -> None:
    """A match without any log is in no list and waits for no time."""
    kept = await deps.readmodel.get(match)
    if kept is None or await deps.store.length(match):
        return
    log.error("a listed match has no log", match=match, listed=kept.seq)
    await deps.readmodel.drop(kept)
    await deps.store.set_due(match, None)
