"""Whoever takes the record of what handlers use takes no more of it than it needs: its signature says so."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
BENCH = "service/bench/"  # the top: it measures everything
UNKNOWN = "*"  # handed on to something that is no function of ours


class Taker(NamedTuple):
    """A function with a parameter of one of the records."""

    module: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    name: str  # of the parameter
    record: str


def _fields() -> dict[str, set[str]]:
    tree = ast.parse((ROOT / "service/bootstrap.py").read_text(encoding="utf-8"))
    return {
        one.name: {
            part.target.id if isinstance(part, ast.AnnAssign) else part.name
            for part in one.body
            if isinstance(part, ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef)
        }
        for one in tree.body
        if isinstance(one, ast.ClassDef)
    }


FIELDS = _fields()


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(path for top in ("service", "workers") for path in (ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(BENCH) and name != "service/bootstrap.py":
            yield name.removesuffix(".py").replace("/", "."), ast.parse(path.read_text(encoding="utf-8"))


def _takers(module: str, tree: ast.Module) -> Iterator[Taker]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for arg in node.args.args:
                if arg.annotation is not None and ast.unparse(arg.annotation) in FIELDS:
                    yield Taker(module, node, arg.arg, ast.unparse(arg.annotation))


class House:
    def __init__(self) -> None:
        modules = dict(_modules())
        self._names = {
            module: {
                alias.asname or alias.name: f"{node.module}.{alias.name}"
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
            for module, tree in modules.items()
        }
        found = (taker for module, tree in modules.items() for taker in _takers(module, tree))
        self.takers = {f"{taker.module}.{taker.node.name}": taker for taker in found}
        self.needs: dict[str, set[str]] = {name: set() for name in self.takers}
        while (now := {name: self._of(taker) for name, taker in self.takers.items()}) != self.needs:
            self.needs = now

    def _of(self, taker: Taker) -> set[str]:
        """The fields that a function uses itself, and those of whom it hands the record on to."""
        used, seen = set(), set()
        for node in ast.walk(taker.node):
            if isinstance(node, ast.Attribute) and _is(node.value, taker.name):
                used.add(node.attr)
                seen.add(node.value)
            if isinstance(node, ast.Call):
                given = [
                    arg for arg in (*node.args, *(k.value for k in node.keywords)) if _is(arg, taker.name)
                ]
                seen.update(given)
                used |= self.needs.get(self._called(taker.module, node.func), {UNKNOWN}) if given else set()
        names = {node for node in ast.walk(taker.node) if _is(node, taker.name)}
        return used | ({UNKNOWN} if names - seen else set())

    def _called(self, module: str, func: ast.expr) -> str:
        names = self._names[module]
        if isinstance(func, ast.Name):
            return names.get(func.id, f"{module}.{func.id}")
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            return f"{names.get(func.value.id)}.{func.attr}"
        return ""


def _is(node: ast.expr | ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def smallest(needs: set[str]) -> str:
    tables, people = needs & FIELDS["Tables"], needs & FIELDS["People"]
    if needs & FIELDS["Deps"] or (tables and people):
        return "Deps"
    return "Tables" if tables else "People" if people else "Process"


HOUSE = House()


def test_the_records_are_found():
    assert len(HOUSE.takers) > 100
    assert smallest({"store", "now"}) == "Tables"
    assert smallest({"store", "accounts"}) == "Deps"
    assert smallest({"settings"}) == "Process"


@pytest.mark.parametrize("name", HOUSE.takers)
def test_nobody_takes_more_than_it_needs(name):
    needs = HOUSE.needs[name]
    if UNKNOWN not in needs:
        assert HOUSE.takers[name].record == smallest(needs), sorted(needs)
