"""An account's own data, whole: to take along, and to delete."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from engine import table, tenure
from engine.identity import of_account
from engine.table import LogWriter
from infra.people.accounts import Account
from infra.people.bots import Bot
from infra.store.readmodel import Summary
from service.basics.damage import passed_by
from service.basics.errors import Problem
from service.bootstrap import Deps, Tables
from service.bots import registration
from service.commands.append import on_table
from service.notices.channels import shown
from service.views import sight, signatures
from service.views.sight import Caller

PAGE = 200


async def export(deps: Deps, account: Account) -> AsyncIterator[bytes]:
    """Settings, times, channels without their secrets, notices, blocks, tokens, and logs of one's matches.

    As JSON, piece by piece: one match after the other is in memory, however many somebody has played.
    """
    who = of_account(account.id)
    about = {
        "account": msgspec.to_builtins(account),
        "times": msgspec.to_builtins(await deps.profiles.of(account.id)),
        "channels": [
            {"name": channel.name, "kind": channel.kind, "created": channel.created, **shown(channel)}
            for channel in await deps.channels.of(account.id)
        ],
        "notifications": msgspec.to_builtins(await deps.ledger.history(account.id, 1000)),
        "blocks": await deps.blocks.of(account.id),
        "bots": [_bot(bot) for bot in await deps.bots.of(account.id)],
        "tokens": msgspec.to_builtins(await deps.tokens.list(account.id)),
    }
    yield sight.encode(about).removesuffix(b"}") + b',"matches":['
    for number, summary in enumerate(await _matches(deps, who)):
        yield (b"," if number else b"") + sight.encode(await _match(deps, summary, who))
    yield b"]}"


def _bot(bot: Bot) -> dict[str, Any]:
    """Without what signs its webhooks."""
    return {name: value for name, value in msgspec.to_builtins(bot).items() if name != "secrets"}


async def _matches(deps: Tables, who: str) -> list[Summary]:
    found: list[Summary] = []
    mark: str | None = None
    while True:
        page, mark = await deps.readmodel.list(account=who, listed=None, limit=PAGE, cursor=mark)
        found += page
        if mark is None:
            return found


async def _match(deps: Tables, summary: Summary, who: str) -> dict[str, Any]:
    """The log as this person may read it: complete once the match is over, None if it is damaged."""
    said = [message for message in await deps.chat.read(summary.match) if message.who == who]
    chat = [{"at": message.at, "text": message.text} for message in said]
    log = None
    with passed_by(summary.match):
        match = await deps.matches.now(summary.match)
        lines = await deps.store.read(match.id, 0, match.seq)
        signed = await signatures.signed(deps, match, redacted=match.status != "finished")
        log = (await asyncio.to_thread(sight.export, match, lines, Caller(who), signed)).decode()
    return {"match": summary.match, "log": log, "chat": chat}


async def delete(deps: Deps, account: Account) -> None:
    """Caretakers take over running matches, tables that wait for players are taken away; then everything
    under the account goes, and its name is free.
    """
    who = of_account(account.id)
    for summary in await _matches(deps, who):
        if summary.status == "running":
            with passed_by(summary.match):
                await _step_out(deps, summary.match, who)
        elif summary.status == "open":
            with passed_by(summary.match):
                await _get_up(deps, summary.match, who)
    await registration.remove_all(deps, account.id)
    await deps.accounts.delete(account.id)
    deps.names.forget(who)


async def _get_up(deps: Tables, ident: str, who: str) -> None:
    """Nobody waits at a table whose host is gone, or for somebody who does not come."""

    def write(writer: LogWriter) -> None:
        seat = writer.match.seat_of(who)
        if writer.match.creator == who:
            table.cancel(writer, who)
        elif seat is not None:
            table.leave(writer, seat, who)

    try:
        await on_table(deps, ident, who, write)
    except Problem as refusal:
        if refusal.code not in ("not_open", "not_running"):  # it began or ended in this very moment
            raise
        await _step_out(deps, ident, who)


async def _step_out(deps: Tables, ident: str, who: str) -> None:
    def write(writer: LogWriter) -> None:
        seat = writer.match.seat_of(who)
        if seat is not None and seat in writer.match.people:
            tenure.hand_over(writer, seat, who)

    try:
        await on_table(deps, ident, who, write)
    except Problem as refusal:
        if refusal.code != "not_running":  # it ended in this very moment
            raise
