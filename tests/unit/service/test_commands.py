"""Every command is a record, and every record has one handler: of `Deps` and the record, nothing else."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import service.commands
from service.bootstrap import Deps
from service.commands import records
from service.commands.records import Command

FOLDER = Path(service.commands.__file__).parent
AGAIN = {"act_once"}  # the same command, for callers who must know whether it was done before
INSIDE = {"take"}  # the half of `sit` that concerns a seat where somebody plays


def handlers() -> Iterator[tuple[type[Command], str, list[Any]]]:
    """Public coroutines of the room that are given a command."""
    for path in sorted(FOLDER.glob("*.py")):
        module = import_module(f"service.commands.{path.stem}")
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction):
            own = function.__module__ == module.__name__ and not name.startswith("_")
            hints = {key: hint for key, hint in get_type_hints(function).items() if key != "return"}
            taken = [hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, Command)]
            if own and taken and name not in AGAIN | INSIDE:
                yield taken[0], name, list(hints.values())


def test_every_command_is_handled_in_one_way() -> None:
    known = {
        kind for _, kind in inspect.getmembers(records, inspect.isclass) if issubclass(kind, Command)
    } - {Command}
    found = list(handlers())
    assert sorted(kind.__name__ for kind, _, _ in found) == sorted(kind.__name__ for kind in known)
    for kind, name, hints in found:
        deps, *rest = hints
        assert issubclass(Deps, deps), f"{name} takes no part of Deps"
        assert rest == [kind], f"{name} takes more than the command"
