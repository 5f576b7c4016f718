"""`python -m bots.sdk run FILE.py:NAME --url … --token …`, for machines that have nothing but this folder."""

import argparse
import sys

from bots.sdk import cli, register


def main() -> int:
    top = argparse.ArgumentParser(prog="turnlog-bot", description="Remote bots for Turnlog.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="play with a bot")
    cli.add_run(run)
    run.set_defaults(run=cli.run)
    named = commands.add_parser("register", help="give a bot its name on a server")
    register.add(named)
    named.set_defaults(run=register.register)
    new = commands.add_parser("new", help="write a starter")
    cli.add_new(new)
    new.set_defaults(run=cli.new)
    args = top.parse_args()
    try:
        return int(args.run(args))
    except cli.WrongUse as problem:
        sys.stderr.write(f"turnlog-bot: {problem}\n")
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
