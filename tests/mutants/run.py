"""Are the tests awake? Changes the code in a copy and sees whether a test notices.

`python -m tests.mutants.run` tries the curated list and 200 drawn at random; `--help` for parts of that.
A mutant is killed if a test fails with it. What survives needs a test, or a reason in `reasons.py`.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tests.mutants import curated, reasons
from tests.mutants.mutant import BROKEN, KILLED, SURVIVED, Copy, Mutant, Verdict


def main() -> int:
    options = _options()
    mutants = list(_mutants(options))
    verdicts = []
    for number, verdict in enumerate(_verdicts(mutants, options.jobs), 1):
        _say(f"{number:4d}/{len(mutants)} {_told(verdict)}")
        verdicts.append(verdict)
    return _summed(verdicts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--drawn", type=int, default=200, help="how many at random (0: none)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="curated ones whose name holds this, none at random")
    parser.add_argument("--no-curated", action="store_true")
    parser.add_argument(
        "--named", action="store_true", help="choose tests by names, not by what they run: begins at once"
    )
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def _mutants(options: argparse.Namespace) -> Iterator[Mutant]:
    if not options.no_curated:
        yield from (one for one in curated.mutants() if options.only in one.name)
    if options.drawn and not options.only:
        from tests.mutants.covering import covering
        from tests.mutants.drawn import drawn
        from tests.mutants.named import Named

        yield from drawn(options.drawn, options.seed, Named() if options.named else covering())


def _verdicts(mutants: list[Mutant], jobs: int) -> Iterator[Verdict]:
    """Each in a copy of the house that nobody else changes meanwhile."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: Queue[Copy] = Queue()
        for number in range(jobs):
            free.put(Copy(Path(folder, str(number))))

        def tried(mutant: Mutant) -> Verdict:
            copy = free.get()
            try:
                return copy.tried(mutant)
            finally:
                free.put(copy)

        yield from pool.map(tried, mutants)


def _told(verdict: Verdict) -> str:
    mutant = verdict.mutant
    words = f"{verdict.verdict:8} {mutant.name}  {verdict.by}"
    return words if verdict.verdict == KILLED else f"{words}\n          {mutant.where}"


def _summed(verdicts: list[Verdict]) -> int:
    by = {kind: [v for v in verdicts if v.verdict == kind] for kind in (KILLED, SURVIVED, BROKEN)}
    excused = [v for v in by[SURVIVED] if reasons.why(v.mutant)]
    for verdict in excused:
        _say(f"survives for a reason: {verdict.mutant.name}: {reasons.why(verdict.mutant)}")
    rate = 100 * len(by[KILLED]) / max(1, len(verdicts))
    open_ones = len(by[SURVIVED]) - len(excused)
    _say(
        f"{len(verdicts)} mutants: {len(by[KILLED])} killed ({rate:.1f} %), {open_ones} survive,"
        f" {len(excused)} survive for a reason, {len(by[BROKEN])} could not be tried"
    )
    return 1 if open_ones or by[BROKEN] else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
