"""Accounts: people known by an opaque id, found by a name. A guest is an account without a password."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Callable
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from argon2 import PasswordHasher

from engine.kit.text import LANGS
from infra.people.names import fold
from infra.people.passwords import Passwords
from infra.process.errors import AlreadyClaimed, BadName, BadSetting, NameTaken, UnknownAccount
from infra.process.ids import new_id
from infra.store import keys
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

__all__ = [
    "Account",
    "Accounts",
    "AlreadyClaimed",
    "BadName",
    "BadSetting",
    "NameTaken",
    "UnknownAccount",
    "check_zone",
]

LOCALES = LANGS
GUESTS = keys.GUESTS
# A name is freed only by the account that holds it, however often and late the request comes.
FREE_NAME = Script(
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
)
# A password that was changed meanwhile is not put back by a rehash of the old one.
SWAP_PASSWORD = Script(
    "if redis.call('HGET', KEYS[1], 'password') == ARGV[1] then"
    " return redis.call('HSET', KEYS[1], 'password', ARGV[2]) end return 0"
)


class Account(msgspec.Struct, frozen=True):
    """One account as its owner may see it; times are milliseconds since 1970."""

    id: str
    name: str
    created: int
    guest: bool
    locale: str | None = None
    tz: str | None = None
    quiet_hours: Any = None
    vacation: Any = None
    notify: Any = None
    bot: bool = False  # a remote bot: no password, no settings, an owner


class Accounts:
    """All accounts of this service."""

    def __init__(
        self,
        client: Client,
        hasher: PasswordHasher | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._passwords = Passwords(hasher)
        self._clock = clock

    async def create(
        self,
        name: str,
        password: str | None = None,
        locale: str | None = None,
        tz: str | None = None,
        bot: bool = False,
    ) -> Account:
        """Make an account, a guest's if there is no password. Raises BadName, NameTaken, BadSetting."""
        named, id = _name_key(fold(name)), new_id()
        fields: dict[str, Any] = {"name": name, "created": int(self._clock() * 1000)}
        fields |= {"bot": "1"} if bot else {}
        fields |= _stored({k: v for k, v in {"locale": locale, "tz": tz}.items() if v is not None})
        if await ask(self._client, "EXISTS", named):
            raise NameTaken(name)
        if password is not None:
            fields["password"] = await self._hash(password)
        # The account first: a crash in between leaves an account that nobody can find, not a blocked name.
        await self._write(id, fields)
        if not await ask(self._client, "SET", named, id, "NX"):
            await ask(self._client, "DEL", _key(id))
            raise NameTaken(name)
        if password is None and not bot:
            await self.seen(id)
        return await self._must(id)

    async def seen(self, id: str) -> None:
        """A guest was here."""
        await ask(self._client, "ZADD", GUESTS, int(self._clock()), id)

    async def unseen(self, before: float, most: int) -> list[str]:
        """Guests who were last seen before a moment, the longest gone first."""
        command = ("ZRANGE", GUESTS, "-inf", f"({before:.3f}", "BYSCORE", "LIMIT", 0, most)
        return [id.decode() for id in await ask(self._client, *command)]

    async def no_guest(self, id: str) -> None:
        """Whoever has a password, or is gone, does not expire."""
        await ask(self._client, "ZREM", GUESTS, id)

    async def get(self, id: str) -> Account | None:
        """An account by its id."""
        return _account(id, await self._fields(id))

    async def find(self, name: str) -> Account | None:
        """An account by its name, however it is written."""
        try:
            id = await ask(self._client, "GET", _name_key(fold(name)))
        except BadName:
            return None
        return await self.get(id.decode()) if id else None

    async def all(self) -> AsyncIterator[Account]:
        """Every account, in no order."""
        with reaching():
            async for key in self._client.scan_iter(match=keys.ACCOUNTS, count=1000):
                account = await self.get(keys.account_of(key.decode()))
                if account is not None:
                    yield account

    async def verify(self, name: str, password: str, aside: bool = False) -> Account | None:
        """The account if the password is its own; unknown names and guests take as long.

        `aside`: not in the queue in which strangers wait. Raises Busy.
        """
        account = await self.find(name)
        stored = await ask(self._client, "HGET", _key(account.id), "password") if account else None
        known = stored.decode() if stored else None
        if not await self._passwords.matches(known, password, aside):
            return None
        if account and known and self._passwords.is_dated(known):
            fresh = await self._passwords.hash(password)
            with reaching():
                await SWAP_PASSWORD.run(self._client, [_key(account.id)], [known, fresh])
        return account

    async def claim(self, id: str, password: str) -> Account:
        """Give a guest's account its password, once."""
        await self._must(id)
        if not await ask(self._client, "HSETNX", _key(id), "password", await self._hash(password)):
            raise AlreadyClaimed(id)
        await self.no_guest(id)
        return await self._must(id)

    async def rename(self, id: str, name: str) -> Account:
        """Give an account another name and free the old one. Raises BadName, NameTaken."""
        account = await self._must(id)
        named, old = _name_key(fold(name)), _name_key(fold(account.name))
        if (
            not await ask(self._client, "SET", named, id, "NX")
            and await ask(self._client, "GET", named) != id.encode()
        ):
            raise NameTaken(name)
        # A crash here leaves a name that is held for nobody but this account, which may ask again.
        await self._write(id, {"name": name})
        if old != named:
            with reaching():
                await FREE_NAME.run(self._client, [old], [id])
        return await self._must(id)

    async def set_password(self, id: str, password: str) -> None:
        """Replace the password; who may do that is the caller's question."""
        await self._must(id)
        await self._write(id, {"password": await self._hash(password)})

    async def password_mark(self, id: str) -> str:
        """What changes with the password and tells nothing about it: makes a link work once."""
        stored = await ask(self._client, "HGET", _key(id), "password")
        return hashlib.sha256(stored or b"").hexdigest()[:16]

    async def update(self, id: str, **settings: Any) -> Account:
        """Change settings: locale, tz, quiet_hours, vacation, notify. None removes one. Raises BadSetting."""
        fields = _stored(settings)
        await self._must(id)
        gone = [name for name, value in settings.items() if value is None]
        if gone:
            await ask(self._client, "HDEL", _key(id), *gone)
        await self._write(id, fields)
        return await self._must(id)

    async def delete(self, id: str) -> None:
        """Remove an account with everything kept under it, and free its name."""
        account = await self._must(id)
        with reaching():
            async for key in self._client.scan_iter(match=keys.account(id, "*"), count=1000):
                await ask(self._client, "DEL", key)
            await FREE_NAME.run(self._client, [_name_key(fold(account.name))], [id])
        await self.no_guest(id)

    async def _must(self, id: str) -> Account:
        account = await self.get(id)
        if account is None:
            raise UnknownAccount(id)
        return account

    async def _hash(self, password: str) -> str:
        if not password:
            raise BadSetting("password", "must not be empty")
        return await self._passwords.hash(password)

    async def _fields(self, id: str) -> dict[bytes, bytes]:
        fields: dict[bytes, bytes] = await ask(self._client, "HGETALL", _key(id))
        return fields

    async def _write(self, id: str, fields: dict[str, Any]) -> None:
        if fields:
            await ask(self._client, "HSET", _key(id), *(part for pair in fields.items() for part in pair))


def tokens_key(id: str) -> str:
    """The key of an account's tokens."""
    return keys.account(id, "tokens")


def _key(id: str) -> str:
    return keys.account(id, "account")


def _name_key(folded: str) -> str:
    return keys.name(folded)


def _account(id: str, fields: dict[bytes, bytes]) -> Account | None:
    if b"name" not in fields:  # deleted while somebody wrote to it
        return None
    known = {name.decode(): value.decode() for name, value in fields.items()}
    return Account(
        id=id,
        name=known["name"],
        created=int(known["created"]),
        guest="password" not in known and "bot" not in known,
        locale=known.get("locale"),
        tz=known.get("tz"),
        quiet_hours=msgspec.json.decode(known.get("quiet_hours", "null")),
        vacation=msgspec.json.decode(known.get("vacation", "null")),
        notify=msgspec.json.decode(known.get("notify", "null")),
        bot="bot" in known,
    )


def _stored(settings: dict[str, Any]) -> dict[str, Any]:
    """Check settings and return them as they are stored, without those that are removed."""
    for name in settings:
        if name not in ("locale", "tz", "quiet_hours", "vacation", "notify"):
            raise BadSetting(name, "is not a setting")
    given = {name: value for name, value in settings.items() if value is not None}
    if given.get("locale", LOCALES[0]) not in LOCALES:
        raise BadSetting("locale", f"must be one of {', '.join(LOCALES)}")
    if "tz" in given:
        check_zone(given["tz"])
    return {name: value if name in ("locale", "tz") else _json(name, value) for name, value in given.items()}


NO_ZONE = "must be a time zone such as Europe/Prague"
NOWHERE = ("localtime", "posixrules", "Factory")  # the server's own zone, or none: no place on earth


def check_zone(tz: Any) -> None:
    """Refuse what is no time zone. Raises BadSetting."""
    try:
        ZoneInfo(tz)
    except (ValueError, OSError, TypeError, LookupError) as error:
        raise BadSetting("tz", NO_ZONE) from error
    if tz in NOWHERE or tz.startswith(("posix/", "right/")):
        raise BadSetting("tz", NO_ZONE)


def _json(name: str, value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise BadSetting(name, "must be plain JSON") from error
