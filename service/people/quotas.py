"""What a caller may do so often and no more, each with its own refusal. docs/quotas.md lists all of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from infra.people.accounts import Account
from infra.people.names import fold_any
from infra.people.quotas import Window, network
from infra.process.bounds import DAY, HOUR
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Process

LONGEST_S = 15 * 60  # that a guesser waits …
LONGEST_NAME_S = 30  # … and that guessers elsewhere may make the owner wait
ENDED = ("finished", "cancelled")
UNBOUNDED = 1_000_000_000
LONGEST_OPENING_S = 60
COMING = "new:"  # a table that is being opened; no id of a match looks like this


@asynccontextmanager
async def taking(deps: People, window: Window, who: str, code: str = "too_often") -> AsyncIterator[None]:
    """Count what is done inside; what is refused inside was not done."""
    await take(deps, window, who, code)
    try:
        yield
    except Exception:
        await deps.quotas.give_back(window, who)
        raise


async def take(deps: People, window: Window, who: str, code: str = "too_often") -> None:
    """Count one more of something. Raises Problem with the seconds to wait."""
    wait = await deps.quotas.take(window, who)
    if wait:
        raise later(code, wait, window.most)


def later(code: str, wait: int, limit: int = 0) -> Problem:
    """A refusal that says when to come back."""
    problem = Problem(code, limit=limit, minutes=-(-wait // 60), seconds=wait)
    problem.headers["Retry-After"] = str(wait)
    return problem


@asynccontextmanager
async def new_account(deps: People, address: str) -> AsyncIterator[None]:
    bounds, where = deps.settings.bounds, network(address)
    hourly = Window("accounts", bounds.accounts_hour, HOUR)
    daily = Window("accounts-day", bounds.accounts_day, DAY)
    code = "too_many_accounts"
    async with taking(deps, hourly, where, code), taking(deps, daily, where, code):
        yield


@asynccontextmanager
async def new_table(deps: Deps, account: Account) -> AsyncIterator[list[str]]:
    """Open a table inside, and put its id into the list."""
    bounds = deps.settings.bounds
    hourly = Window("tables", bounds.guest_tables_hour if account.guest else bounds.tables_hour, HOUR)
    most = bounds.guest_tables if account.guest else bounds.tables
    await take(deps, hourly, account.id, "too_many_tables")
    place = f"{COMING}{int(deps.now().timestamp())}:{deps.new_id()}"
    await _take_place(deps, account.id, place, most)  # looks at many tables: counted even if it refuses
    opened: list[str] = []
    try:
        yield opened
        for match in opened:
            await deps.quotas.join(account.id, match, UNBOUNDED)  # it takes the place that was kept for it
    except Exception:
        await deps.quotas.give_back(hourly, account.id)
        raise
    finally:
        await deps.quotas.strike(account.id, [place])


async def _take_place(deps: Deps, account: str, place: str, most: int) -> None:
    """A table more, unless so many are not over yet. Those that are over are struck off when it matters."""
    if await deps.quotas.join(account, place, most):
        return
    noted = await deps.quotas.noted(account)
    listed = await deps.readmodel.statuses(noted)
    over = [one for one in noted if listed.get(one) in ENDED or _is_stale(deps, one)]
    await deps.quotas.strike(account, over)
    if not await deps.quotas.join(account, place, most):
        raise Problem("too_many_open_tables", limit=most)


def _is_stale(deps: Process, noted: str) -> bool:
    """A table that was being opened, so long ago that whoever did it must have died."""
    began = noted.removeprefix(COMING).partition(":")[0]
    return noted.startswith(COMING) and deps.now().timestamp() - int(began) > LONGEST_OPENING_S


async def letter(deps: People, account: str, address: str | None) -> None:
    """A message that somebody has us send at once. Notices of turns are not counted."""
    bounds = deps.settings.bounds
    await take(deps, Window("letters", bounds.letters_day, DAY), account, "too_many_letters")
    if address is not None:
        await letter_to(deps, address)


async def letter_to(deps: People, address: str) -> None:
    window = Window("letters-to", deps.settings.bounds.letters_to_day, DAY)
    await take(deps, window, address.lower(), "too_many_letters")


async def recovery(deps: People, name: str, address: str) -> None:
    """Counted for names that nobody has as well, so that the answer tells nothing."""
    bounds = deps.settings.bounds
    by_address = Window("recoveries-from", bounds.recoveries_address_hour, HOUR)
    await take(deps, by_address, network(address), "too_many_recoveries")
    by_name = Window("recoveries", bounds.recoveries_hour, HOUR)
    await take(deps, by_name, fold_any(name), "too_many_recoveries")


async def guess(deps: People, name: str, address: str, known: bool) -> None:
    """Before a password is compared: guessers wait longer and longer. Raises Problem too_many_attempts.

    A device on which the owner has signed in before (`known`) waits for its own mistakes only.
    """
    bounds, where, folded = deps.settings.bounds, network(address), fold_any(name)
    if not known:
        await _attempt(deps, "address", where, bounds.sign_ins_address, LONGEST_S)
        await _attempt(deps, "name", folded, bounds.sign_ins_name, LONGEST_NAME_S)
    await _attempt(deps, "pair", _pair(folded, where, known), bounds.sign_ins, LONGEST_S)


async def known_after_all(deps: People, name: str, address: str, known: bool) -> None:
    """The password was right. Other names tried from there stay counted."""
    await deps.quotas.forgive("sign-in:pair", _pair(fold_any(name), network(address), known))


async def own_password(deps: People, account: str) -> None:
    """The password of somebody who is signed in already. Raises Problem too_many_attempts."""
    await _attempt(deps, "own", account, deps.settings.bounds.sign_ins, LONGEST_S)


async def own_password_known(deps: People, account: str) -> None:
    await deps.quotas.forgive("sign-in:own", account)


def _pair(name: str, where: str, known: bool) -> str:
    return f"{name}\n{where}\n{known}"


async def _attempt(deps: People, what: str, who: str, free: int, longest: int) -> None:
    wait = await deps.quotas.attempt(f"sign-in:{what}", who, free, longest)
    if wait:
        raise later("too_many_attempts", wait)


@asynccontextmanager
async def new_settings(deps: People, account: str) -> AsyncIterator[None]:
    """Hours and vacations are kept with the time from which they hold, so each change is kept."""
    async with taking(deps, Window("settings", deps.settings.bounds.settings_day, DAY), account):
        yield


async def new_import(deps: People, account: str, address: str) -> None:
    """A log may be as long as thousands of tables, and names for guests cost nothing."""
    by_address = Window("imports-from", deps.settings.bounds.imports_address_day, DAY)
    await take(deps, by_address, network(address))
    await often(deps, "imports", account)


async def often(deps: People, what: str, account: str) -> None:
    """Things that are kept or costly, and that nobody needs more often than this."""
    bounds = deps.settings.bounds
    window = {
        "exports": Window("exports", bounds.exports_hour, HOUR),
        "words": Window("words", bounds.words_hour, HOUR),
        "imports": Window("imports", bounds.imports_day, DAY),
    }[what]
    await take(deps, window, account)
