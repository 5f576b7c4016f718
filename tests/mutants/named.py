"""Which tests are about a file, guessed by name: for what runs at import, where no probe speaks."""

import re
from functools import cache
from pathlib import Path

from tests.mutants.mutant import TREE

MAX_FILES = 12
DOCUMENTS = "tests/unit/test_docs.py"  # tables of the documents are compared with all kinds of code
# Where to look besides the tests that name a module.
FOLDERS = (
    (
        "engine/games/",
        ("tests/games/{game}", "tests/games/test_cases.py", "tests/golden", "tests/conformance"),
    ),
    ("engine/", ("tests/unit/engine",)),
    ("infra/store/", ("tests/integration/store",)),
    ("infra/", ("tests/unit/infra",)),
    ("service/notices/", ("tests/integration/api/notices",)),
    ("service/api/", ("tests/integration/api/test_walk.py", "tests/integration/api/test_bad_input.py")),
    ("service/time/", ("tests/unit/service", "tests/integration/api/test_clocks.py")),
    ("service/cli/", ("tests/integration/cli",)),
    ("workers/webhooks/", ("tests/integration/bots",)),
    ("workers/", ("tests/integration/store",)),
    ("", ("tests/integration/api/test_play.py", "tests/integration/api/test_tables.py")),
)


def named(path: str) -> tuple[str, ...]:
    """Files of tests that name a module, the shortest first, then the folder that belongs to it."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = module.rpartition(".")
    wanted = re.compile(rf"\b{re.escape(module)}\b|from {re.escape(package)} import .*\b{name}\b")
    found = [test for test, text in _texts().items() if wanted.search(text)]
    chosen = sorted(found, key=lambda test: len(_texts()[test]))[:MAX_FILES]
    return tuple(dict.fromkeys([*chosen, *_folder(path), DOCUMENTS]))


def _folder(path: str) -> list[str]:
    game = path.split("/")[2] if path.startswith("engine/games/") else ""
    folders = next(tests for start, tests in FOLDERS if path.startswith(start))
    return [folder.format(game=game) for folder in folders if (TREE / folder.format(game=game)).exists()]


@cache
def _texts() -> dict[str, str]:
    found = sorted(Path(TREE, "tests").rglob("test_*.py"))
    slow = ("tests/e2e", "tests/faults")
    names = [(file.relative_to(TREE).as_posix(), file) for file in found]
    return {name: file.read_text(encoding="utf-8") for name, file in names if not name.startswith(slow)}
