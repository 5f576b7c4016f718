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

# The rooms of a folder, lowest first: each may use the ones before it. `service/bootstrap.py` wires what a
# process remembers to the store, and everything above uses it.
ROOMS = {
    "infra": ("process", "store", "fleet", "people", "outside", "archive", "backup", "embedded"),
    "engine": (
        "game", "identity", "codec", "kit", "chance", "policy", "registry", "upcast", "events", "match",
        "fold", "log", "table", "tenure", "accord", "advice", "undo", "guide", "games", "proof", "checks",
    ),
    "service": (
        "basics", "time", "memory", "bootstrap", "views", "archive", "notices", "commands", "bots", "people",
        "api", "bench", "cli",
    ),
    "service/api": ("frame", "matches", "accounts", "notices", "operations", "app"),
    "workers": (
        "jobs", "runtime", "parking", "quiet", "bots", "notices", "webhooks", "clock", "commands",
        "archivist", "guests", "lists", "results", "relay", "rebuild", "worker",
    ),
}  # fmt: skip
JOB_NAMES = {"bot_turn.py", "stand_in.py", "notify.py", "call.py"}  # by which the queue knows its jobs
MAX_MODULES = 20  # in one folder outside a game


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or "", node
            yield from ((f"{node.module}.{name}", node) for name in _modules_among(node))


def _modules_among(node: ast.ImportFrom) -> list[str]:
    """`from service.views import sight` imports a module of the house, whatever the statement looks like."""
    folder = ROOT / (node.module or "").replace(".", "/")
    names = [alias.name for alias in node.names]
    return [name for name in names if (folder / f"{name}.py").exists() or (folder / name).is_dir()]


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


def room_of(folder: str, module: str) -> str:
    """`views` of `service.views.sight`, seen from `service`."""
    return module.removeprefix(folder.replace("/", ".") + ".").split(".")[0]


def is_in(folder: str, module: str) -> bool:
    return module.startswith(folder.replace("/", ".") + ".")


@pytest.mark.parametrize("folder", ROOMS)
def test_rooms_import_one_way(folder: str) -> None:
    order = ROOMS[folder]
    for path in modules(folder):
        name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        if path.name in ("__init__.py", *JOB_NAMES):
            continue
        room = room_of(folder, name)
        assert room in order, f"{name} is in no room of {folder}/"
        for module, _ in imports(path):
            if is_in(folder, module):
                used = room_of(folder, module)
                assert order.index(used) <= order.index(room), f"{name} imports {module} from a room above it"


def test_no_folder_is_a_hall() -> None:
    for package in HOUSE:
        for folder in {path.parent for path in modules(package)}:
            if "games" not in folder.parts:
                assert len([*folder.glob("*.py")]) <= MAX_MODULES + 1, folder


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
            assert word not in text, f"{path} touches {word}: that belongs to service/views/sight.py"


SPEAKS_REDIS = {"ask", "call", "Script"}  # what only infra may use of its own


def test_only_infra_speaks_redis() -> None:
    """Commands of the store stay behind names that say what they are for; benchmarks send bare ones."""
    for path in (path for folder in ("service", "workers") for path in modules(folder)):
        name = str(path.relative_to(ROOT))
        if name.startswith("service/bench/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("infra.store"):
                used = SPEAKS_REDIS & {alias.name for alias in node.names}
                assert not used, f"{name} imports {used}: that belongs to infra/store"
            if isinstance(node, ast.Attribute) and _is_client(node.value):
                assert node.attr == "aclose", f"{name}:{node.lineno} sends {node.attr} to the store itself"


def _is_client(node: ast.AST) -> bool:
    """`client`, `deps.client`, `self._client`, where it is the store's."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("client", "_client") and "scope" not in ast.dump(node.value)
    return False


def test_every_key_of_the_store_stands_in_one_module() -> None:
    for path in (path for folder in HOUSE for path in modules(folder)):
        if path != ROOT / "infra/store/keys.py":
            texts = [node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                     if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
            assert not [text for text in texts if text.startswith("tl:")], path
