"""`turnlog backup` and `turnlog restore`: everything that a house has, out and in."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from service.cli.common import Commands, WrongUsage, command
from service.cli.store import add_data, with_store

if TYPE_CHECKING:
    from service.bootstrap import Tables

LEASE_S = 3600  # so long nothing is archived at most, if a backup is killed
PATIENCE_S = 60.0  # for an archivist that is at it


def add(commands: Commands) -> None:
    run = command(
        commands,
        "backup",
        run_backup,
        "Saves everything to a folder, while the house goes on: matches with their people and clocks,\n"
        "accounts, keys, channels, notices, ratings, chat, and the archive.\n\n"
        "The same folder again adds what is new. An interrupted backup is gone on with; until it is\n"
        "done, the one before it counts.",
        "turnlog backup /srv/backup",
    )
    run.add_argument("dir", metavar="DIR")
    add_data(run)
    run = command(
        commands,
        "restore",
        run_restore,
        "Brings a backup back into an empty store, with the house stopped, and checks its digest.\n\n"
        "An interrupted restore is begun again with the same command; until it is done, no role starts.",
        "turnlog restore /srv/backup --data /srv/turnlog/data",
    )
    run.add_argument("dir", metavar="DIR")
    add_data(run)


class Progress:
    """On a terminal the last of what was said; in a pipe nothing."""

    def __init__(self) -> None:
        self._at = 0.0

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty() and time.monotonic() - self._at > 0.1:
            self._at = time.monotonic()
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()

    def end(self) -> None:
        if self._at:
            sys.stderr.write("\r\x1b[K")


def run_backup(args: argparse.Namespace) -> int:
    return asyncio.run(with_store(args, lambda deps: _backup(deps, Path(args.dir))))


async def _backup(deps: Tables, path: Path) -> int:
    from infra.backup.folder import BackupFolder
    from infra.backup.saving import Saving
    from infra.process.files import private_dir

    folder, progress = BackupFolder(private_dir(path)), Progress()
    folder.manifest()  # a folder of something else, or of a newer version, is refused before anything is done
    await _alone(deps)
    try:
        found = await Saving(deps.client, deps.archive, folder, deps.at(), progress).save()
    finally:
        await deps.archive.notes.hand_back()
        progress.end()
    said = f"{found.matches} matches, {found.records} records and {len(found.archive)} files of the archive"
    print(f"{said} saved to {path}")
    print(f"digest {found.digest}")
    return 0


async def _alone(deps: Tables) -> None:
    """Nothing is archived meanwhile: a match is in the store or in the archive, not in both."""
    deadline = time.monotonic() + PATIENCE_S
    while not await deps.archive.notes.take_over(LEASE_S):
        if time.monotonic() > deadline:
            raise WrongUsage("matches are being archived, or another backup is made; try again later")
        await asyncio.sleep(0.5)


def run_restore(args: argparse.Namespace) -> int:
    return asyncio.run(with_store(args, lambda deps: _restore(deps, Path(args.dir)), restoring=True))


async def _restore(deps: Tables, path: Path) -> int:
    from infra.backup.bringing import Bringing

    progress = Progress()
    try:
        found = await Bringing(deps.client, deps.archive, path, progress).bring()
    finally:
        progress.end()
    print(f"{found.matches} matches and {found.records} records are back")
    print(f"digest {found.digest}, as it was saved")
    return 0
