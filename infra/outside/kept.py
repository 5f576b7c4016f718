"""Secrets that all processes share: made once, kept in the store, so that every machine has the same.

Earlier versions kept them in files of the data directory: what is found there is what the store gets.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from infra.outside import vapid
from infra.process.errors import StoreUnavailable
from infra.process.settings import Settings
from infra.store import keys
from infra.store.redis import Client, ask


class Kept:
    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._data = client, settings.data
        self._secret = settings.given_secret
        self._vapid: str | None = None

    @property
    def secret(self) -> str:
        """What signs links and sessions."""
        if self._secret is None:
            raise StoreUnavailable("The store has not yet told what signs links and sessions.")
        return self._secret

    async def load(self) -> None:
        """Before anything else; once it is known nothing is asked any more."""
        if self._secret is None:
            self._secret = await self._once("secret", lambda: secrets.token_urlsafe(32))

    async def look(self) -> None:
        """For commands beside the house: nothing is made, so that a backup may bring its own."""
        found = None if self._secret else await ask(self._client, "GET", keys.kept("secret"))
        self._secret = found.decode() if found else self._secret

    async def vapid(self) -> str:
        """The key that tells push services who we are."""
        if self._vapid is None:
            self._vapid = await self._once("vapid", vapid.make)
        return self._vapid

    async def _once(self, name: str, make: Callable[[], str]) -> str:
        """Of several processes that start together one wins."""
        key = keys.kept(name)
        found = await ask(self._client, "GET", key)
        if found is None:
            await ask(self._client, "SET", key, self._from_file(name) or make(), "NX")
            found = await ask(self._client, "GET", key)
        if found is None:
            raise StoreUnavailable("The store does not keep what it is given.")
        text: str = found.decode()
        return text

    def _from_file(self, name: str) -> str | None:
        path = self._data / name
        return path.read_text(encoding="utf-8").strip() if path.exists() else None
