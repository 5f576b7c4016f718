"""One notice on one channel: sent if it is still true, and written down."""

import asyncio
import hashlib

import structlog

from engine.game import Lang
from engine.identity import of_account
from engine.match import Match
from infra.people.accounts import Account
from infra.people.channels import Channel
from infra.people.ledger import LedgerEntry
from infra.process.errors import StoreUnavailable
from infra.process.metrics import NOTICES
from service.basics.damage import passed_by
from service.bootstrap import Deps, People
from service.commands import rematches
from service.notices import messages, senders
from service.notices.messages import Message, Scene
from service.notices.owed import Owed, recipient
from service.notices.senders import NotDelivered
from service.time.waking_hours import in_force, is_awake
from workers.notices.schedule import key
from workers.runtime import current

log = structlog.get_logger(__name__)
LONGEST_S = 15.0  # less than a claim lasts: nobody else sends the same meanwhile
PATIENCE_S = (0.1, 0.3, 1.0)
BACK_OFF_S = (60, 300, 1800, 7200, 21600, 43200)  # then it is given up


def run(member: str, channel: str) -> None:
    """The job. Sent once, however often it runs: the ledger knows."""
    runtime = current()
    runtime.run(deliver(runtime.deps, member, channel))


async def deliver(deps: Deps, member: str, name: str) -> bool:
    """Deliver a notice if it is owed and its recipient awake; says whether this call did."""
    account, message = await compose(deps, member, name)
    channel = await deps.channels.get(account.id, name) if account else None
    if account is None or message is None or channel is None or not (channel.enabled and channel.confirmed):
        return False
    now = deps.now().timestamp()
    if not is_awake(now, in_force(await deps.profiles.of(account.id), now)):
        return False  # the relay asks again in the morning
    ident = key(member, name)
    if not await deps.ledger.claim(account.id, ident):
        return False
    try:
        entry = await deps.ledger.get(account.id, ident)
        if entry is not None and entry.outcome != "retry":
            return False
        return await _send(deps, account, channel, message, ident, entry.tries if entry else 0)
    finally:
        await deps.ledger.release(account.id, ident)


async def _send(
    deps: Deps, account: Account, channel: Channel, message: Message, ident: str, tries: int
) -> bool:
    now = int(deps.now().timestamp() * 1000)
    error: NotDelivered | None = None
    try:
        async with asyncio.timeout(LONGEST_S):
            await senders.send(deps, account.id, channel, message)
    except NotDelivered as problem:
        error = problem
    except TimeoutError:
        error = NotDelivered("no answer in time")
    entry = LedgerEntry(ident, now, "sent", message.subject, tries + 1)
    if error is not None:
        entry = _failed(ident, now, message.subject, tries, error)
    await _write_down(deps, account.id, entry)
    await deps.channels.note(
        account.id, channel.name, str(error) if error else None, bool(error and error.permanent)
    )
    NOTICES.labels(channel.kind, entry.outcome).inc()
    log.info("notice", account=account.id, channel=channel.kind, outcome=entry.outcome, reason=entry.reason)
    return error is None


async def _write_down(deps: People, account: str, entry: LedgerEntry) -> None:
    """A store that restarts in this moment is waited for: what is not written down is sent again."""
    for pause in PATIENCE_S:
        try:
            await deps.ledger.put(account, entry)
        except StoreUnavailable as reason:
            log.warning("store unreachable", reason=str(reason))
            await asyncio.sleep(pause)
        else:
            return
    await deps.ledger.put(account, entry)


def _failed(ident: str, now: int, subject: str, tries: int, error: NotDelivered) -> LedgerEntry:
    if error.permanent or tries >= len(BACK_OFF_S):
        return LedgerEntry(ident, now, "failed", subject, tries + 1, str(error))
    later = now + BACK_OFF_S[tries] * 1000
    return LedgerEntry(ident, now, "retry", subject, tries + 1, str(error), later)


async def compose(deps: Deps, member: str, channel: str) -> tuple[Account | None, Message | None]:
    """Who is owed this notice, and its text. (None, None) if nobody is any more."""
    if member.startswith("digest "):
        return await _digest(deps, member, channel)
    owed = Owed.read(member)
    match = await deps.matches.now(owed.match)
    again = await rematches.standing(deps, match)
    who = recipient(match, await deps.clocks.history(match), owed, again)
    account = await deps.accounts.get(who) if who else None
    if account is None:
        return None, None
    opener = await deps.names.one(0, again.creator, account.locale or "en") if again else ""
    return account, await _message(deps, account, match, owed, ident_of(member, channel), opener)


async def _message(
    deps: Deps, account: Account, match: Match, owed: Owed, ident: str, opener: str = ""
) -> Message:
    lang: Lang = account.locale or "en"
    lines = await deps.store.read(match.id, 0, match.seq)
    names, parts = await deps.names.of(match, lang), await deps.names.parts(match, lang)
    who, base = of_account(account.id), deps.settings.base
    scene = Scene(match, lines, owed.seat, who, names, lang, base, parts, owed.since, opener)
    until = await deps.clocks.answer_by(match)
    if owed.topic != "asked":
        until = (await deps.clocks.deadlines(match)).get(owed.seat)
    message = messages.notice(scene, owed.kind, ident, until, account.tz or "UTC")
    return message._replace(thread=ident_of(f"thread {match.id}", account.id))


async def _digest(deps: Deps, member: str, channel: str) -> tuple[Account | None, Message | None]:
    """Everything that waits for somebody, in one letter."""
    account = await deps.accounts.get(member.split(" ")[1])
    if account is None:
        return None, None
    parts = []
    for mine in await deps.readmodel.turns(of_account(account.id)):
        seat = mine.turn.seat
        with passed_by(mine.summary.match):
            match = await deps.matches.now(mine.summary.match)
            if match.status == "running" and match.since[seat]:
                parts.append(await _message(deps, account, match, Owed("turn", match.id, seat, 0), ""))
    if not parts:
        return None, None
    return account, messages.digest(
        ident_of(member, channel), parts, deps.settings.base, account.locale or "en"
    )


def ident_of(member: str, channel: str) -> str:
    """The same for the same notice on the same channel, and nothing a stranger could read a match from."""
    return hashlib.sha256(f"{member} {channel}".encode()).hexdigest()[:32]
