"""Makes the four walks of docs/architecture.md and tells which files they go through.

python -m tests.walks            # in this tree, with figures
python -m tests.walks TREE       # in another state of the tree
python -m tests.walks --write    # into docs/architecture.md
python -m tests.walks --check    # does that page tell what happens? Exit 1 if not
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.walks.telling import PAGE, files, listed, told, written
from tests.walks.trace import Figures
from tests.walks.walking import Walk, walked

HERE = Path(__file__).parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path, default=HERE)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    root = args.tree.resolve()
    sys.path.insert(0, str(root))
    with tempfile.TemporaryDirectory() as data:
        walks = walked(root, Path(data))
    page = HERE / PAGE
    if args.write:
        page.write_text(written(page.read_text(encoding="utf-8"), told(root, walks)), encoding="utf-8")
    elif args.check:
        return check(page.read_text(encoding="utf-8"), walks)
    else:
        show(walks)
    return 0


def show(walks: list[Walk]) -> None:
    for walk in walks:
        print(f"\n{walk.title}: {_figures(Figures.of(walk.traces))}")
        for name, trace in walk.steps:
            print(f"  {name}: {_figures(Figures.of([trace]))}")
            for file in trace.files:
                print(f"    {file}")


def _figures(found: Figures) -> str:
    return f"{found.files} files, {found.folders} calls across top folders, {found.up} of them upwards"


def check(page: str, walks: list[Walk]) -> int:
    """Say where the page and the walks differ."""
    wanted = {
        (walk.title, f"{step[0].upper()}{step[1:]}"): set(reached)
        for walk in walks
        for step, reached in files(walk)
    }
    told = listed(page)
    for step in sorted({*wanted, *told}):
        for file in sorted(wanted.get(step, set()) ^ told.get(step, set())):
            how = "told but not reached" if file in told.get(step, set()) else "reached but not told"
            print(f"{' / '.join(step)}: {file} is {how}")
    return int(wanted != told)


if __name__ == "__main__":
    sys.exit(main())
