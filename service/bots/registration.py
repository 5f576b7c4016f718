"""Remote bots come and go: registered, changed, given new secrets, taken away. By their owners alone."""

import base64
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from engine import registry, tenure
from engine.identity import of_account
from engine.table import LogWriter
from infra.outside.outward import OutwardRefused
from infra.people.accounts import Account
from infra.people.bots import Bot, Delivery, Seating, Secret
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Tables
from service.commands.append import on_table
from service.commands.seating import find
from service.notices.channels import REASONS

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
NAMED = {
    "en": "a bot's name has 1 to 40 characters out of A-Z a-z 0-9 . _ - and begins with a letter or a digit.",
    "cs": "jméno bota má 1 až 40 znaků A-Z a-z 0-9 . _ - a začíná písmenem nebo číslicí.",
}
OVERLAP_MS = 24 * 3600 * 1000  # so long a replaced secret signs along
SCOPE = "bot"


async def register(deps: People, owner: Account, name: str, fields: dict[str, Any]) -> tuple[Bot, str, str]:
    """A new bot; returns it with its token and its secret, which are shown only now."""
    if not NAME.fullmatch(name):
        raise Problem("bad_name", detail=NAMED)
    most = deps.settings.bounds.guest_bots if owner.guest else deps.settings.bounds.bots
    if len(await deps.bots.of(owner.id)) >= most:
        raise Problem("too_many", limit=most)
    checked = await _checked(deps, owner, fields)
    account = await deps.accounts.create(name, bot=True)
    secret = new_secret()
    bot = Bot(
        id=account.id,
        name=account.name,
        owner=owner.id,
        created=account.created,
        secrets=(Secret(secret),),
        **checked,
    )
    await deps.bots.put(bot)
    return bot, await _token(deps, bot), secret


async def change(deps: People, owner: Account, bot: Bot, fields: dict[str, Any]) -> Bot:
    checked = await _checked(deps, owner, fields)
    return await _changed(deps, bot, lambda now: replace(now, **checked))


async def _changed(deps: People, bot: Bot, how: Callable[[Bot], Bot]) -> Bot:
    changed = await deps.bots.change(bot.id, how)
    if changed is None:  # taken away meanwhile
        raise Problem("not_found")
    return changed


async def rotate_token(deps: People, bot: Bot) -> str:
    """A new token; the old one ends at once."""
    await deps.tokens.revoke_all(bot.id)
    return await _token(deps, bot)


async def rotate_secret(deps: People, bot: Bot) -> tuple[Bot, str]:
    """A new secret; both sign for a day, so that the bot can be told without missing a turn."""
    until = int(deps.now().timestamp() * 1000) + OVERLAP_MS
    fresh = new_secret()

    def rotated(now: Bot) -> Bot:
        return replace(now, secrets=(Secret(fresh), Secret(now.secrets[0].text, until)))

    return await _changed(deps, bot, rotated), fresh


def signing(bot: Bot, now: float) -> list[str]:
    """The secrets that sign a message now, the newest first."""
    return [one.text for one in bot.secrets if one.until is None or one.until > now * 1000]


async def owned(deps: People, owner: Account, name: str) -> Bot:
    """One's own bot; others' are not there to be changed, and those in a sandbox are not there at all."""
    bot = await find(deps, name)
    if bot is None or (bot.sandbox and bot.owner != owner.id):
        raise Problem("not_found")
    if bot.owner != owner.id:
        raise Problem("forbidden")
    return bot


async def remove(deps: Deps, bot: Bot) -> None:
    """Caretakers take its seats over; then everything about it goes, and its name is free."""
    for match in sorted(await deps.readmodel.active(of_account(bot.id))):
        with passed_by(match):
            await step_out(deps, match, of_account(bot.id))
    await deps.bots.remove(bot)
    await deps.accounts.delete(bot.id)
    deps.names.forget(of_account(bot.id))


async def remove_all(deps: Deps, owner: str) -> None:
    for bot in await deps.bots.of(owner):
        await remove(deps, bot)


async def step_out(deps: Tables, ident: str, who: str) -> None:
    """Leave the seat of a bot that is taken away to a caretaker, once its match runs."""

    def write(writer: LogWriter) -> None:
        seat = writer.match.seat_of(who)
        holder = None if seat is None else writer.match.chairs[seat].holder
        if seat is not None and holder is not None and holder.id == who and writer.match.status == "running":
            tenure.hand_over(writer, seat, who)

    await on_table(deps, ident, who, write)


async def _token(deps: People, bot: Bot) -> str:
    _, token = await deps.tokens.issue(bot.id, "bot", [SCOPE])
    return token


def new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"


async def _checked(deps: People, owner: Account, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that were given, as they are kept. Raises Problem, and nothing is kept then."""
    checked = dict(fields)
    if "games" in fields:
        checked["games"] = _games(fields["games"])
    if "delivery" in fields:
        checked["delivery"] = await _delivery(deps, fields["delivery"])
    if "seating" in fields:
        checked["seating"] = await _seating(deps, owner, fields["seating"])
    return checked


def _games(keys: Sequence[str]) -> tuple[str, ...]:
    for key in keys:
        if key not in registry.GAMES:
            raise Problem("unknown_game", game=key[:40])
    return tuple(dict.fromkeys(keys))


async def _delivery(deps: People, given: dict[str, Any]) -> Delivery:
    kind, url = given["kind"], given.get("url")
    if (kind == "webhook") is not (url is not None):
        detail = {"en": "a webhook has a url, and nothing else has.", "cs": "url má webhook, a nic jiného."}
        raise Problem("bad_delivery", detail=detail)
    if url is not None:
        try:
            await deps.outward.check(url)
        except OutwardRefused as refusal:
            raise Problem("bad_delivery", detail=REASONS[refusal.reason]) from None
    return Delivery(kind, url)


async def _seating(deps: People, owner: Account, given: dict[str, Any]) -> Seating:
    ids = []
    for name in given["accounts"]:
        account = await deps.accounts.find(name)
        if account is None or account.bot:
            raise Problem("unknown_account", name=name[:40])
        ids.append(account.id)
    return Seating(given["who"], tuple(dict.fromkeys(id for id in ids if id != owner.id)))
