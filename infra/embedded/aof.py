"""The store's append-only file, looked at without the store: what in it is damaged, and it without that.

It is a sequence of commands, and what was done in one step stands between MULTI and EXEC. A damaged step is
left out whole; whatever comes after it is kept, so that one bad byte costs a step and not the months since.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

from infra.process.files import private_dir, write_private

Bytes: TypeAlias = bytes | mmap.mmap

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
LONGEST_NUMBER = 22
NEVER = {
    b"FLUSHALL",
    b"FLUSHDB",
    b"SWAPDB",
}  # nobody here sends these: found after damage, they are not believed
EVENT = re.compile(rb":m:([\w-]+):log\r\n\$\d+\r\n(\d+)-0\r\n")


class Damage(NamedTuple):
    """Bytes from `start` to `end` that cannot be kept; a `tail` is all that a cut write leaves behind."""

    file: Path
    start: int
    end: int
    tail: bool
    events: tuple[str, ...]  # "match 7Kq2 event 14", as far as they can be read

    @property
    def sentence(self) -> str:
        what = (
            f" ({', '.join(self.events[:10])}{', …' if len(self.events) > 10 else ''})" if self.events else ""
        )
        where = "at its end" if self.tail else f"at byte {self.start}"
        return f"{self.file.name} is damaged {where}: {self.end - self.start} bytes cannot be read{what}"


def check(home: Path) -> list[Damage]:
    """Everything that is damaged in the files of a store, in their order."""
    files = _files(home / FOLDER)
    return [damage for file in files for damage in _damages(file, file == files[-1])]


def repair(home: Path, damages: Sequence[Damage]) -> Path:
    """Leave out what is damaged. Returns where the files are kept as they were."""
    kept = private_dir(home / f"damaged-{_now()}")
    for file in dict.fromkeys(damage.file for damage in damages):
        data = file.read_bytes()
        write_private(kept / file.name, data)
        bad = [damage for damage in damages if damage.file == file]
        starts, ends = [0, *(damage.end for damage in bad)], [*(damage.start for damage in bad), len(data)]
        write_private(file, b"".join(data[a:b] for a, b in zip(starts, ends, strict=True)))
    return kept


def mend_tail(home: Path) -> str | None:
    """Cut off a tail that was never whole, as a loss of power leaves it; None if something else is wrong."""
    damages = check(home)
    if [damage.tail for damage in damages] != [True]:
        return None
    (tail,) = damages
    kept = home / f"{tail.file.name}.tail-{_now()}"
    with tail.file.open("r+b") as file:
        file.seek(tail.start)
        write_private(kept, file.read())
        file.truncate(tail.start)
    return f"{tail.sentence}. They were being written when the store ended, and are kept in {kept}."


def _now() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"


def _files(folder: Path) -> list[Path]:
    """In the order in which the store reads them."""
    try:
        lines = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    names = [words[1] for line in lines if len(words := line.split()) == 6 and words[5] in ("b", "i")]
    return [folder / name for name in names if (folder / name).is_file()]


def _damages(file: Path, last: bool) -> Iterator[Damage]:
    size = file.stat().st_size
    if not size:
        return
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for start, end in damaged(data):
            events = dict.fromkeys(
                f"match {m.decode()} event {n.decode()}" for m, n in EVENT.findall(data[start:end])
            )
            yield Damage(file, start, end, last and end == size, tuple(events))


def damaged(data: Bytes) -> Iterator[tuple[int, int]]:
    """The stretches that are no whole steps.

    >>> list(damaged(b"*1\\r\\n$4\\r\\nPING\\r\\n*1\\r\\n$4\\r\\nPI"))
    [(14, 24)]
    """
    at, begun = 0, None
    while at < len(data):
        end = _step(data, at)
        if end is not None:
            if begun is not None:
                yield begun, at
            at, begun = end, None
            continue
        begun = at if begun is None else begun
        at = _behind(data, at)
    if begun is not None:
        yield begun, len(data)


def _step(data: Bytes, at: int) -> int | None:
    """Where the step ends that begins here: a command, or all from MULTI to EXEC. None if it is not whole."""
    found = _command(data, at)
    if found is None or found[0] == b"EXEC":
        return None
    name, end = found
    while name != b"EXEC" and found[0] == b"MULTI":
        inner = _command(data, end)
        if inner is None or inner[0] == b"MULTI":
            return None
        name, end = inner
    return end


def _behind(data: Bytes, at: int) -> int:
    """Where the next step may begin after one that is not whole."""
    found = _command(data, at)
    if found is None or found[0] != b"MULTI":
        return _rest_of_step(data, _resume(data, at))
    at = found[1]
    while at < len(data):
        found = _command(data, at)
        if found is not None and found[0] in (b"MULTI", b"EXEC"):
            return at if found[0] == b"MULTI" else found[1]
        at = _resume(data, at) if found is None else found[1]
    return at


def _resume(data: Bytes, at: int) -> int:
    """The next place behind this one where a command stands whole."""
    place = data.find(b"\r\n*", at)
    while place != -1:
        found = _command(data, place + 2)
        if found is not None and found[0].isalpha() and found[0] not in NEVER:
            return place + 2
        place = data.find(b"\r\n*", place + 2)
    return len(data)


def _rest_of_step(data: Bytes, at: int) -> int:
    """Behind the EXEC of a step whose beginning is lost; if none is open, here."""
    place = at
    while (found := _command(data, place)) is not None and found[0] != b"MULTI":
        place = found[1]
        if found[0] == b"EXEC":
            return place
    return at


def _command(data: Bytes, at: int) -> tuple[bytes, int] | None:
    """The name of the command that stands here, and where it ends; None if it is not whole."""
    head = _number(data, at, b"*")
    if head is None or not head[0]:
        return None
    count, at = head
    name = b""
    for index in range(count):
        word = _number(data, at, b"$")
        if word is None or data[word[1] + word[0] : word[1] + word[0] + 2] != b"\r\n":
            return None
        if index == 0:
            name = data[word[1] : word[1] + word[0]].upper()
        at = word[1] + word[0] + 2
    return name, at


def _number(data: Bytes, at: int, mark: bytes) -> tuple[int, int] | None:
    """A number behind its mark, and where the line after it begins."""
    end = data.find(b"\r\n", at, at + LONGEST_NUMBER)
    if end == -1 or data[at : at + 1] != mark or not data[at + 1 : end].isdigit():
        return None
    return int(data[at + 1 : end]), end + 2
