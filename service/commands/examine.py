"""Is this log from elsewhere honest? Asked in a process of its own, which may be ended at any time.

To verify is to play a whole match again, with facts that somebody else may have made up: whatever that does,
it does it to this process alone. It has no secrets, yields to all others, and an end of its time and memory.
"""

import os
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from engine import codec, events
from engine.log import BadLog
from engine.proof import verify
from infra.process.ids import MATCH_ID

MEMORY = 1 << 30
SIGNED = "signed"  # an argument of this process
OTHER_RULES = "other_rules"
LONGEST_ID = 200  # of whoever did something, of a bot, of a command: they are shown again and again


class Verdict(msgspec.Struct):
    """What is wrong with a log, and where; nothing if it is valid."""

    line: int = 0
    code: str = ""
    reason: str = ""


def limit(seconds: int) -> None:
    """From now on this process has so much time of the processor, and then ends."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if sys.platform == "linux":  # elsewhere the limit is not kept, or cannot be set
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def examine(data: bytes, signed: bool = False) -> Verdict:
    """The first line that is not valid. `signed`: by a server that is trusted here."""
    try:
        lines = _read(data)
        verify.verify(lines, signed)
    except verify.Unchecked as bad:
        return Verdict(bad.line, OTHER_RULES, bad.reason)
    except BadLog as bad:
        return Verdict(bad.line, bad.code, bad.reason)
    return Verdict()


def _read(data: bytes) -> list[bytes]:
    try:
        match, lines = verify.read(data)
    except (BadLog, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - facts are folded unjudged, so forged ones may break the fold itself
        raise _where(data) from None
    if not MATCH_ID.fullmatch(match.id):
        raise BadLog(1, "bad_id", "this cannot be the id of a match")
    for number, line in enumerate(lines, 1):
        if any(len(ident) > LONGEST_ID for ident in _ids(events.plain(line))):
            raise BadLog(number, "bad_id", f"an id has at most {LONGEST_ID} characters")
    return lines


def _ids(event: dict[str, Any]) -> Iterator[str]:
    """Who did it, who sits down, and how the one who did it calls it."""
    yield event["by"]
    yield event.get("holder", {}).get("id", "")
    yield event.get("cmd", "")


def _where(data: bytes) -> BadLog:
    """The first line that is not even JSON, or else cannot be folded."""
    lines = data.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        if not _holds(codec.decode, line):
            return BadLog(number, "not_canonical", "not the canonical spelling of a JSON value")
    return _breaking(verify.split(data))


def _breaking(lines: Sequence[bytes]) -> BadLog:
    """Found by halving: `low` lines can be followed, `high` cannot."""
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _holds(verify.verify, lines[:middle]) else (low, middle)
    return BadLog(high, "not_an_event", "this event cannot have happened")


def _holds(check: Callable[[Any], object], part: Any) -> bool:
    try:
        check(part)
    except Exception:  # noqa: BLE001 - whatever it is, it is this part's fault
        return False
    return True


def main() -> None:
    limit(int(sys.argv[1]))
    verdict = examine(sys.stdin.buffer.read(), signed=SIGNED in sys.argv)
    sys.stdout.buffer.write(msgspec.json.encode(verdict))


if __name__ == "__main__":
    main()
