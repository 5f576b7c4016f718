"""Mutants drawn at random from what Cosmic Ray's operators can do to engine, store and service."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Protocol

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutants.mutant import TREE, Mutant

FOLDERS = ("engine", "infra", "service", "workers")
LEFT_OUT = ("service/bench/", "service/cli/bench.py")  # measures, decides nothing
Place = tuple[str, str, int, int]  # path, operator, occurrence, line


class Tests(Protocol):
    def tests(self, path: str, line: int) -> tuple[str, ...]: ...


def drawn(count: int, seed: int, covering: Tests) -> Iterator[Mutant]:
    """So many different mutants; whatever changes no code that runs is passed over."""
    rng = Random(seed)
    found = 0
    for path, operator, occurrence, line in _one_a_spot(rng):
        if found == count:
            return
        source = (TREE / path).read_text(encoding="utf-8")
        mutated = _mutated(source, operator, occurrence)
        tests = covering.tests(path, line)
        if mutated is None or not tests or _bare(mutated) == _bare(source):
            continue
        found += 1
        name = f"{operator.removeprefix('core/')} {path}:{line}"
        yield Mutant(name, path, mutated, tests, _difference(source, mutated))


def _mutated(source: str, operator: str, occurrence: int) -> str | None:
    try:
        return mutate_code(source, plugins.get_operator(operator)(), occurrence)
    except AttributeError:  # the tool stumbles over an exception that is named with its module
        return None


def _one_a_spot(rng: Random) -> list[Place]:
    """Each spot of the code once, in any order, with one of the things that can be done to it."""
    spots: dict[tuple[str, tuple[int, int]], list[Place]] = defaultdict(list)
    for path in _files():
        for place, at in _places(path):
            spots[place[0], at].append(place)
    chosen = [rng.choice(places) for _, places in sorted(spots.items())]
    rng.shuffle(chosen)
    return chosen


def _files() -> list[Path]:
    found = sorted(file for folder in FOLDERS for file in (TREE / folder).rglob("*.py"))
    return [f for f in found if not f.relative_to(TREE).as_posix().startswith(LEFT_OUT)]


def _places(file: Path) -> Iterator[tuple[Place, tuple[int, int]]]:
    tree = get_ast(file.read_text(encoding="utf-8"))
    name = file.relative_to(TREE).as_posix()
    for operator in plugins.operator_names():
        kind = plugins.get_operator(operator)
        if kind.arguments() or operator == "core/NoOp":
            continue
        positions = (p for node in ast_nodes(tree) for p in kind().mutation_positions(node))
        for occurrence, (start, _) in enumerate(positions):
            yield (name, operator, occurrence, start[0]), start


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


def _difference(before: str, after: str) -> str:
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new), "")
