"""`turnlog export --all`: the accounts first, then every match, whatever state one of them is in; and what
`turnlog import` is given: files, folders of them, or a stream of logs.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from engine import codec
from engine.log import BadLog
from infra.process.files import private_dir, write_private
from infra.store import backup
from service.cli.common import WrongUsage, read_bytes
from service.cli.keys import KEYS, public_keys

if TYPE_CHECKING:
    from service.bootstrap import Deps

STREAM = "-"
CLOSING = b'{"end":'
Logs = AsyncIterator[tuple[str, list[bytes] | BadLog]]
Whole: TypeAlias = "Callable[[Deps, str, list[bytes]], Awaitable[bytes]]"


async def export_all(deps: Deps, folder: Path, logs: Logs, whole: Whole) -> int:
    """Write everything that there is; exit 1 if a log is not valid."""
    write_private(private_dir(folder) / KEYS, await public_keys(deps))  # made now, if never before
    write_private(private_dir(folder) / backup.FILE, await backup.dump(deps.client))
    count = damaged = 0
    async for ident, lines in logs:
        if not lines:
            continue  # gone since it was listed
        count += 1
        damaged += not await _export(deps, folder, ident, lines, whole)
    print(f"{count - damaged} matches and the accounts written to {folder}")
    if damaged:
        print(
            f"{damaged} damaged, written as they are; `turnlog audit` says more, and so does docs/damage.md"
        )
    return int(damaged > 0)


async def _export(deps: Deps, folder: Path, ident: str, lines: list[bytes] | BadLog, whole: Whole) -> bool:
    if isinstance(lines, BadLog):
        print(f"match {ident} cannot be read ({lines.reason}): nothing of it is written")
        return False
    try:
        data, name = await whole(deps, ident, lines), f"{ident}.ndjson"
    except BadLog as damage:
        data, name = _raw(lines, damage), f"{ident}.damaged.ndjson"
        print(f"match {ident} is damaged at event {damage.line} ({damage.reason}): see {name}")
    write_private(folder / name, data)
    return not name.endswith(".damaged.ndjson")


def _raw(lines: list[bytes], damage: BadLog) -> bytes:
    """The stored bytes, untouched; the closing line says what this is, so that nobody takes it for a log."""
    end = {"damaged": damage.line, "reason": damage.reason, "end": len(lines)}
    return b"\n".join([*lines, codec.encode(end), b""])


def given(paths: Iterable[str]) -> list[str]:
    """The files that are meant: a folder means the logs in it, and the accounts of a backup."""
    found: list[str] = []
    for path in paths:
        inside = sorted(Path(path).glob("*.ndjson")) if Path(path).is_dir() else [Path(path)]
        if not inside:
            raise WrongUsage(f"{path}: there are no logs in this folder")
        found += [path if path == STREAM else str(one) for one in inside]
    return found


def logs(path: str) -> Iterator[tuple[str, bytes]]:
    """Names and logs of one that was given: a file, or all that stand one after the other in a stream."""
    if path != STREAM:
        yield path, read_bytes(path)
        return
    lines: list[bytes] = []
    number = 1
    for line in sys.stdin.buffer:
        lines.append(line)
        if line.startswith(CLOSING):  # no event begins so: its keys are sorted, and "end" is none of them
            yield f"log {number}", b"".join(lines)
            lines, number = [], number + 1
    if b"".join(lines).strip():
        yield f"log {number}", b"".join(lines)  # cut off, which its checks say
