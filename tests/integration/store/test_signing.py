"""Keys are made once, rotated, kept, and come back from a backup."""

import asyncio

import pytest

from infra.outside import ed25519
from infra.outside.signing import KEYS, Signing
from infra.process.errors import BadSetting
from infra.store import backup

pytestmark = pytest.mark.anyio


async def test_of_many_that_make_the_first_key_one_wins(deps):
    found = await asyncio.gather(*(Signing(deps.client).keys() for _ in range(20)))
    assert len({keys[-1].public for keys in found}) == 1
    assert len(await deps.signing.keys()) == 1


async def test_a_replaced_key_keeps_its_public_half_only(deps):
    old = (await deps.signing.keys())[-1]
    ident, signature = await deps.signing.sign(b"text")
    assert ident == old.id
    assert ed25519.holds(old.public, signature, b"text")
    new = await deps.signing.rotate()
    keys = await deps.signing.keys()
    assert [(key.public, bool(key.secret)) for key in keys] == [(old.public, False), (new.public, True)]
    assert (await deps.signing.sign(b"text"))[0] == new.id


async def test_each_key_is_younger_than_all_before_it(deps):
    """Though the clock stands still: the newest signs, so there must be one."""
    signing = Signing(deps.client, lambda: 1.0)
    made = [await signing.rotate() for _ in range(5)]
    assert [key.created for key in made] == [1000, 1001, 1002, 1003, 1004]
    assert [key.public for key in await signing.keys()] == [key.public for key in made]


async def test_rotations_at_once_lose_no_key(deps):
    await asyncio.gather(*(Signing(deps.client).rotate() for _ in range(5)))
    keys = await deps.signing.keys()
    assert len(keys) == 5
    assert [bool(key.secret) for key in keys] == [False] * 4 + [True]


async def test_a_revoked_key_signs_no_more_and_stays_known_as_revoked(deps):
    stolen = (await deps.signing.keys())[-1]
    assert not await deps.signing.revoke("0" * 32)
    assert await deps.signing.revoke(stolen.id)
    assert list(await deps.signing.revoked()) == [stolen.id]
    current = (await deps.signing.keys())[-1]
    assert (await deps.signing.sign(b"x"))[0] == current.id != stolen.id
    assert [key.public for key in await deps.signing.keys()] == [stolen.public, current.public]
    since = await deps.signing.revoked()
    assert await deps.signing.revoke(stolen.id)
    assert await deps.signing.revoked() == since, "once, from the first time on"
    assert (await deps.signing.keys())[-1].id == current.id


async def test_a_backup_of_before_does_not_take_a_revocation_back(deps):
    stolen = (await deps.signing.keys())[-1]
    saved = await backup.dump(deps.client)
    await deps.signing.revoke(stolen.id)
    await deps.client.delete(KEYS)
    await backup.restore(deps.client, saved)
    assert (await deps.signing.keys())[-1].id == stolen.id, "its secret came back"
    assert (await deps.signing.sign(b"x"))[0] != stolen.id


async def test_a_backup_brings_revocations_back(deps):
    stolen = (await deps.signing.keys())[-1]
    await deps.signing.revoke(stolen.id)
    saved = await backup.dump(deps.client)
    await deps.client.flushall()
    await backup.restore(deps.client, saved)
    assert list(await deps.signing.revoked()) == [stolen.id]


async def test_keys_of_a_backup_join_those_that_are_there(deps):
    old = (await deps.signing.keys())[-1]
    await deps.signing.trust("Lodge", [old.public])
    saved = await backup.dump(deps.client)
    await deps.client.flushall()
    fresh = (await deps.signing.keys())[-1]
    await backup.restore(deps.client, saved)
    assert [key.public for key in await deps.signing.keys()] == [old.public, fresh.public]
    assert (await deps.signing.sign(b"x"))[0] == fresh.id
    assert await deps.signing.trusted() == {"Lodge": [old.public]}
    assert await deps.client.hlen(KEYS) == 2


@pytest.mark.parametrize(
    ("name", "keys"),
    [("", ["00" * 32]), ("a:b", ["00" * 32]), ("x" * 41, ["00" * 32]), ("x", []), ("x", ["zz"])],
)
async def test_nonsense_is_not_trusted(deps, name, keys):
    with pytest.raises(BadSetting):
        await deps.signing.trust(name, keys)
    assert not await deps.signing.distrust(name)


def test_nonsense_does_not_hold():
    pair = ed25519.make()
    signature = ed25519.sign(pair.secret, b"text")
    assert ed25519.holds(pair.public, signature, b"text")
    assert not ed25519.holds(pair.public, signature, b"other")
    assert not ed25519.holds(pair.public, "zz", b"text")
    assert not ed25519.holds("00", signature, b"text")
