"""The command line. Exit codes: 0 fine, 1 a check failed, 2 wrong usage.

This is the top of the house: it may import everything, nothing imports it. Each group of commands has a
module with `add(commands)`; it is read only when the command line is.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from bots.sdk_bot import IllegalAnswer
from engine.log import BadLog
from infra.process.errors import InfraError
from service.basics.errors import Problem
from service.cli import (
    archive,
    backup,
    bench,
    clock,
    doctor,
    game,
    keys,
    logs,
    operate,
    parked,
    rebuild,
    repair,
    serve,
)
from service.cli.common import WrongUsage
from service.cli.play import bots, learn, offline

USAGE = 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="turnlog",
        description="Board games played over days, on an append-only event log.",
        epilog="`turnlog COMMAND --help` explains a command. Start with `turnlog up`.",
    )
    top.add_argument("--version", action="version", version=f"turnlog {version('turnlog')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    people = (operate, keys, parked, archive, backup, doctor, rebuild, repair)
    groups = (serve, offline, game, bots, learn, logs, clock, *people, bench)
    for group in groups:
        group.add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        return int(args.run(args) or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `turnlog … | head` is no error
        sys.stderr.close()
        return 0
    except WrongUsage as problem:
        print(f"turnlog: {problem}", file=sys.stderr)
        return USAGE
    except (InfraError, BadLog, IllegalAnswer, OSError) as problem:
        print(f"turnlog: {problem}", file=sys.stderr)
        return 1
    except Problem as problem:
        print(f"turnlog: {problem.sentence('en')}", file=sys.stderr)
        return 1
