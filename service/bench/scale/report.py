"""Figures and what follows from them, as rows of tables: for the terminal and for docs/scale.md."""

from collections.abc import Sequence

from service.bench.scale.model import DAY_S, ROLES, Figures, Habits, load, most_matches, needs

HOUSES = (10_000, 100_000, 1_000_000, 10_000_000)
Rows = tuple[Sequence[str], list[Sequence[str]]]  # heads, and the rows under them


def made(figures: Figures) -> Rows:
    return ("when and on what",), [(figures.made,)]


def habits(_: Figures) -> Rows:
    """What is assumed and not measured."""
    plain = Habits()
    rows: list[Sequence[str]] = [
        ("moves in an open match, a day", f"{plain.moves_a_day:g}"),
        ("of these by built-in bots", f"{100 * plain.bots_share:.0f} %"),
        ("requests that only read, for each move of a person", f"{plain.looks_a_move:g}"),
        ("the busiest hour over the mean", f"{plain.busiest:g}"),
        ("events of a match in the middle of its life", f"{plain.events:g}"),
        ("streams for each open match, in the busiest hour", f"{plain.watching:g}"),
        ("notices for each move", f"{plain.notices_a_move:g}"),
    ]
    return ("what", "assumed"), rows


def costs(figures: Figures) -> Rows:
    """CPU of each role for what happens, and what it uses when nothing does."""
    rows: list[Sequence[str]] = [
        (
            role,
            _us(figures.action_us, role),
            _us(figures.turn_us, role),
            _us(figures.look_us, role),
            f"{100 * figures.idle.get(role, 0):.1f} %",
        )
        for role in ROLES
    ]
    return ("role", "an action", "a bot's turn", "a look", "idle, of a core"), rows


def _us(found: dict[str, float], role: str) -> str:
    return f"{max(0.0, found.get(role, 0)):.0f} us"


def sizes(figures: Figures) -> Rows:
    rows: list[Sequence[str]] = [
        ("a match that has just begun, in the store", f"{figures.match_bytes / 1e3:.1f} KB"),
        ("an event, in the store", f"{figures.event_bytes:.0f} bytes"),
        ("a watcher, in the API", f"{figures.watcher_bytes / 1e3:.1f} KB"),
        ("CPU of the API for an event that a watcher hears", f"{figures.heard_us:.0f} us"),
        ("p99 of an action in a quiet house", f"{figures.quiet_p99_ms:.1f} ms"),
        *(
            (f"one process: {role}", f"{size / 1e6:.0f} MB")
            for role, size in figures.role_bytes.items()
            if size
        ),
    ]
    return ("what", "measured"), rows


def rates(figures: Figures) -> Rows:
    rows: list[Sequence[str]] = [
        (f"actions, {one.apis} API, {one.store}", f"{one.a_second:.0f}/s", f"{one.p99_ms:.0f} ms")
        for one in figures.rates
    ]
    rows += [(f"bots' turns, {workers} workers", f"{rate:.0f}/s", "") for workers, rate in figures.bots]
    return ("what", "rate", "p99"), rows


def houses(figures: Figures, wanted: Habits | None = None) -> Rows:
    """What houses need in their busiest hour: computed, not seen."""
    rows: list[Sequence[str]] = []
    for found in (needs(figures, count, wanted or Habits()) for count in HOUSES):
        many = ", ".join(f"{found.processes[role]} {role}" for role in ROLES)
        rows.append(
            (
                f"{found.matches:,}",
                f"{found.moves:.2f}",
                f"{sum(found.cores.values()):.2f}",
                f"{found.store_gb:.1f} GB",
                many,
                str(found.machines),
                f"{found.p99_ms:.0f} ms",
            )
        )
    return ("open matches", "moves a second", "cores busy", "store", "processes", "machines", "p99"), rows


def limits(figures: Figures, wanted: Habits | None = None) -> Rows:
    rows: list[Sequence[str]] = [
        (what, f"{_rounded(count):,}")
        for what, count in sorted(most_matches(figures, wanted or Habits()).items(), key=lambda one: one[1])
    ]
    return ("what cannot be multiplied", "open matches until then"), rows


def day(figures: Figures, wanted: Habits | None = None, matches: int = 1_000_000) -> Rows:
    """A day of a large house: computed, not seen."""
    played = wanted or Habits()
    mean, busiest = load(matches, played, 1.0), load(matches, played)
    rows: list[Sequence[str]] = [
        ("people's moves", _million(mean.actions), f"{busiest.actions:.1f}/s"),
        ("bots' turns", _million(mean.turns), f"{busiest.turns:.1f}/s"),
        ("looks", _million(mean.looks), f"{busiest.looks:.1f}/s"),
        (
            "notices",
            _million(mean.moves * played.notices_a_move),
            f"{busiest.moves * played.notices_a_move:.1f}/s",
        ),
        ("new events in the store", _gigabytes(mean.moves * figures.event_bytes), ""),
    ]
    return ("what", "in a day", "in the busiest hour"), rows


def checks(figures: Figures) -> Rows:
    rows: list[Sequence[str]] = [
        (
            f"{one.matches:,} matches, {one.minutes:g} minutes, {one.times:g} times the mean pace",
            what,
            f"{said:.3g}",
            f"{seen:.3g}",
            f"{100 * (said - seen) / seen:+.0f} %",
        )
        for one in figures.checks
        for what, said, seen in one.rows
    ]
    return ("house", "what", "computed", "seen", "off by"), rows


TABLES = {
    "made": made,
    "habits": habits,
    "costs": costs,
    "sizes": sizes,
    "rates": rates,
    "houses": houses,
    "limits": limits,
    "day": day,
    "checks": checks,
}


def text(figures: Figures) -> str:
    """All tables, for a terminal."""
    parts = []
    for name, table in TABLES.items():
        heads, rows = table(figures)
        lines = [[name if n == 0 else "", *row] for n, row in enumerate([heads, *rows])]
        wide = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
        parts.append(
            "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, wide, strict=True)) for line in lines)
        )
    return "\n\n".join(parts)


def _million(a_second: float) -> str:
    return f"{a_second * DAY_S / 1e6:.1f} million"


def _gigabytes(a_second: float) -> str:
    return f"{a_second * DAY_S / 1e9:.1f} GB"


def _rounded(count: float) -> int:
    """Two figures: more would be made up."""
    whole = int(count)
    step = int(10 ** max(0, len(str(whole)) - 2))
    return whole // step * step
