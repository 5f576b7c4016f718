"""Where and how one wants to be told, and what was told."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import Field

from engine.game import Lang
from infra.outside import vapid
from infra.people.accounts import Account
from infra.people.channels import MAX_CHANNELS, Channel
from infra.people.ledger import LedgerEntry
from service.api.frame.auth import Here, Language, Owner
from service.api.frame.body import JsonRoute, Model
from service.api.frame.render import time
from service.basics.errors import Problem
from service.bootstrap import Deps, People
from service.notices import channels, messages, senders
from service.notices.senders import NotDelivered
from service.people import quotas

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["notices"])
Name = Annotated[str, Path(description="your own name for it: a-z, 0-9, -")]
Kind = Literal["email", "webhook", "webpush", "discord", "slack", "ntfy", "telegram", "matrix"]


class NewChannel(Model):
    """What a kind needs: an address, a url, a browser's subscription, or a token with a chat or room."""

    kind: Kind
    address: str | None = Field(None, max_length=300, description="email")
    url: str | None = Field(None, max_length=2000, description="webhook, discord, slack, ntfy, matrix")
    subscription: dict[str, Any] | None = Field(None, description="webpush: as the browser gives it")
    token: str | None = Field(None, max_length=400, description="telegram, matrix, ntfy")
    chat: str | None = Field(None, max_length=100, description="telegram")
    room: str | None = Field(None, max_length=300, description="matrix")


class ChannelOut(Model):
    name: str
    kind: str
    to: str = Field(description="the address, or where it leads")
    enabled: bool
    confirmed: bool = Field(description="an e-mail address counts once its owner has followed a link")
    reason: str | None = Field(description="why it was turned off")
    created: str
    secret: str | None = Field(None, description="webhook: shown when it is made, to check our signature")


class ChannelList(Model):
    items: list[ChannelOut]
    mail: bool = Field(description="whether this house sends mail")
    push_key: str = Field(description="webpush: the key to subscribe with")


class NoticeOut(Model):
    at: str
    kind: str
    match: str | None
    seat: int | None
    since: int | None
    channel: str
    outcome: Literal["sent", "retry", "failed", "cancelled"]
    subject: str
    tries: int
    reason: str | None


class NoticeList(Model):
    items: list[NoticeOut]


@router.get("/me/channels")
async def list_channels(me: Owner, deps: Here) -> ChannelList:
    """All channels."""
    found = await deps.channels.of(me.account.id)
    key = vapid.public_key(await deps.kept.vapid())
    return ChannelList(items=[_out(channel) for channel in found], mail=deps.mail is not None, push_key=key)


@router.get("/me/channels/{name}")
async def get_channel(name: Name, me: Owner, deps: Here) -> ChannelOut:
    return _out(await _channel(deps, me.account.id, name))


@router.put("/me/channels/{name}")
async def put_channel(name: Name, body: NewChannel, me: Owner, deps: Here, lang: Language) -> ChannelOut:
    """Make or replace a channel. An e-mail address gets a letter with a link to confirm it."""
    channel = await channels.make(deps, name, body.kind, body.model_dump(exclude_none=True))
    before = await deps.channels.get(me.account.id, name)
    if not await deps.channels.put(me.account.id, channel):
        raise Problem("too_many", limit=MAX_CHANNELS)
    if not channel.confirmed:
        await _ask_to_confirm(deps, me.account, channel, before, lang)
    return _out(channel, channel.config.get("secret"))


@router.delete("/me/channels/{name}", status_code=204)
async def remove_channel(name: Name, me: Owner, deps: Here) -> None:
    if not await deps.channels.remove(me.account.id, name):
        raise Problem("not_found")


@router.post("/me/channels/{name}/test")
async def test_channel(name: Name, me: Owner, deps: Here, lang: Language) -> ChannelOut:
    """Send a test now, or the link to confirm it again. What works is turned on again."""
    channel = await _channel(deps, me.account.id, name)
    await _send(deps, me.account, channel, "test" if channel.confirmed else "confirm", lang)
    if channel.confirmed and not channel.enabled:
        channel = Channel(channel.name, channel.kind, channel.config, channel.created)
        await deps.channels.put(me.account.id, channel)
    return _out(channel)


@router.get("/me/notifications")
async def history(me: Owner, deps: Here) -> NoticeList:
    """What was sent, or not, the newest first."""
    return NoticeList(items=[_notice(entry) for entry in await deps.ledger.history(me.account.id)])


async def _channel(deps: People, account: str, name: str) -> Channel:
    channel = await deps.channels.get(account, name)
    if channel is None:
        raise Problem("not_found")
    return channel


async def _ask_to_confirm(
    deps: Deps, account: Account, channel: Channel, before: Channel | None, lang: Lang
) -> None:
    """Mail the link; an address that does not take it leaves things as they were."""
    try:
        await _send(deps, account, channel, "confirm", lang)
    except Problem:
        if before is None:
            await deps.channels.remove(account.id, channel.name)
        else:
            await deps.channels.put(account.id, before)
        raise


async def _send(deps: Deps, account: Account, channel: Channel, kind: str, lang: Lang) -> None:
    await quotas.letter(deps, account.id, channel.config.get("address"))
    base = deps.settings.base
    link = channels.link(deps, "confirm", account.id, channel) if kind == "confirm" else f"{base}/"
    message = messages.plain(kind, deps.new_id(), link, lang, account.name, base)
    try:
        await senders.send(deps, account.id, channel, message)
    except NotDelivered as problem:
        raise Problem("not_delivered", detail=str(problem)) from None


def _out(channel: Channel, secret: str | None = None) -> ChannelOut:
    config = channels.shown(channel)
    return ChannelOut(
        name=channel.name,
        kind=channel.kind,
        to=str(next(iter(config.values()), "")),
        enabled=channel.enabled,
        confirmed=channel.confirmed,
        reason=channel.reason,
        created=time(channel.created),
        secret=secret,
    )


def _notice(entry: LedgerEntry) -> NoticeOut:
    kind, match, seat, since, channel = entry.key.split(":")
    digest = kind == "digest"
    return NoticeOut(
        at=time(entry.at),
        kind=kind,
        match=None if digest else match,
        seat=None if digest else int(seat),
        since=None if digest else int(since),
        channel=channel,
        outcome=entry.outcome,
        subject=entry.subject,
        tries=entry.tries,
        reason=entry.reason,
    )
