"""A folder that is written anew: full first, then in its place. Until then the old one stays."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engine import registry


@contextmanager
def replaced(place: Path) -> Iterator[Path]:
    """An empty folder to fill; it takes the place of the old one at the end, and not before."""
    new, old = (place.with_name(f".{place.name}.{age}") for age in ("new", "old"))
    if old.exists() and not place.exists():  # the last time ended between the two steps
        old.rename(place)
    for left_over in (new, old):
        shutil.rmtree(left_over, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        yield new
    except BaseException:
        shutil.rmtree(new)
        raise
    if place.exists():
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def write(path: Path, data: bytes) -> None:
    """The same for one file."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


def asked(words: Sequence[str] | None = None) -> list[str]:
    """The games of the command line: `make golden GAME=pig`; all if none is named."""
    keys = sys.argv[1:] if words is None else words
    unknown = [key for key in keys if key not in registry.GAMES]
    if unknown:
        raise SystemExit(f"there is no game {unknown[0]!r}; choose from {', '.join(registry.GAMES)}")
    return list(keys) or list(registry.GAMES)
