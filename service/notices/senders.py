"""How each kind of channel is reached. All but e-mail go through the one guarded way out."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parseaddr
from typing import Any
from urllib.parse import quote, urlsplit

from infra.outside import vapid
from infra.outside.mail import Letter, MailError, page
from infra.outside.outward import GuardedHttpError, OutwardRefused, Reply
from infra.people.channels import Channel
from infra.process.errors import InfraError
from service.bootstrap import Deps, People
from service.notices.channels import link
from service.notices.messages import Message
from service.notices.texts import TEXTS

JSON = {"Content-Type": "application/json"}
GONE = (404, 410)  # a push service's word that nobody listens any more


class NotDelivered(InfraError):
    """`permanent`: the channel is dead and should be turned off."""

    def __init__(self, reason: str, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


async def send(deps: Deps, account: str, channel: Channel, message: Message) -> None:
    """Deliver a message. Raises NotDelivered."""
    try:
        if channel.kind == "email":
            await _email(deps, account, channel, message)
        else:
            await SENDERS[channel.kind](deps, channel, message)
    except MailError as problem:
        raise NotDelivered(str(problem)[:200], problem.permanent) from None
    except OutwardRefused as problem:
        raise NotDelivered(str(problem)[:200], problem.reason == "private") from None
    except GuardedHttpError as problem:
        raise NotDelivered(str(problem)[:200]) from None


async def _email(deps: People, account: str, channel: Channel, message: Message) -> None:
    if deps.mail is None:
        raise NotDelivered("mail is not configured here")
    footer = TEXTS[message.lang]["unsubscribe"]
    stop = link(deps, "unsubscribe", account, channel)
    html = page(message.lines, message.links, footer, stop)
    text = f"{message.text}\n\n{footer}: {stop}\n"
    letter = Letter(
        channel.config["address"], message.subject, text, html, message.ident, stop, message.thread
    )
    await deps.mail.send(letter, deps.now().timestamp())


async def _webhook(deps: People, channel: Channel, message: Message) -> None:
    from standardwebhooks.webhooks import Webhook

    now = deps.now()
    body = _body({"type": "notice", "id": message.ident, "subject": message.subject,
                  "text": message.text, "link": message.link, "thread": message.thread})  # fmt: skip
    signature = Webhook(channel.config["secret"]).sign(message.ident, now, body.decode())
    headers = {
        **JSON,
        "webhook-id": message.ident,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
    _check(await deps.outward.send("POST", channel.config["url"], body, headers), (410,))


async def _webpush(deps: People, channel: Channel, message: Message) -> None:
    url = channel.config["url"]
    body = _body({"title": message.subject, "body": "\n".join(message.lines)[:1500], "link": message.link,
                  "tag": message.ident})  # fmt: skip
    sealed = vapid.seal(channel.config["p256dh"], channel.config["auth"], body)
    origin = f"{urlsplit(url).scheme}://{urlsplit(url).netloc}"
    contact = f"mailto:{parseaddr(deps.settings.mail_from)[1]}"
    expires = int(datetime.now(UTC).timestamp()) + 3600  # push services go by real time
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": "86400",
        "Authorization": vapid.authorization(await deps.kept.vapid(), origin, contact, expires),
    }
    _check(await deps.outward.send("POST", url, sealed, headers), GONE)


def _chat(field: str) -> Callable[[People, Channel, Message], Awaitable[None]]:
    """Services that take one JSON field with the text."""

    async def post(deps: People, channel: Channel, message: Message) -> None:
        text = f"{message.subject}\n{message.text}"[:1900]
        said: dict[str, Any] = {field: text}
        said |= {"allowed_mentions": {"parse": []}} if field == "content" else {}
        _check(await deps.outward.send("POST", channel.config["url"], _body(said), JSON), GONE)

    return post


async def _ntfy(deps: People, channel: Channel, message: Message) -> None:
    server, _, topic = channel.config["url"].rpartition("/")
    told = {"topic": topic, "title": message.subject, "message": message.text[:3500], "click": message.link}
    token = channel.config.get("token")
    headers = JSON | ({"Authorization": f"Bearer {token}"} if token else {})
    _check(await deps.outward.send("POST", f"{server}/", _body(told), headers))


async def _telegram(deps: People, channel: Channel, message: Message) -> None:
    url = f"https://api.telegram.org/bot{channel.config['token']}/sendMessage"
    told = {"chat_id": channel.config["chat"], "text": f"{message.subject}\n{message.text}"[:4000]}
    _check(await deps.outward.send("POST", url, _body(told), JSON), (403, 404))


async def _matrix(deps: People, channel: Channel, message: Message) -> None:
    """The id makes a repeated request the same request."""
    config = channel.config
    room, transaction = quote(config["room"], safe=""), quote(message.ident, safe="")
    url = f"{config['url']}/_matrix/client/v3/rooms/{room}/send/m.room.message/{transaction}"
    told = {"msgtype": "m.text", "body": f"{message.subject}\n{message.text}"}
    headers = {**JSON, "Authorization": f"Bearer {config['token']}"}
    _check(await deps.outward.send("PUT", url, _body(told), headers), (403,))


def _body(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _check(reply: Reply, dead: tuple[int, ...] = ()) -> None:
    if not 200 <= reply.status < 300:
        raise NotDelivered(f"the receiver answered {reply.status}", reply.status in dead)


SENDERS: dict[str, Callable[[People, Channel, Message], Awaitable[None]]] = {
    "webhook": _webhook,
    "webpush": _webpush,
    "discord": _chat("content"),
    "slack": _chat("text"),
    "ntfy": _ntfy,
    "telegram": _telegram,
    "matrix": _matrix,
}
