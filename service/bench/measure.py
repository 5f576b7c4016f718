"""A probe measures one thing for a while; rounds over all probes alternate, so that noise hits all alike."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Probe(NamedTuple):
    """`run(seconds)` returns one value in `unit`; `target` is what docs/performance.md promises."""

    name: str
    unit: str
    run: Callable[[float], float]
    target: float | None = None
    less_is_better: bool = False


class Figure(NamedTuple):
    probe: Probe
    values: list[float]


Progress = Callable[[Iterator[Figure], int, str], Iterator[Figure]]  # how whoever asked shows that it goes on


def run_probes(probes: Sequence[Probe], repeats: int, seconds: float, progress: Progress) -> list[Figure]:
    figures = [Figure(probe, []) for probe in probes]
    rounds: Iterator[Figure] = (figure for _ in range(repeats) for figure in figures)
    for figure in progress(rounds, repeats * len(figures), "bench"):
        figure.values.append(figure.probe.run(seconds))
    return figures


def rate(step: Callable[[], int], seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """How many units a second: `step` returns how many it did. CPU time unless told otherwise."""
    done = 0
    started = clock()
    while (spent := clock() - started) < seconds:
        done += step()
    return done / spent
