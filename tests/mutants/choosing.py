"""Which tests to try a mutant with, and in which order."""

from collections import Counter

from tests.mutants.covering import Covering
from tests.mutants.mutant import Chosen, Mutant
from tests.mutants.named import named

PATIENCE = 8  # a busy machine is so many times slower than it was when the tests were timed
BASE_S = 15.0  # and may stand still for so long
UNKNOWN_S = 1200.0  # for tests of which nothing is known, all of them together


class Choosing:
    """Those that run the changed line, the quickest first, until they would take `enough` seconds."""

    def __init__(self, covering: Covering, enough: float) -> None:
        self._covering, self._enough = covering, enough

    def chosen(self, mutant: Mutant) -> Chosen:
        tests: list[str] = []
        for candidates in self._candidates(mutant):
            tests += self._mixed([test for test in candidates if test not in tests], tests)
        if not tests:  # nothing is known of them: a script, or a process that no probe speaks from
            return Chosen(mutant.tests or named(mutant.path), {}, UNKNOWN_S)
        each = {test: BASE_S + PATIENCE * self._covering.seconds(test) for test in tests}
        return Chosen(tuple(tests), each, BASE_S * 10 + PATIENCE * self._cost(tests))

    def _candidates(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """Those that run it, then those that may: at import nobody knows for whom a line runs."""
        wanted, everywhere = mutant.tests or named(mutant.path), not mutant.tests
        found = [test for test in self._covering.tests(mutant) if everywhere or _is_in(test, wanted)]
        return found, [test for test in self._covering.all() if _is_in(test, wanted)]

    def _mixed(self, tests: list[str], before: list[str]) -> list[str]:
        """One case of each test before the second of any; then by cost, as far as there is time."""
        seconds = self._covering.seconds
        cases: Counter[str] = Counter()
        ranked = []
        for test in sorted(tests, key=lambda test: (seconds(test), test)):
            function = test.partition("[")[0]
            cases[function] += 1
            ranked.append((cases[function].bit_length(), seconds(test), test))
        chosen: list[str] = []
        spent = self._cost(before)
        for _, cost, test in sorted(ranked):
            if spent + cost <= self._enough or not (before or chosen):
                spent += cost
                chosen.append(test)
        return chosen

    def _cost(self, tests: list[str]) -> float:
        return sum(self._covering.seconds(test) for test in tests)


def _is_in(test: str, places: tuple[str, ...]) -> bool:
    return any(test == place or test.startswith((f"{place}/", f"{place}::")) for place in places)
