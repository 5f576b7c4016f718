"""Wires the outside world to the handlers: once for a process, with fakes in tests."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from infra.accounts import Accounts
from infra.eventstore import EventStore
from infra.readmodel import ReadModel
from infra.redis import Client, connect
from infra.settings import Settings
from infra.tokens import Tokens
from infra.watch import Watch
from service.cache import Matches
from service.names import Names


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return secrets.token_urlsafe(9)


@dataclass(frozen=True)
class Deps:
    """Everything a handler may use."""

    settings: Settings
    client: Client
    store: EventStore
    matches: Matches
    accounts: Accounts
    tokens: Tokens
    names: Names
    readmodel: ReadModel
    watch: Watch
    now: Callable[[], datetime] = now
    new_id: Callable[[], str] = new_id
    new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)

    def at(self) -> str:
        """The time of an event: RFC 3339, UTC, milliseconds."""
        return stamp(self.now())

    @cached_property
    def secret(self) -> bytes:
        """What signs links and sessions; looked up once, not at every signature."""
        return self.settings.secret.encode()

    async def close(self) -> None:
        await self.watch.aclose()
        await self.client.aclose()


def stamp(moment: datetime) -> str:
    """
    >>> stamp(datetime(2026, 11, 16, 9, 30, 12, 345678, UTC))
    '2026-11-16T09:30:12.345Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def wire(settings: Settings, url: str, now: Callable[[], datetime] = now) -> Deps:
    """Connect to a store. Nothing is sent before the first use."""
    client = connect(url)
    store = EventStore(client)
    accounts = Accounts(client)
    return Deps(
        settings=settings,
        client=client,
        store=store,
        matches=Matches(store),
        accounts=accounts,
        tokens=Tokens(client),
        names=Names(accounts),
        readmodel=ReadModel(client),
        watch=Watch(client),
        now=now,
    )
