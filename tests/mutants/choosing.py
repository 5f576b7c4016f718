"""Which tests to try a mutant with, and in which order."""

from collections import Counter

from tests.mutants.covering import Covering
from tests.mutants.mutant import TREE, Chosen, Mutant
from tests.mutants.named import named
from tests.mutants.planting import runs_at_import

PATIENCE = 8  # a busy machine is so many times slower than it was when the tests were timed
START_S = 40.0  # to import the house, on such a machine


class Choosing:
    """Those that run the changed line, the quickest first, until they would take `enough` seconds."""

    def __init__(self, covering: Covering, enough: float) -> None:
        self._covering, self._enough = covering, enough

    def chosen(self, mutant: Mutant) -> Chosen:
        tests = self._mixed(self._candidates(mutant))
        if not tests:  # nothing is known of them: a script, or a process that no probe speaks from
            tests = list(mutant.tests)
        longest = max((self._covering.seconds(test) for test in tests), default=0.0)
        together = sum(self._covering.seconds(test) for test in tests)
        if tests == list(mutant.tests):
            return Chosen(tuple(tests), each_s=120, all_s=1200)
        return Chosen(tuple(tests), START_S + PATIENCE * longest, 2 * START_S + PATIENCE * together)

    def _candidates(self, mutant: Mutant) -> list[str]:
        found = self._covering.tests(mutant)
        if mutant.tests:
            wanted = mutant.tests
            return [t for t in found or self._covering.all() if _is_in(t, wanted)]
        at_import = runs_at_import((TREE / mutant.path).read_text(encoding="utf-8"), mutant.line)
        if found and not at_import:
            return found
        wanted = named(mutant.path)
        return [*found, *(t for t in self._covering.all() if t not in found and _is_in(t, wanted))]

    def _mixed(self, tests: list[str]) -> list[str]:
        """One case of each test before the second of any; then by cost, as far as there is time."""
        seconds = self._covering.seconds
        cases: Counter[str] = Counter()
        ranked = []
        for test in sorted(tests, key=lambda test: (seconds(test), test)):
            function = test.partition("[")[0]
            cases[function] += 1
            ranked.append((cases[function].bit_length(), seconds(test), test))
        chosen: list[str] = []
        spent = 0.0
        for _, cost, test in sorted(ranked):
            if chosen and spent + cost > self._enough:
                continue
            spent += cost
            chosen.append(test)
        return chosen


def _is_in(test: str, places: tuple[str, ...]) -> bool:
    return any(test == place or test.startswith((f"{place}/", f"{place}::")) for place in places)
