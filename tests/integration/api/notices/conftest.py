"""A house whose clock the test moves, with a real mail server and receiver."""

import dataclasses

import pytest

from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.store.outbox import Outbox
from infra.store.redis import connect_sync
from tests.letterbox import Letterbox, Receiver
from tests.posting import Hand, Post


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture(scope="module")
def mailbox():
    with Letterbox() as box:
        yield box


@pytest.fixture
def box(mailbox):
    mailbox.letters.clear()
    mailbox.refuse = ""
    return mailbox


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
async def house(deps, hand, box, open_another):
    deps = dataclasses.replace(
        deps, now=hand, mail=Mail(box.url, "house@example.org"), outward=GuardedHttp(lenient=True)
    )
    async with open_another(deps) as house:
        yield house


@pytest.fixture
async def post(house, embedded):
    connection = connect_sync(embedded.url)
    await Outbox(house.deps.client).ensure_groups()
    yield Post(house.deps, connection)
    connection.close()
