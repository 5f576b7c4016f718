"""What the seats of a new table are for, and which remote bot may be given one, by whom and where."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bots.registry import BOTS
from engine.events import Holder, Place
from engine.identity import account_id, of_account
from engine.match import Match
from infra.people.bots import Bot
from service.basics.errors import Problem
from service.bootstrap import People

PLACES = ("me", "open", "bot", "invite", "remote")


async def find(deps: People, name: str) -> Bot | None:
    """A remote bot by its name, however it is written."""
    account = await deps.accounts.find(name)
    return await deps.bots.get(account.id) if account is not None and account.bot else None


async def places(
    deps: People, seats: Sequence[dict[str, Any]], who: str, game: str, listed: bool
) -> list[tuple[Place, Holder | None]]:
    """What each seat is opened for, and who sits there already."""
    remotes = await _invited(deps, seats, who, game, listed)
    placed = [_place(seat, who, remotes) for seat in seats]
    await check_company(deps, [place.kind for place, _ in placed], who)
    return placed


async def check_company(deps: People, kinds: Sequence[str], who: str) -> None:
    """Bots that play for nobody cost the house as much as others: guests come and go without number."""
    if set(kinds) != {"bot"}:
        return
    account = await deps.accounts.get(account_id(who))
    if account is not None and account.guest:
        raise Problem("bots_alone")


def _place(seat: dict[str, Any], who: str, remotes: Mapping[str, Bot]) -> tuple[Place, Holder | None]:
    match seat:
        case {"kind": "me", **rest} if not rest:
            return Place("person"), Holder("person", who)
        case {"kind": "open" | "invite" as kind, **rest} if not rest:
            return Place(kind), None
        case {"kind": "bot", "bot": str(bot), **rest} if not rest:
            if bot not in BOTS:
                raise Problem("unknown_bot", bot=bot[:40])
            return Place("bot"), Holder("bot", bot)
        case {"kind": "remote", "bot": str(bot), **rest} if not rest:
            return Place("remote"), Holder("remote", of_account(remotes[bot].id))
    kinds = ", ".join(PLACES)
    detail = {
        "en": f"a seat is one of {kinds}; a bot's seat names its bot.",
        "cs": f"místo je jedno z {kinds}; u bota i jeho jméno.",
    }
    raise Problem("bad_request", detail=detail)


async def _invited(
    deps: People, seats: Iterable[dict[str, Any]], who: str, game: str, listed: bool
) -> dict[str, Bot]:
    """The remote bots that somebody wants at a table, by the name they are asked for with."""
    names = [
        seat["bot"] for seat in seats if seat.get("kind") == "remote" and isinstance(seat.get("bot"), str)
    ]
    found = {name: await _bot(deps, name) for name in names}
    if len({bot.id for bot in found.values()}) < len(names):
        raise Problem("bot_seated_twice")
    for bot in found.values():
        check(bot, who, game, listed)
    return found


async def _bot(deps: People, name: str) -> Bot:
    bot = await find(deps, name)
    if bot is None:
        raise Problem("unknown_bot", bot=name[:40])
    return bot


def check(bot: Bot, who: str, game: str, listed: bool) -> None:
    """Refuse a seat: what the bot is comes before what its owner wants."""
    account = account_id(who)
    if not bot.enabled:
        raise Problem("bot_disabled", bot=bot.name)
    if game not in bot.games:
        raise Problem("bot_cannot_play", bot=bot.name)
    if bot.sandbox and (account != bot.owner or listed):
        raise Problem("bot_in_sandbox", bot=bot.name)
    if not _welcome(bot, account):
        raise Problem("bot_not_for_you", bot=bot.name)


def _welcome(bot: Bot, account: str) -> bool:
    if account == bot.owner or bot.seating.who == "anybody":
        return True
    return bot.seating.who == "listed" and account in bot.seating.accounts


async def has_guest(deps: People, match: Match) -> bool:
    """Whether somebody without a password has a seat: names that anybody makes by the dozen do not count."""
    holders = [chair.owner or chair.holder for chair in match.chairs]
    people = [account_id(holder.id) for holder in holders if holder and holder.kind == "person"]
    accounts = [await deps.accounts.get(one) for one in people]
    return any(account is not None and account.guest for account in accounts)


async def sandboxed(deps: People, match: Match) -> bool:
    """Whether a bot that is only being tried sits at a table: such results do not count."""
    remotes = [chair.holder for chair in match.chairs if chair.holder and chair.holder.kind == "remote"]
    bots = [await deps.bots.get(account_id(holder.id)) for holder in remotes]
    return any(bot is not None and bot.sandbox for bot in bots)
