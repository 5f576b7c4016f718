"""What the commands share: usage errors, games and options by name, progress bars, answers as JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
import orjson

from engine import registry
from engine.game import AnyGame

if TYPE_CHECKING:
    from infra.process.settings import Settings

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
T = TypeVar("T")


class WrongUsage(Exception):
    """The command cannot be understood; nothing was done."""


def command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int | None],
    text: str,
    example: str = "",
) -> argparse.ArgumentParser:
    """Add a command with its help: the first line for the list, the whole for `--help`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text.split("\n", 1)[0],
        description=text,
        epilog=f"example:\n  {example}" if example else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def game(key: str) -> AnyGame:
    try:
        return registry.game(key)
    except registry.UnknownGame:
        raise WrongUsage(f"there is no game {key!r}; choose from {', '.join(registry.GAMES)}") from None


def options(rules: AnyGame, pairs: Iterable[str]) -> Any:
    """`--option supply=ten --option copy_limit=2`: values are JSON, else taken as text."""
    raw: dict[str, Any] = {}
    for pair in pairs:
        name, found, value = pair.partition("=")
        if not found:
            raise WrongUsage(f"--option {pair}: write it as name=value")
        raw[name] = _value(value)
    try:
        return msgspec.convert(raw, rules.Options)
    except msgspec.ValidationError as problem:
        known = ", ".join(rules.Options.__struct_fields__)
        raise WrongUsage(f"{problem}; {rules.key} has the options {known}") from None


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def settings(args: argparse.Namespace | None = None) -> Settings:
    """From the environment; a data directory on the command line wins."""
    from infra.process.settings import Settings

    try:
        found = Settings.from_env()
    except ValueError as problem:
        raise WrongUsage(str(problem)) from None
    data = getattr(args, "data", None)
    return found if data is None else _with_data(found, data)


def _with_data(found: Settings, data: str) -> Settings:
    from dataclasses import replace

    return replace(found, data=Path(data).expanduser())


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    text = orjson.dumps(msgspec.to_builtins(value), option=orjson.OPT_INDENT_2)
    sys.stdout.write(text.decode() + "\n")


def read_bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise WrongUsage(f"cannot read {path}: {problem.strerror}") from None
