"""What a channel must look like before anything is kept, and the links that only its owner can have."""

import base64
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer

from infra.outside.mail import is_address
from infra.outside.outward import OutwardRefused
from infra.people.channels import Channel
from service.basics.errors import Problem
from service.bootstrap import People, Process

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
TELEGRAM = re.compile(r"\d{3,20}:[\w-]{20,80}", re.ASCII)
CHAT = re.compile(r"-?\d{1,20}|@\w{3,64}", re.ASCII)
ROOM = re.compile(r"![\w.=/+-]{1,128}(:[\w.:-]{1,128})?", re.ASCII)
TOKEN = re.compile(r"[\w.=~+/-]{1,400}", re.ASCII)
SECRET = ("secret", "token", "auth", "p256dh")  # shown when made, if at all
HOSTS = {
    "discord": ("https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"),
    "slack": ("https://hooks.slack.com/services/",),
}
CONFIRM_S = 3 * 24 * 3600  # so long a link to confirm an address holds; one to end letters always does
REASONS = {
    "bad_url": {"en": "the address cannot be read.", "cs": "adresu nelze přečíst."},
    "not_https": {
        "en": "it must begin with https:// (the operator may lift that with TURNLOG_ALLOW_PRIVATE=1).",
        "cs": "musí začínat https:// (provozovatel to může povolit nastavením TURNLOG_ALLOW_PRIVATE=1).",
    },
    "not_found": {"en": "there is no such host.", "cs": "takový počítač neexistuje."},
    "private": {
        "en": "it points into a private network (the operator may allow that with TURNLOG_ALLOW_PRIVATE=1).",
        "cs": "míří do soukromé sítě (provozovatel to může povolit nastavením TURNLOG_ALLOW_PRIVATE=1).",
    },
}


async def make(deps: People, name: str, kind: str, given: Mapping[str, Any]) -> Channel:
    """A channel as it is kept. Raises Problem bad_channel, and nothing is kept then."""
    if not NAME.fullmatch(name):
        raise _bad("name", "a-z, 0-9, -")
    config = KINDS[kind](given)
    url = _target(kind, config)
    if url:
        try:
            await deps.outward.check(url)
        except OutwardRefused as refusal:
            raise Problem("bad_channel", detail=REASONS[refusal.reason]) from None
    if kind == "email" and deps.mail is None:
        raise Problem("no_mail")
    created = int(deps.now().timestamp() * 1000)
    return Channel(name, kind, config, created, confirmed=kind != "email")


def _bad(field: str, like: str = "") -> Problem:
    """A field that cannot be used, and what a good one looks like."""
    hint = like and f": {like}"
    en, cs = f"“{field}” is missing or not valid", f"„{field}“ chybí, nebo není platné"
    return Problem("bad_channel", detail={"en": f"{en}{hint}.", "cs": f"{cs}{hint}."})


def _field(given: Mapping[str, Any], name: str, pattern: re.Pattern[str]) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise _bad(name)
    return value


def _url(given: Mapping[str, Any]) -> str:
    url = given.get("url")
    if not isinstance(url, str):
        raise _bad("url", "https://…")
    return url


def _email(given: Mapping[str, Any]) -> dict[str, Any]:
    address = given.get("address")
    if not isinstance(address, str) or not is_address(address):
        raise _bad("address", "name@example.org")
    return {"address": address}


def _webhook(given: Mapping[str, Any]) -> dict[str, Any]:
    """The secret is ours to make: the receiver checks with it that we are the sender."""
    secret = base64.b64encode(secrets.token_bytes(24)).decode()
    return {"url": _url(given), "secret": f"whsec_{secret}"}


def _webpush(given: Mapping[str, Any]) -> dict[str, Any]:
    match given.get("subscription"):
        case {"endpoint": str(endpoint), "keys": {"p256dh": str(key), "auth": str(auth)}}:
            if _decoded(key) == 65 and _decoded(auth) == 16:
                return {"url": endpoint, "p256dh": key, "auth": auth}
    raise _bad("subscription", "{endpoint, keys: {p256dh, auth}}")


def _decoded(text: str) -> int:
    try:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        return 0


def _at_host(kind: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    def read(given: Mapping[str, Any]) -> dict[str, Any]:
        url = _url(given)
        if not url.startswith(HOSTS[kind]):
            raise _bad("url", f"{HOSTS[kind][0]}…")
        return {"url": url}

    return read


def _ntfy(given: Mapping[str, Any]) -> dict[str, Any]:
    """`https://ntfy.sh/topic`, and a token where the server asks for one."""
    url = _url(given)
    if not re.fullmatch(r"https?://[^/?#]+/[\w-]{1,64}", url):
        raise _bad("url", "https://ntfy.sh/…")
    return {"url": url} | ({"token": _field(given, "token", TOKEN)} if given.get("token") else {})


def _telegram(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"token": _field(given, "token", TELEGRAM), "chat": _field(given, "chat", CHAT)}


def _matrix(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "url": _url(given).rstrip("/"),
        "room": _field(given, "room", ROOM),
        "token": _field(given, "token", TOKEN),
    }


KINDS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "email": _email,
    "webhook": _webhook,
    "webpush": _webpush,
    "discord": _at_host("discord"),
    "slack": _at_host("slack"),
    "ntfy": _ntfy,
    "telegram": _telegram,
    "matrix": _matrix,
}


def _target(kind: str, config: Mapping[str, Any]) -> str:
    return "https://api.telegram.org/" if kind == "telegram" else str(config.get("url", ""))


def shown(channel: Channel) -> dict[str, Any]:
    """Where a channel leads, without what must stay secret."""
    return {name: value for name, value in channel.config.items() if name not in SECRET}


def link(deps: Process, purpose: str, account: str, channel: Channel) -> str:
    """A signed link to stop or confirm a channel, good for that very address."""
    told = [account, channel.name, channel.config.get("address", "")]
    if purpose == "confirm":
        told.append(int(deps.now().timestamp()) + CONFIRM_S)
    return f"{deps.settings.base}/api/{purpose}/{_signer(deps, purpose).dumps(told)}"


async def linked(deps: People, purpose: str, token: str) -> tuple[str, Channel]:
    """Whose link it is. Raises Problem bad_link, also if the channel has changed since."""
    try:
        account, name, address, *expires = _signer(deps, purpose).loads(token)
    except (BadSignature, ValueError, TypeError):
        raise Problem("bad_link") from None
    if purpose == "confirm" and not (expires and deps.now().timestamp() < expires[0]):
        raise Problem("bad_link")
    channel = await deps.channels.get(account, name)
    if channel is None or channel.config.get("address", "") != address:
        raise Problem("bad_link")
    return account, channel


def _signer(deps: Process, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(deps.secret, salt=purpose)
