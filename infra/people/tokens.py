"""Tokens: what a client shows to be somebody. Only their SHA-256 is stored.

A secret reads `tl.<account>.<token>.<random>`, so that one look under the account's own keys finds it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

import msgspec

from infra.people.accounts import tokens_key
from infra.process.ids import new_id
from infra.store.redis import Client, ask, reaching
from infra.store.scripts import Script

Kind = Literal["token", "session"]
SECRET = re.compile(r"tl\.([\w:-]{1,80})\.([\w-]{1,40})\.[\w-]{43}", re.ASCII)


class Principal(NamedTuple):
    """Who is asking, and what they may do."""

    account: str
    token_id: str
    scopes: frozenset[str]
    kind: str


UNBOUNDED = 1_000_000_000

# Counted where it is kept: of many who ask at the same time only so many get one. A label cannot look like a
# kind, because its quotes are escaped.
ISSUE = Script(
    "local count = 0"
    " for _, kept in ipairs(redis.call('HVALS', KEYS[1])) do"
    " if string.find(kept, ARGV[3], 1, true) then count = count + 1 end end"
    " if count >= tonumber(ARGV[4]) then return 0 end"
    " redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) return 1"
)


class TooManyTokens(Exception):
    """An account has as many as it may."""


class Token(msgspec.Struct, frozen=True):
    """A token as its owner may see it; times are milliseconds since 1970."""

    id: str
    label: str
    scopes: list[str]
    kind: Kind
    created: int
    expires: int | None = None


class Kept(msgspec.Struct, frozen=True):
    """A token as it is stored."""

    digest: str
    token: Token


class Tokens:
    """The tokens of all accounts."""

    def __init__(self, client: Client, clock: Callable[[], float] = time.time) -> None:
        self._client = client
        self._clock = clock

    async def issue(
        self,
        account: str,
        label: str,
        scopes: Iterable[str],
        kind: Kind = "token",
        ttl: float | None = None,
        most: int = UNBOUNDED,
    ) -> tuple[str, str]:
        """Make a token that lasts `ttl` seconds, or for ever; return its id and secret, shown only now.

        Raises TooManyTokens if there are `most` of its kind already, however many are asked for at once.
        """
        now, id = self._now(), new_id()
        secret = f"tl.{account}.{id}.{secrets.token_urlsafe(32)}"
        if not SECRET.fullmatch(secret):
            raise ValueError(f"{account!r} cannot be the id of an account.")
        expires = None if ttl is None else now + int(ttl * 1000)
        kept = Kept(_digest(secret), Token(id, label, sorted(scopes), kind, now, expires))
        args = (id, msgspec.json.encode(kept), f'"kind":"{kind}"', most)
        with reaching():
            if not await ISSUE.run(self._client, [tokens_key(account)], args):
                raise TooManyTokens
        return id, secret

    async def authenticate(self, secret: str) -> Principal | None:
        """Who shows this secret, in one round trip; None if it is unknown, revoked or expired."""
        found = SECRET.fullmatch(secret)
        if found is None:
            return None
        account, id = found.groups()
        raw = await ask(self._client, "HGET", tokens_key(account), id)
        kept = msgspec.json.decode(raw, type=Kept) if raw else None
        if kept is None or not hmac.compare_digest(kept.digest, _digest(secret)) or self._is_over(kept):
            return None
        return Principal(account, id, frozenset(kept.token.scopes), kept.token.kind)

    async def list(self, account: str) -> list[Token]:
        """The tokens that still count, the newest first; the expired are dropped on the way."""
        raw = await ask(self._client, "HVALS", tokens_key(account))
        all_kept = [msgspec.json.decode(text, type=Kept) for text in raw]
        over = [kept.token.id for kept in all_kept if self._is_over(kept)]
        if over:
            await ask(self._client, "HDEL", tokens_key(account), *over)
        valid = [kept.token for kept in all_kept if kept.token.id not in over]
        return sorted(valid, key=lambda token: (-token.created, token.id))

    async def revoke(self, account: str, id: str) -> bool:
        """End a token; say whether the account had it."""
        return bool(await ask(self._client, "HDEL", tokens_key(account), id))

    async def make_room(self, account: str, kind: Kind, most: int) -> None:
        """End the oldest of a kind until one more makes `most`."""
        over = [token.id for token in await self.list(account) if token.kind == kind][max(0, most - 1) :]
        if over:
            await ask(self._client, "HDEL", tokens_key(account), *over)

    async def revoke_all(self, account: str, kind: Kind | None = None) -> None:
        """End every token of an account, or those of one kind, as after a change of password."""
        for token in await self.list(account):
            if kind in (None, token.kind):
                await self.revoke(account, token.id)

    def _now(self) -> int:
        return int(self._clock() * 1000)

    def _is_over(self, kept: Kept) -> bool:
        return kept.token.expires is not None and kept.token.expires <= self._now()


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
