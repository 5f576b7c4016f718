"""What became of each mutant so far, in a file: whoever is interrupted goes on where it stopped.

A kill is believed as long as the changed file is the same; a survivor as long as its tests are, too, or if it
has a reason to live.
"""

import hashlib
import json
import subprocess
from functools import cache
from pathlib import Path

from tests.mutants.mutant import BROKEN, KILLED, TREE, Chosen, Mutant, Verdict
from tests.mutants.reasons import why


class Verdicts:
    def __init__(self, file: Path, afresh: bool) -> None:
        self._file = file
        self._known: dict[str, dict[str, str]] = {}
        if afresh:
            file.unlink(missing_ok=True)
        if file.exists():
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            self._known = {row["key"]: row for row in rows}

    def known(self, mutant: Mutant, chosen: Chosen) -> Verdict | None:
        row = self._known.get(_key(mutant))
        if row is None:
            return None
        stays = row["verdict"] == KILLED or why(mutant) or row["tests"] == _digest(chosen)
        return Verdict(mutant, row["verdict"], row["by"]) if stays else None

    def is_new(self, mutant: Mutant) -> bool:
        """Whether it was never tried at all."""
        return _key(mutant) not in self._known

    def keep(self, verdict: Verdict, chosen: Chosen) -> None:
        if verdict.verdict == BROKEN:  # that says nothing; it is tried again
            return
        row = {
            "key": _key(verdict.mutant),
            "name": verdict.mutant.name,
            "where": verdict.mutant.where,
            "verdict": verdict.verdict,
            "by": verdict.by,
            "seconds": f"{verdict.seconds:.1f}",
            "tests": _digest(chosen),
            "commit": _commit(),
        }
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")


def _key(mutant: Mutant) -> str:
    """With its places: the same change may be tried with two kinds of tests."""
    return f"{mutant.key} {' '.join(mutant.tests)}"


def _digest(chosen: Chosen) -> str:
    digest = hashlib.sha256("\n".join(chosen.tests).encode())
    for file in sorted({test.partition("::")[0] for test in chosen.tests}):
        digest.update(_content(file))
    return digest.hexdigest()[:16]


@cache
def _content(place: str) -> bytes:
    files = [TREE / place] if (TREE / place).is_file() else sorted((TREE / place).rglob("*.py"))
    return b"".join(file.read_bytes() for file in files)


@cache
def _commit() -> str:
    """For people who read the file; empty where there is no repository."""
    run = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TREE, check=False, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""
