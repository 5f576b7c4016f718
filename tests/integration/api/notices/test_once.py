"""Told once: however many workers want to, and whoever dies between sending and writing that down."""

import asyncio
import dataclasses

import pytest

from infra.people.ledger import CLAIM_MS, Ledger
from infra.process.errors import StoreUnavailable
from infra.store import keys
from infra.store.redis import call
from service.notices.owed import Owed
from tests.posting import table, until_turn, with_mail
from workers.notices import deliver

pytestmark = pytest.mark.anyio


@pytest.fixture
async def owed(house, hand, box, post):
    """A notice that is due now, and whose."""
    anna, bert, match = await table(house)
    await with_mail(house, box, anna)
    match = await until_turn(bert, match, 0)
    hand.on(minutes=2)
    since = (await house.deps.matches.now(match["id"])).since[0]
    return anna, Owed("turn", match["id"], 0, since).member


async def outcomes(anna):
    items = (await anna.get("/api/me/notifications")).json()["items"]
    return [(item["outcome"], item["tries"]) for item in items]


async def test_of_many_workers_one_sends(house, box, owed):
    anna, member = owed
    done = await asyncio.gather(*(deliver.deliver(house.deps, member, "mail") for _ in range(5)))
    assert (sorted(done), len(box.letters)) == ([False] * 4 + [True], 1)
    assert not await deliver.deliver(house.deps, member, "mail")
    assert await outcomes(anna) == [("sent", 1)]


async def test_a_letter_that_nobody_wrote_down_is_sent_again_under_the_same_id(house, box, owed, monkeypatch):
    anna, member = owed

    class Dying(Ledger):
        async def put(self, account, entry, fresh=False):
            raise StoreUnavailable("killed")

        async def release(self, account, key):
            """Nor does a dead process give its claim back."""

    monkeypatch.setattr(deliver, "PATIENCE_S", ())
    dying = dataclasses.replace(house.deps, ledger=Dying(house.deps.client))
    with pytest.raises(StoreUnavailable):
        await deliver.deliver(dying, member, "mail")
    assert not await deliver.deliver(house.deps, member, "mail")  # the claim still holds
    pattern = keys.account(anna.account["id"], "sending:*")
    [claim] = [key async for key in house.deps.client.scan_iter(match=pattern)]
    assert 0 < await call(house.deps.client, "PTTL", claim) <= CLAIM_MS  # it ends by itself
    await call(house.deps.client, "DEL", claim)
    assert await deliver.deliver(house.deps, member, "mail")
    assert len(box.letters) == 2
    assert len({letter["Message-ID"] for letter in box.letters}) == 1
    assert await outcomes(anna) == [("sent", 1)]


async def test_a_store_that_restarts_after_the_letter_is_waited_for(house, box, owed, monkeypatch):
    anna, member = owed
    away = iter([True, True, False])

    class Restarting(Ledger):
        async def put(self, account, entry, fresh=False):
            if next(away):
                raise StoreUnavailable("restarting")
            await super().put(account, entry, fresh)

    monkeypatch.setattr(deliver, "PATIENCE_S", (0, 0))
    patient = dataclasses.replace(house.deps, ledger=Restarting(house.deps.client))
    assert await deliver.deliver(patient, member, "mail")
    assert len(box.letters) == 1
    assert await outcomes(anna) == [("sent", 1)]


async def test_the_same_turn_has_another_id_on_each_channel(house, box, receiver, owed):
    anna, member = owed
    await anna.ask("PUT", "/api/me/channels/hook", json={"kind": "webhook", "url": f"{receiver.url}/x"})
    for channel in ("mail", "hook"):
        assert await deliver.deliver(house.deps, member, channel)
    [letter], [(_, headers, _)] = box.letters, receiver.requests
    assert letter["Message-ID"].strip("<>").partition("@")[0] != headers["webhook-id"]


async def test_a_server_that_never_answers_is_given_up_before_the_claim_ends(house, owed, monkeypatch):
    anna, member = owed

    async def silent(*_):
        await asyncio.sleep(60)

    monkeypatch.setattr(deliver.senders, "send", silent)
    monkeypatch.setattr(deliver, "LONGEST_S", 0.05)
    assert not await deliver.deliver(house.deps, member, "mail")
    assert await outcomes(anna) == [("retry", 1)]
