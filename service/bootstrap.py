"""Wires the outside world to the handlers: once for a process, with fakes in tests."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from infra.archive import chosen
from infra.archive.archive import Archive
from infra.fleet.preflight import Fitness
from infra.outside.kept import Kept
from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.outside.signing import Signing
from infra.people.accounts import Accounts
from infra.people.blocks import Blocks
from infra.people.bots import Bots
from infra.people.channels import Channels
from infra.people.ledger import Ledger
from infra.people.profiles import Profiles
from infra.people.quotas import Quotas
from infra.people.tokens import Tokens
from infra.process import ids
from infra.process.settings import Settings
from infra.store import agenda, durability
from infra.store.agenda import Agenda
from infra.store.beside import BesideLogs
from infra.store.chat import Chat
from infra.store.eventstore import EventStore
from infra.store.ratings import Ratings
from infra.store.readmodel import ReadModel
from infra.store.redis import Client, connect
from infra.store.watch import Watch
from service.basics.stamps import stamp
from service.memory.clocks import Clocks
from service.memory.matches import Matches
from service.memory.names import Names
from service.memory.next_turns import Waiting
from service.memory.ratings import Board

__all__ = ["Deps", "People", "Process", "Tables", "new_id", "now", "stamp", "wire"]


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return ids.new_id(9)


@dataclass(frozen=True, kw_only=True)
class Process:
    """What everybody may use: settings, the store's connection, time, and what nobody can guess."""

    settings: Settings
    client: Client
    kept: Kept
    fitness: Fitness
    now: Callable[[], datetime] = now
    new_id: Callable[[], str] = new_id
    new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)

    def at(self) -> str:
        """The time of an event: RFC 3339, UTC, milliseconds."""
        return stamp(self.now())

    @property
    def secret(self) -> bytes:
        """What signs links and sessions."""
        return self.kept.secret.encode()


@dataclass(frozen=True, kw_only=True)
class Tables(Process):
    """Matches: their logs, what is remembered of them, and what lies beside them."""

    store: EventStore
    archive: Archive
    beside: BesideLogs
    signing: Signing
    matches: Matches
    clocks: Clocks
    chat: Chat
    readmodel: ReadModel
    waiting: Waiting
    ratings: Ratings
    board: Board
    watch: Watch
    calls: Agenda
    notices: Agenda


@dataclass(frozen=True, kw_only=True)
class People(Process):
    """Accounts, people's and bots', and how they are reached."""

    accounts: Accounts
    tokens: Tokens
    names: Names
    profiles: Profiles
    quotas: Quotas
    blocks: Blocks
    bots: Bots
    channels: Channels
    ledger: Ledger
    outward: GuardedHttp
    mail: Mail | None


@dataclass(frozen=True, kw_only=True)
class Deps(Tables, People):
    """Everything: for commands and routes. Whoever needs less says so in its signature."""

    async def close(self) -> None:
        await self.watch.aclose()
        await self.store.aclose()
        await self.client.aclose()


def wire(settings: Settings, url: str, now: Callable[[], datetime] = now) -> Deps:
    """Connect to a store. Nothing is sent before the first use."""
    client = connect(url)
    archive = Archive(client, chosen.shelf(settings))
    store = EventStore(client, durability.chosen(settings), archive)
    beside = BesideLogs(client, archive)
    matches = Matches(store, beside)
    accounts = Accounts(client, clock=lambda: now().timestamp())
    profiles = Profiles(client)
    readmodel = ReadModel(client)
    ratings = Ratings(client)
    return Deps(
        settings=settings,
        client=client,
        store=store,
        archive=archive,
        beside=beside,
        signing=Signing(client, clock=lambda: now().timestamp()),
        kept=Kept(client, settings),
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
        outward=GuardedHttp(settings.lenient, local=settings.local),
        mail=Mail(settings.smtp_url, settings.mail_from) if settings.smtp_url else None,
        readmodel=readmodel,
        waiting=Waiting(readmodel),
        ratings=ratings,
        board=Board(ratings),
        watch=Watch(client),
        calls=agenda.calls(client),
        notices=agenda.notices(client),
        fitness=Fitness(client, durability.chosen(settings), settings.managed),
        now=now,
    )
