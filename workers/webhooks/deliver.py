"""One message to a remote bot's webhook: signed, through the guarded way out, and its answer played."""

import json
from datetime import UTC, datetime
from typing import Any

import structlog
from standardwebhooks.webhooks import Webhook

from engine.identity import of_account
from engine.match import Match
from infra.outside.outward import MAX_ANSWER_BYTES, GuardedHttpError, Reply
from infra.people.bots import Bot
from infra.process.metrics import BOT_TURNS
from infra.store import signs_of_life
from service.basics.errors import Problem
from service.bootstrap import Deps, People
from service.bots import registration, remote
from service.bots.remote import Open
from service.commands import actions
from service.commands.records import Act
from service.views import sight
from workers.jobs import Call
from workers.runtime import current
from workers.webhooks.schedule import TOLD, forget

log = structlog.get_logger(__name__)
BACK_OFF_S: tuple[int, ...] = (
    1,
    2,
    4,
    8,
    16,
    32,
    60,
    120,
    300,
)  # and so on until it is answered or no longer true
THINKING_S: tuple[int, ...] = (15, 30, 60, 120, 300)  # the same for a bot that said that it will answer later
CLAIM_MS = 30_000  # longer than a call may take: finding the address, and the answer, each have ten seconds
MAX_TELLINGS = 3  # messages that need no answer are not worth more
FASTER = ("stale_seq", "not_your_turn", "command_reused", "away", "game_over")


class Failed(Exception):
    """The bot did not do what it should; the text is for its owner."""


def run(kind: str, match: str, seat: int, since: int) -> None:
    """The job. Delivered once, twice only if this process dies between sending and noting; played once."""
    runtime = current()
    runtime.run(deliver(runtime.deps, Call(kind, match, seat, since)))


async def deliver(deps: Deps, message: Call) -> bool:
    """Call the bot if it is still owed this message and nobody calls it now; says whether that settled it."""
    if not await signs_of_life.claim(deps.client, message.job_id, CLAIM_MS):
        return False
    try:
        if await deps.calls.when(message.member) is None:
            return True  # somebody else has delivered it: a queue that was lost is filled twice
        if message.kind in TOLD and await signs_of_life.was_told(deps.client, message.job_id):
            # Noted anew: a relay that missed the queue after its note follows the same events again.
            await forget(deps, message)
            return True
        return await _deliver(deps, message)
    finally:
        await signs_of_life.end(deps.client, message.job_id)


async def _deliver(deps: Deps, message: Call) -> bool:
    match = await deps.matches.now(message.match)
    bot = await remote.addressed(deps, match, message.seat, message.kind)
    called = bot is not None and bot.delivery.url is not None
    body = await _message(deps, bot, match, message) if bot is not None and called else None
    if bot is None or body is None:
        await forget(deps, message, bot)
        return True
    tries = await deps.bots.tried(bot.id, message.member)
    settled, waits = False, BACK_OFF_S
    try:
        settled, waits = await _call(deps, bot, message, body)
    except Failed as problem:
        await remote.note_failure(deps, bot.id, str(problem))
        BOT_TURNS.labels("webhook", "failed").inc()
        log.warning(
            "webhook failed", bot=bot.name, match=message.match, seat=message.seat, reason=str(problem)
        )
    if settled or (message.kind not in ("turn", "away") and tries >= MAX_TELLINGS):
        if message.kind in TOLD:  # before the note goes; that a turn was played, its log says
            await signs_of_life.note_told(deps.client, message.job_id)
        await forget(deps, message, bot)
        return True
    later = deps.now().timestamp() + waits[min(tries, len(waits)) - 1]
    await deps.calls.later(message.member, later)
    return False


async def _message(deps: Deps, bot: Bot, match: Match, message: Call) -> dict[str, Any] | None:
    if message.kind != "turn":
        return remote.told(bot, match, message.kind)
    return await remote.turn_message(deps, bot, match, Open(message.match, message.seat, message.since))


async def _call(deps: Deps, bot: Bot, message: Call, body: dict[str, Any]) -> tuple[bool, tuple[int, ...]]:
    """Send, read what came back, play it. Says whether that settles it, and if not when to look again."""
    reply = await _send(deps, bot, body)
    await deps.bots.seen(bot.id, int(deps.now().timestamp() * 1000))
    if reply.status not in ((200, 202) if message.kind == "turn" else range(200, 300)):
        raise Failed(
            f"answered {reply.status}" + (", which is not followed" if reply.status // 100 == 3 else "")
        )
    if message.kind == "away":  # it is there again
        await remote.acknowledged(deps, of_account(bot.id), message.match)
    if message.kind != "turn":
        return True, ()
    if reply.status == 202:
        return False, THINKING_S
    if len(reply.body) >= MAX_ANSWER_BYTES:
        raise Failed(f"answered more than {MAX_ANSWER_BYTES} bytes")
    return await _play(deps, bot, message, body["seq"], _action(reply.body, body["seq"])), BACK_OFF_S


async def _send(deps: People, bot: Bot, body: dict[str, Any]) -> Reply:
    """Signed with every valid secret, so that one can be replaced without a gap."""
    assert bot.delivery.url is not None
    now = datetime.now(UTC)  # receivers go by real time
    raw = sight.encode(body)
    ident = ident_of(body)
    secrets = registration.signing(bot, deps.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "webhook-id": ident,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Webhook(secret).sign(ident, now, raw.decode()) for secret in secrets),
    }
    try:
        return await deps.outward.send("POST", bot.delivery.url, raw, headers)
    except GuardedHttpError as problem:
        raise Failed(str(problem)[:200]) from None


def ident_of(body: dict[str, Any]) -> str:
    """The same for every delivery of the same message."""
    return f"{body['kind']}_{body['match']}_{body.get('seat', 0)}_{body.get('seq', 0)}"


def _action(raw: bytes, seq: int) -> Any:
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        raise Failed("the answer is not JSON") from None
    match answer:
        case {"seq": int(given), "action": action} if given == seq:
            return action
        case {"seq": int(given), "action": _}:
            raise Failed(f"answered turn {given} instead of {seq}")
    raise Failed("the answer is not {seq, action}")


async def _play(deps: Deps, bot: Bot, message: Call, seq: int, action: Any) -> bool:
    key = remote.key(message.match, message.seat, seq)
    try:
        match = await actions.act(
            deps, Act(who=of_account(bot.id), match=message.match, seq=seq, action=action, key=key)
        )
    except Problem as refusal:
        code = refusal.extra.get("reason", refusal.code)
        if code == "away":
            await remote.heard_late(deps, of_account(bot.id), message.match)
        if code in FASTER:
            log.info("another action came first", match=message.match, seat=message.seat, code=code)
            return False  # an undo, say: if the turn is still open, it is offered anew
        raise Failed(f"illegal action: {code}") from None
    await remote.note_answer(deps, bot.id, match, message.seat)
    return True
