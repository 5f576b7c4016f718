"""Small files that several processes share: written whole or not at all, readable by their owner alone."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def private_dir(path: Path) -> Path:
    """Make a directory that only its owner may enter; an existing one keeps its permissions."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def write_private(path: Path, data: str | bytes) -> None:
    """Replace a file in one step, so that no reader sees half of it; nobody else reads it at any moment."""
    draft = _draft(path, data)
    draft.replace(path)


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text of a file, made once: of several processes that start together one wins."""
    if not path.exists():
        private_dir(path.parent)
        draft = _draft(path, make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first, and its text counts
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()


def _draft(path: Path, data: str | bytes) -> Path:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(data.encode() if isinstance(data, str) else data)
            out.flush()
            os.fsync(out.fileno())
    except OSError:  # a full disk: half a draft would only fill it more
        draft.unlink(missing_ok=True)
        raise
    return draft
