"""Mutants drawn at random from what Cosmic Ray's operators can do to engine, store and service."""

import ast
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutants.mutant import TREE, Mutant, made

FOLDERS = ("engine", "infra", "service", "workers")
LEFT_OUT = ("service/bench/", "service/cli/bench.py")  # measures, decides nothing
Place = tuple[str, int, int]  # operator, occurrence, line


def drawn(count: int, seed: int, kept: Path) -> Iterator[Mutant]:
    """So many different mutants; whatever changes no code that runs is passed over."""
    found = 0
    for _, path, (operator, occurrence, line) in sorted(_one_a_spot(seed, kept)):
        if found == count:
            return
        source = (TREE / path).read_text(encoding="utf-8")
        mutated = _mutated(source, operator, occurrence)
        if mutated is None or _bare(mutated) == _bare(source):
            continue
        found += 1
        yield made(f"{operator.removeprefix('core/')} {path}:{line}", path, source, mutated)


def _mutated(source: str, operator: str, occurrence: int) -> str | None:
    try:
        return mutate_code(source, plugins.get_operator(operator)(), occurrence)
    except AttributeError:  # the tool stumbles over an exception that is named with its module
        return None


def _one_a_spot(seed: int, kept: Path) -> Iterator[tuple[str, str, Place]]:
    """Each spot of the code once, with a lot, and with one of the things that can be done to it.

    A lot depends on the spot's own line only: a change elsewhere leaves most of the draw as it was.
    """
    for file in _files():
        path = file.relative_to(TREE).as_posix()
        source = file.read_text(encoding="utf-8")
        lines = source.splitlines()
        for (row, column), places in sorted(_places(source, kept).items()):
            here = (seed, path, lines[row - 1], lines[:row].count(lines[row - 1]), column)
            yield _lot(*here), path, min(places, key=lambda place: _lot(*here, place[0]))


def _lot(*words: object) -> str:
    return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()


def _files() -> list[Path]:
    found = sorted(file for folder in FOLDERS for file in (TREE / folder).rglob("*.py"))
    return [f for f in found if not f.relative_to(TREE).as_posix().startswith(LEFT_OUT)]


def _places(source: str, kept: Path) -> dict[tuple[int, int], list[Place]]:
    """What can be done where; kept by the text of the file, for finding it takes a while."""
    file = kept / "places" / f"{hashlib.sha256(source.encode()).hexdigest()[:24]}.json"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(list(_found(source))), encoding="utf-8")
    spots: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for operator, occurrence, row, column in json.loads(file.read_text(encoding="utf-8")):
        spots[row, column].append((operator, occurrence, row))
    return spots


def _found(source: str) -> Iterator[tuple[str, int, int, int]]:
    nodes = list(ast_nodes(get_ast(source)))
    for operator in plugins.operator_names():
        kind = plugins.get_operator(operator)
        if kind.arguments() or operator == "core/NoOp":
            continue
        positions = (p for node in nodes for p in kind().mutation_positions(node))
        for occurrence, (start, _) in enumerate(positions):
            yield operator, occurrence, *start


def _bare(source: str) -> str:
    """The code without annotations: a change of those changes nothing."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(0)
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    return ast.dump(tree)
