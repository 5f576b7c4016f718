"""Imports go one way, and the engine is pure: by allow-list, so that a new dependency must be argued for."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = ("engine", "bots", "infra", "service", "workers")
ALLOWED = {
    "engine": {"engine"},
    "bots": {"engine", "bots"},
    "infra": {"engine", "infra"},
    "service": {"engine", "bots", "infra", "service"},
    "workers": {"engine", "bots", "infra", "service", "workers"},
}
TOP = ("service/cli/", "service/bench/")  # the top of the house may import everything

PURE = {  # what the engine may use of the standard library: no clock, no I/O, no global random
    "collections", "collections.abc", "dataclasses", "enum", "functools", "hashlib", "hmac", "importlib",
    "itertools", "math", "operator", "random", "re", "struct", "types", "typing", "bisect", "heapq",
}  # fmt: skip
READS_DATA = {"engine/kit/content.py": {"pathlib"}}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or "", node


@pytest.mark.parametrize("package", HOUSE)
def test_imports_go_one_way(package: str) -> None:
    for path in modules(package):
        name = str(path.relative_to(ROOT))
        if name.startswith(TOP):
            continue
        for module, _ in imports(path):
            layer = module.split(".")[0]
            assert layer not in HOUSE or layer in ALLOWED[package], f"{name} imports {module}"
            assert not module.startswith(("service.cli", "service.bench")), f"{name} imports the top"


def test_the_engine_is_pure() -> None:
    for path in modules("engine"):
        name = str(path.relative_to(ROOT))
        for module, _ in imports(path):
            top = module.split(".")[0]
            fine = top in ("engine", "msgspec") or module in PURE | READS_DATA.get(name, set())
            assert fine, f"{name} imports {module}"
            assert top in sys.stdlib_module_names or top in ("engine", "msgspec")


def test_the_engine_uses_no_global_random() -> None:
    for path in modules("engine"):
        for module, node in imports(path):
            if module == "random":
                assert isinstance(node, ast.ImportFrom), path
                assert [alias.name for alias in node.names] == ["Random"], path


def test_no_game_imports_another() -> None:
    for path in modules("engine/games"):
        folder = path.relative_to(ROOT / "engine/games").parts[0]
        for module, _ in imports(path):
            if module.startswith("engine.games."):
                assert module.split(".")[2] == folder, f"{path} imports {module}"


def test_only_sight_serialises_matches() -> None:
    """The single exit: no router turns a view, a state or an event into bytes by itself."""
    for path in modules("service/api"):
        text = path.read_text(encoding="utf-8")
        for word in (".view(", "match.state", "rules.redact", "determinise"):
            assert word not in text, f"{path} touches {word}: that belongs to service/sight.py"
