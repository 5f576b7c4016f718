"""One damaged log concerns one match: whoever walks over many passes it by, loudly."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from engine.log import BadLog

log = structlog.get_logger(__name__)


@contextmanager
def passed_by(match: str) -> Iterator[None]:
    """Leave this match out if its log is not valid, and say which one it was."""
    try:
        yield
    except BadLog as damage:
        log.error("a log is damaged", match=match, seq=damage.line, reason=damage.reason)
