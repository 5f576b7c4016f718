"""`turnlog store`: the files of the embedded store, looked at and mended while it does not run."""

from __future__ import annotations

import argparse

from service.cli.common import Commands, WrongUsage, command, settings
from service.cli.operate import no_command
from service.cli.store import add_data


def add(commands: Commands) -> None:
    store = command(
        commands, "store", no_command, "The files of the embedded store: check them, repair them."
    )
    inner = store.add_subparsers(title="commands", metavar="COMMAND", required=True)
    text = "Says what is damaged in the store's files, and which events that concerns. Exit 1 if anything is."
    add_data(command(inner, "check", check, text, "turnlog store check --data ~/turnlog"))
    text = (
        "Leaves what is damaged out of the store's files, after keeping them as they are.\n\n"
        "A damaged step is left out whole and what comes after it is kept: its match may then say that\n"
        "its log is damaged, and everything else goes on. The store must not run meanwhile."
    )
    add_data(command(inner, "repair", repair, text, "turnlog store repair --data ~/turnlog"))


def check(args: argparse.Namespace) -> int:
    from infra.embedded import aof

    home = settings(args).data / "store"
    if not home.is_dir():
        raise WrongUsage(f"there is no embedded store in {home.parent}")
    damages = aof.check(home)
    for damage in damages:
        print(damage.sentence)
    print(f"{len(damages)} damaged" if damages else "nothing is damaged")
    return int(bool(damages))


def repair(args: argparse.Namespace) -> int:
    from infra.embedded import aof
    from infra.embedded.bundled import alone

    if not check(args):
        return 0
    data = settings(args).data
    with alone(data):
        kept = aof.repair(data / "store", aof.check(data / "store"))
    print(f"repaired; the files as they were are in {kept}")
    return 0
