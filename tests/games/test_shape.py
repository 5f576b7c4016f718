"""Every game's folder has one shape: whoever knows one finds the same things in the others."""

import ast
from pathlib import Path

import pytest

from engine import registry

FOLDER = Path(registry.__file__).parent / "games"
GAMES = sorted(path for path in FOLDER.iterdir() if (path / "__init__.py").exists())
OWED = {  # module: what it must define
    "content": set(),
    "model": {"Options", "State"},
    "rules": {"start", "parse", "decide", "result"},
    "sight": {"view", "redact", "reveals", "determinise"},
    "secrets": {"exchange"},
    "words": {"WORDS"},
    "hints": {"value"},
    "scenario": {"check"},
}
KNOWN = {  # where a game is large enough for it: the same name means the same thing
    "evolve": "rules",
    "facts": "model",
    "views": "model",
    "legal": "rules",
    "refusals": "rules",
    "scoring": "rules",
    "texts": "words",
    "position": "scenario",
}


def defined(path: Path) -> set[str]:
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_game_has_what_every_game_has_where_it_has_it(game: Path) -> None:
    missing = {
        f"{module}.{name}"
        for module, names in OWED.items()
        for name in names - (defined(game / f"{module}.py") if (game / f"{module}.py").exists() else set())
    }
    assert missing == set()
    folds = "evolve" if (game / "evolve.py").exists() else "rules"  # a small game has it with its rules
    assert "evolve" in defined(game / f"{folds}.py")
    assert (game / "rules.md").exists()
    assert (game / "data.json").exists()


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_every_other_module_says_what_it_is(game: Path) -> None:
    """A chapter of its own needs a first line; a part of a module stands beside it."""
    for path in game.glob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path.name
        if path.stem in KNOWN:
            assert (game / f"{KNOWN[path.stem]}.py").exists(), path.name
