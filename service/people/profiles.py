"""Changing when one is awake: checked, kept with the time from which it holds, and seen by running clocks."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from engine.identity import of_account
from infra.people.accounts import Account, check_zone
from infra.people.profiles import Hours, Times, Vacation
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Tables
from service.views.summary import summary

SHORTEST_WAKING = 4 * 60  # minutes of a day
LONGEST_AHEAD = 366  # days that a vacation may be announced in advance
BUDGET = 30  # days of vacation in a calendar year


async def change(deps: Deps, account: Account, given: Mapping[str, Any]) -> Account:
    """Change settings; raises Problem and stores nothing if one of them makes no sense."""
    now = deps.now().timestamp()
    times = await deps.profiles.of(account.id)
    fresh = times
    if "tz" in given or "quiet_hours" in given:
        tz = given.get("tz", account.tz) or "UTC"
        check_zone(tz)  # before anything is reckoned in it
        quiet = given.get("quiet_hours", account.quiet_hours)
        fresh = replace(fresh, hours=(*fresh.hours, hours(now, tz, quiet)))
    if "vacation" in given:
        fresh = replace(fresh, vacations=tuple(_vacations(fresh, given["vacation"], now)))
    changed = await deps.accounts.update(account.id, **given)
    if fresh != times:
        await deps.profiles.put(account.id, fresh)
        await _look_at_clocks(deps, of_account(account.id))
    return changed


async def begin(deps: People, account: Account) -> None:
    """The first hours of a new account."""
    if account.tz:
        first = hours(deps.now().timestamp(), account.tz, None)
        await deps.profiles.put(account.id, Times((first,)))


def hours(since: float, tz: str, quiet: Mapping[str, str] | None) -> Hours:
    """Waking hours: what quiet hours leave of the day.

    >>> hours(0, "UTC", {"from": "22:00", "to": "07:00"})
    Hours(since=0, tz='UTC', wake=420, sleep=1320)
    """
    if quiet is None:
        return Hours(since, tz)
    wake, sleep = _minutes(quiet["to"]), _minutes(quiet["from"])
    if (sleep - wake) % (24 * 60) < SHORTEST_WAKING:
        raise _refused(
            f"quiet hours must leave at least {SHORTEST_WAKING // 60} waking hours a day.",
            f"hodiny klidu musí nechat ze dne aspoň {SHORTEST_WAKING // 60} hodiny.",
        )
    return Hours(since, tz, wake, sleep)


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def _vacations(times: Times, wanted: Mapping[str, str] | None, now: float) -> list[Vacation]:
    """The vacation that is announced replaces what is left of earlier ones; None only withdraws those."""
    tz = times.hours[-1].tz if times.hours else "UTC"
    today = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(tz)).date()
    kept = [v if v.last < today or v.withdrawn else replace(v, withdrawn=now) for v in times.vacations]
    if wanted is None:
        return kept
    fresh = Vacation(_day(wanted["from"]), _day(wanted["to"]), now)
    if fresh.last < fresh.first or fresh.last < today:
        raise _refused(
            "a vacation must not end before it begins, nor in the past.",
            "dovolená nesmí skončit dřív, než začne, ani v minulosti.",
        )
    if (fresh.last - today).days > LONGEST_AHEAD:
        raise _refused("a vacation must end within a year.", "dovolená musí skončit do roka.")
    _check_budget([*kept, fresh], tz)
    return [*kept, fresh]


def _check_budget(vacations: list[Vacation], tz: str) -> None:
    used: dict[int, set[date]] = {}
    for vacation in vacations:
        for day in _days(vacation, tz):
            used.setdefault(day.year, set()).add(day)
    for year, days in used.items():
        if len(days) > BUDGET:
            raise _refused(
                f"that would be {len(days)} days of vacation in {year}; at most {BUDGET} are allowed.",
                f"dovolené by v roce {year} bylo {len(days)} dní; nejvýše jich může být {BUDGET}.",
            )


def _days(vacation: Vacation, tz: str) -> Iterator[date]:
    """The days that count: a withdrawn vacation has used those that were begun."""
    last = vacation.last
    if vacation.withdrawn is not None:
        ended = datetime.fromtimestamp(vacation.withdrawn, UTC).astimezone(ZoneInfo(tz)).date()
        last = min(last, ended)
    day = vacation.first
    while day <= last:
        yield day
        day += timedelta(days=1)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _refused(
            "the days of a vacation are written like 2026-12-24.", "dny dovolené se píšou jako 2026-12-24."
        ) from None


def _refused(en: str, cs: str) -> Problem:
    return Problem("bad_setting", detail={"en": en, "cs": cs})


async def _look_at_clocks(deps: Tables, who: str) -> None:
    """A vacation moves running deadlines: say so where they are listed and looked for."""
    for mine in await deps.readmodel.turns(who):
        with passed_by(mine.summary.match):
            await _look_at_clock(deps, mine.summary.match)


async def _look_at_clock(deps: Tables, ident: str) -> None:
    match = await deps.matches.now(ident)
    if match.clock is not None:
        await deps.store.set_due(match.id, await deps.clocks.due(match), match.seq)
        deadlines, starts = await deps.clocks.deadlines(match), await deps.clocks.starts(match)
        await deps.readmodel.put(summary(match, deadlines, starts))
