"""Are the tests awake? Changes the code in a copy and sees whether a test notices.

`python -m tests.mutants.run` tries the curated list and 200 drawn at random; `--help` for parts of that.
A mutant is killed if a test fails with it. What survives needs a test, or a reason in `reasons.py`.
It may be stopped at any time; the next run goes on from there (`.mutants/`).
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import Queue

from tests.mutants import curated, reasons
from tests.mutants.choosing import Choosing
from tests.mutants.covering import KEPT, Covering, covering, is_kept
from tests.mutants.mutant import BROKEN, KILLED, SURVIVED, Chosen, Copy, Mutant, Verdict
from tests.mutants.verdicts import Verdicts

Work = tuple[Mutant, Chosen]


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it wants the sum, too
    options = _options()
    try:
        return _run(options)
    except KeyboardInterrupt:
        _say("stopped before any mutant was tried; the next run goes on from here")
        return 1


def _run(options: argparse.Namespace) -> int:
    every = list(_mutants(options))
    known = Covering({}, {}) if options.only and not is_kept() else covering(every, _say)
    choosing = Choosing(known, options.enough)  # for a few alone nobody waits until all tests have run once
    work = [(one, choosing.chosen(one)) for one in every if _is_meant(one, options)]
    verdicts = Verdicts(KEPT / "verdicts.jsonl", options.afresh)
    done: list[Verdict] = []
    try:
        for verdict in _all(work, verdicts, options.jobs):
            done.append(verdict)
            _say(f"{len(done):4d}/{len(work)} {_told(verdict)}")
    except KeyboardInterrupt:
        _say(f"stopped after {len(done)} of {len(work)}; the next run goes on from here")
    return _summed(done, len(work))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--drawn", type=int, default=200, help="how many at random (0: none)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only those whose name holds this")
    parser.add_argument("--no-curated", action="store_true", help="only those at random")
    parser.add_argument("--no-drawn", action="store_true", help="only the curated ones")
    parser.add_argument("--enough", type=float, default=60.0, help="seconds of tests for one mutant")
    parser.add_argument("--afresh", action="store_true", help="believe no verdict of an earlier run")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def _mutants(options: argparse.Namespace) -> Iterator[Mutant]:
    """All of them, whatever is meant now: what the tests run is found out once for all."""
    yield from curated.mutants()
    if options.drawn:
        from tests.mutants.drawn import drawn

        yield from drawn(options.drawn, options.seed, KEPT)


def _is_meant(mutant: Mutant, options: argparse.Namespace) -> bool:
    chosen_by_hand = bool(mutant.tests)
    left_out = options.no_curated if chosen_by_hand else options.no_drawn
    return not left_out and options.only in mutant.name


def _all(work: list[Work], verdicts: Verdicts, jobs: int) -> Iterator[Verdict]:
    """What is known already, then the rest: first what was never tried, then survivors with other tests."""
    open_ones = []
    for mutant, chosen in work:
        known = verdicts.known(mutant, chosen)
        if known is None:
            open_ones.append((mutant, chosen))
        else:
            yield known
    open_ones.sort(key=lambda one: not verdicts.is_new(one[0]))
    for verdict, chosen in _tried(open_ones, jobs):
        verdicts.keep(verdict, chosen)
        yield verdict


def _tried(work: list[Work], jobs: int) -> Iterator[tuple[Verdict, Chosen]]:
    """Each in a copy of the house that nobody else changes meanwhile."""
    if not work:
        return
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [Copy(Path(folder, str(number))) for number in range(jobs)]
        free: Queue[Copy] = Queue()
        for copy in copies:
            free.put(copy)

        def tried(mutant: Mutant, chosen: Chosen) -> tuple[Verdict, Chosen]:
            copy = free.get()
            try:
                return copy.tried(mutant, chosen), chosen
            finally:
                free.put(copy)

        pool = ThreadPoolExecutor(jobs)
        try:
            for future in as_completed([pool.submit(tried, *one) for one in work]):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.close()
            pool.shutdown()


def _told(verdict: Verdict) -> str:
    mutant = verdict.mutant
    words = f"{verdict.verdict:8} {mutant.name}  {verdict.by}  {verdict.seconds:.0f} s"
    if verdict.verdict == KILLED:
        return words
    return f"{words}, {verdict.tests} tests\n          {mutant.where}"


def _summed(verdicts: list[Verdict], wanted: int) -> int:
    by = {kind: [v for v in verdicts if v.verdict == kind] for kind in (KILLED, SURVIVED, BROKEN)}
    excused = [v for v in by[SURVIVED] if reasons.why(v.mutant)]
    for verdict in by[SURVIVED]:
        why = reasons.why(verdict.mutant)
        _say(
            f"survives{' for a reason' if why else ''}: {verdict.mutant.name}: {why or verdict.mutant.where}"
        )
    rate = 100 * len(by[KILLED]) / max(1, len(verdicts))
    open_ones = len(by[SURVIVED]) - len(excused)
    _say(
        f"{len(verdicts)} mutants: {len(by[KILLED])} killed ({rate:.1f} %), {open_ones} survive,"
        f" {len(excused)} survive for a reason, {len(by[BROKEN])} could not be tried"
        + (f"; {wanted - len(verdicts)} not reached" if wanted > len(verdicts) else "")
    )
    return 1 if open_ones or by[BROKEN] or wanted > len(verdicts) else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
