"""Logs whose events are spelt otherwise, with a chain that holds all the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import codec

Change = Callable[[dict[str, Any]], dict[str, Any]]


def respelt(lines: Sequence[bytes], change: Change) -> list[bytes]:
    """Every event changed, and chained anew."""
    prev, made = codec.ZERO, []
    for line in lines:
        made.append(codec.encode(change(codec.decode(line)) | {"prev": prev}))
        prev = codec.digest(made[-1])
    return made


def closed(lines: Sequence[bytes]) -> bytes:
    """An export of these lines."""
    end = codec.encode({"end": len(lines), "head": codec.digest(lines[-1])})
    return b"\n".join([*lines, end, b""])


def envelope_0(event: dict[str, Any]) -> dict[str, Any]:
    """What `engine.upcast` lifts from version 0."""
    return {name: value for name, value in event.items() if name != "by"} | {"who": event["by"], "v": 0}
