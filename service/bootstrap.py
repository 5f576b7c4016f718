"""Wires the outside world to the handlers: once for a process, with fakes in tests."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from infra import ids
from infra.accounts import Accounts
from infra.beside import BesideLogs
from infra.blocks import Blocks
from infra.bots import Bots
from infra.channels import Channels
from infra.chat import Chat
from infra.eventstore import EventStore
from infra.ledger import Ledger
from infra.mail import Mail
from infra.outward import Outward
from infra.profiles import Profiles
from infra.quotas import Quotas
from infra.ratings import Ratings
from infra.readmodel import ReadModel
from infra.redis import Client, connect
from infra.settings import Settings
from infra.signing import Signing
from infra.tokens import Tokens
from infra.watch import Watch
from service.cache import Matches
from service.clocks import Clocks
from service.names import Names
from service.ratings import Board
from service.times import stamp
from service.waiting import Waiting

__all__ = ["Deps", "new_id", "now", "stamp", "wire"]


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return ids.new_id(9)


@dataclass(frozen=True)
class Deps:
    """Everything a handler may use."""

    settings: Settings
    client: Client
    store: EventStore
    beside: BesideLogs
    signing: Signing
    matches: Matches
    accounts: Accounts
    tokens: Tokens
    names: Names
    profiles: Profiles
    quotas: Quotas
    clocks: Clocks
    blocks: Blocks
    bots: Bots
    channels: Channels
    chat: Chat
    ledger: Ledger
    outward: Outward
    mail: Mail | None
    readmodel: ReadModel
    waiting: Waiting
    ratings: Ratings
    board: Board
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


def wire(settings: Settings, url: str, now: Callable[[], datetime] = now) -> Deps:
    """Connect to a store. Nothing is sent before the first use."""
    client = connect(url)
    store, beside = EventStore(client), BesideLogs(client)
    matches = Matches(store, beside)
    accounts = Accounts(client, clock=lambda: now().timestamp())
    profiles = Profiles(client)
    readmodel = ReadModel(client)
    ratings = Ratings(client)
    return Deps(
        settings=settings,
        client=client,
        store=store,
        beside=beside,
        signing=Signing(client, clock=lambda: now().timestamp()),
        matches=matches,
        accounts=accounts,
        tokens=Tokens(client, clock=lambda: now().timestamp()),
        names=Names(accounts),
        profiles=profiles,
        quotas=Quotas(client, clock=lambda: now().timestamp()),
        clocks=Clocks(store, profiles, matches),
        blocks=Blocks(client),
        bots=Bots(client),
        channels=Channels(client),
        chat=Chat(client),
        ledger=Ledger(client),
        outward=Outward(settings.lenient, local=settings.local),
        mail=Mail(settings.smtp_url, settings.mail_from) if settings.smtp_url else None,
        readmodel=readmodel,
        waiting=Waiting(readmodel, client),
        ratings=ratings,
        board=Board(ratings),
        watch=Watch(client),
        now=now,
    )
