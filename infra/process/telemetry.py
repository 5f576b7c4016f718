"""Logs as one JSON object a line on stderr, with request, match and seq in each; figures for Prometheus.

with telemetry.context(request="r1", match="7Kq2"):
    structlog.get_logger().info("appended", seq=14)
"""

from __future__ import annotations

import json as plain_json
import logging
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

import orjson
import structlog
from structlog.contextvars import bound_contextvars as context
from structlog.typing import Processor

from infra.process.metrics import render

__all__ = ["configure", "context", "render"]


class _Stderr:
    """Whatever stderr is when a line is written: it may have been replaced since logging was configured.

    It may also be a file on a full disk: a line that cannot be written is lost, and nothing else is.
    """

    def write(self, text: str) -> int:
        with suppress(OSError):
            return sys.stderr.write(text)
        return 0

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


def configure(level: str = "info", json: bool = True) -> None:
    """Send every log line of this process to stderr, also those of libraries; for people if not as JSON."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*_shared(), _renderer(json)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=False,
    )
    _adopt_libraries(number, json)


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]


def _renderer(json: bool) -> Processor:
    if json:
        return structlog.processors.JSONRenderer(serializer=_dumps)
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())


def _dumps(record: Any, default: Any) -> str:
    try:
        return orjson.dumps(record, default=default, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        # Half a surrogate, a huge integer: a log line must never be the reason why something fails.
        return plain_json.dumps(record, default=repr)


def _adopt_libraries(number: int, json: bool) -> None:
    handler = logging.StreamHandler(_Stderr())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_shared(), structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(json)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.INFO))  # libraries chatter at debug
