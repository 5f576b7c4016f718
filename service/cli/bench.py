"""`turnlog bench`: how fast it is, as medians of interleaved repeats, so that noise hits all alike."""

import argparse
import statistics
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from service.bench.measure import Figure, Probe, run_probes
from service.cli.common import Commands, WrongUsage, command, print_json
from service.cli.progress import progress

SUITES = ("engine", "undo", "bots", "store", "api")  # modules of service/bench
APART = ("watchers", "fair", "queue", "turns")  # only by name: whole houses under load for half a minute
SCALE = "scale"  # alone: its figures are kept, and a model is computed from them


def add(commands: Commands) -> None:
    run = command(
        commands,
        "bench",
        bench,
        "Measures engine, undos, bots, store and API: median and range of interleaved repeats.\n\n"
        "docs/performance.md explains each line and what it is compared with.",
        "turnlog bench engine --repeats 5",
    )
    run.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join(SUITES)} (default: all of these), or {', '.join(APART)}, or {SCALE} alone",
    )
    run.add_argument("--repeats", type=int, default=3, help="rounds over all probes (default 3)")
    run.add_argument(
        "--seconds", type=float, default=1.0, help="how long a probe runs in a round (default 1)"
    )
    run.add_argument("--only", default="", help="only probes whose name contains this")
    run.add_argument("--json", action="store_true", help="one JSON document")
    of_scale = run.add_argument_group("scale")
    of_scale.add_argument("--figures", metavar="FILE", help="keep its figures there, or compute from those")
    of_scale.add_argument("--short", action="store_true", help="a minute or two instead of ten")
    of_scale.add_argument("--cluster", metavar="URL", help="measure on this empty cluster, too")
    of_scale.add_argument(
        "--check", type=int, metavar="MATCHES", help="fill a house with so many and compare it with the model"
    )
    of_scale.add_argument("--minutes", type=float, default=10.0, help="how long a check takes (default 10)")
    of_scale.add_argument(
        "--times", type=float, default=2.5, help="the pace of a check over the mean of a day (default 2.5)"
    )


def bench(args: argparse.Namespace) -> None:
    if args.names == [SCALE]:
        scale(args)
        return
    unknown = sorted(set(args.names) - {*SUITES, *APART})
    if unknown:
        known = ", ".join((*SUITES, *APART))
        raise WrongUsage(f"there is no benchmark {', '.join(unknown)}; choose from {known}")
    if args.repeats < 1 or args.seconds <= 0:
        raise WrongUsage("--repeats and --seconds must be positive")
    report = []
    for name in args.names or SUITES:
        with import_module(f"service.bench.{name}").probes() as probes:
            chosen = [probe for probe in probes if args.only in probe.name]
            report += run_probes(chosen, args.repeats, args.seconds, progress)
    print_json([_plain(figure) for figure in report]) if args.json else _print(report)


def scale(args: argparse.Namespace) -> None:
    """Measure, or check what was measured; the tables of docs/scale.md."""
    from service.bench.scale import checking, measuring, model, report

    kept = Path(args.figures) if args.figures else None
    if args.check is not None and (kept is None or args.check < 1 or args.minutes <= 0 or args.times <= 0):
        raise WrongUsage("--check needs --figures that were measured before, and positive numbers")
    if args.check is not None and kept is not None:
        found = msgspec.json.decode(kept.read_bytes(), type=model.Figures)
        outcome = checking.check(found, args.check, args.minutes, args.times, model.Habits())
        found.checks = [*(one for one in found.checks if one.matches != outcome.matches), outcome]
    else:
        pace = measuring.SHORT if args.short else measuring.Pace()
        found = measuring.figures(pace, args.cluster, lambda text: print(text, file=sys.stderr))
    if kept is not None:
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    print_json(found) if args.json else print(report.text(found))


def _plain(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.probe.name,
        "unit": figure.probe.unit,
        "median": round(statistics.median(figure.values), 3),
        "low": round(min(figure.values), 3),
        "high": round(max(figure.values), 3),
        "repeats": len(figure.values),
        "target": figure.probe.target,
        "reached": _reached(figure.probe, statistics.median(figure.values)),
    }


def _reached(probe: Probe, value: float) -> bool | None:
    if probe.target is None:
        return None
    return value <= probe.target if probe.less_is_better else value >= probe.target


def _print(report: list[Figure]) -> None:
    print(f"{'':<52}{'median':>12}{'low':>12}{'high':>12}{'target':>12}  unit")
    for figure in report:
        row = _plain(figure)
        target = "" if row["target"] is None else f"{row['target']:,.6g}"
        mark = {True: " ok", False: " --", None: ""}[row["reached"]]
        cells = "".join(f"{row[key]:>12,.6g}" for key in ("median", "low", "high"))
        print(f"{row['name']:<52}{cells}{target:>12}  {row['unit']}{mark}")
