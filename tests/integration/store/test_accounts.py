"""The contract of accounts and their passwords."""

from __future__ import annotations

import asyncio

import pytest
from argon2 import PasswordHasher

from infra.people.accounts import (
    Accounts,
    AlreadyClaimed,
    BadName,
    BadSetting,
    NameTaken,
    UnknownAccount,
)
from infra.people.tokens import Tokens

pytestmark = pytest.mark.anyio

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
DEARER = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)


@pytest.fixture
def accounts(client):
    return Accounts(client, CHEAP, clock=lambda: 12.5)


async def test_a_guest_is_found_by_id_and_by_name(accounts):
    ann = await accounts.create("Ann", locale="cs", tz="Europe/Prague")
    assert (ann.name, ann.guest, ann.locale, ann.tz, ann.created) == (
        "Ann",
        True,
        "cs",
        "Europe/Prague",
        12500,
    )
    assert await accounts.get(ann.id) == ann
    assert await accounts.find("aNN") == ann
    assert await accounts.get("nobody") is None
    assert await accounts.find("bob") is None
    assert await accounts.find("\x00") is None


async def test_a_name_belongs_to_one(accounts):
    await accounts.create("Ann")
    with pytest.raises(NameTaken):
        await accounts.create("ANN", "secret")
    with pytest.raises(BadName):
        await accounts.create("Ann\n")


async def test_of_many_who_want_a_name_one_gets_it(accounts, client):
    outcomes = await asyncio.gather(*(accounts.create("Ann") for _ in range(8)), return_exceptions=True)
    winners = [outcome for outcome in outcomes if not isinstance(outcome, NameTaken)]
    assert len(winners) == 1
    assert await accounts.find("ann") == winners[0]
    assert len([key async for key in client.scan_iter(match="tl:{a:*")]) == 1


async def test_a_password_opens_its_account_only(accounts):
    ann = await accounts.create("Ann", "correct horse")
    await accounts.create("Guest")
    assert not ann.guest
    assert await accounts.verify("ann", "correct horse") == ann
    for name, password in [("ann", "wrong"), ("nobody", "x"), ("Guest", "x"), ("\x00", "x"), ("ann", "")]:
        assert await accounts.verify(name, password) is None
    assert await accounts.verify("ann", "\ud800") is None


async def test_the_password_itself_is_nowhere(accounts, client):
    ann = await accounts.create("Ann", "correct horse")
    stored = await client.hgetall(f"tl:{{a:{ann.id}}}:account")
    assert stored[b"password"].startswith(b"$argon2id$")
    assert not any(b"horse" in value for value in stored.values())


async def test_a_guest_claims_the_account_once(accounts):
    ann = await accounts.create("Ann")
    assert not (await accounts.claim(ann.id, "mine")).guest
    with pytest.raises(AlreadyClaimed):
        await accounts.claim(ann.id, "yours")
    assert await accounts.verify("Ann", "mine")
    await accounts.set_password(ann.id, "changed")
    assert await accounts.verify("Ann", "mine") is None
    assert await accounts.verify("Ann", "changed")


async def test_an_empty_password_is_no_password(accounts):
    with pytest.raises(BadSetting, match="password"):
        await accounts.create("Ann", "")
    assert await accounts.find("Ann") is None


async def test_a_dated_hash_is_renewed_at_the_next_login(accounts, client):
    ann = await accounts.create("Ann", "secret")
    newer = Accounts(client, DEARER)
    assert await newer.verify("Ann", "secret")
    stored = (await client.hget(f"tl:{{a:{ann.id}}}:account", "password")).decode()
    assert not DEARER.check_needs_rehash(stored)
    assert await newer.verify("Ann", "secret")


async def test_settings_change_and_vanish(accounts):
    ann = await accounts.create("Ann")
    hours = {"from": "22:00", "to": "07:00"}
    changed = await accounts.update(ann.id, locale="en", tz="Asia/Tokyo", quiet_hours=hours, vacation=[])
    assert (changed.locale, changed.tz, changed.quiet_hours) == ("en", "Asia/Tokyo", hours)
    changed = await accounts.update(ann.id, tz=None, quiet_hours=None)
    assert (changed.locale, changed.tz, changed.quiet_hours, changed.vacation) == ("en", None, None, [])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("locale", "xx"),
        ("locale", ["en"]),
        ("tz", "Europe/Nowhere"),
        ("tz", "../../etc/passwd"),
        ("tz", 5),
        ("tz", ""),
        ("tz", "Europe"),
        ("vacation", object()),
        ("password", "x"),
        ("name", "x"),
    ],
)
async def test_a_setting_that_makes_no_sense_is_refused_by_name(accounts, field, value):
    ann = await accounts.create("Ann")
    with pytest.raises(BadSetting) as refused:
        await accounts.update(ann.id, **{field: value})
    assert refused.value.field == field
    assert await accounts.get(ann.id) == ann


async def test_a_deleted_account_leaves_nothing(accounts, client):
    ann = await accounts.create("Ann", "secret")
    await Tokens(client).issue(ann.id, "phone", ["play"])
    await accounts.delete(ann.id)
    assert await client.dbsize() == 0
    assert await accounts.verify("Ann", "secret") is None
    with pytest.raises(UnknownAccount):
        await accounts.update(ann.id, locale="cs")
    assert (await accounts.create("ann")).id != ann.id
