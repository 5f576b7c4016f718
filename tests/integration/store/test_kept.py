"""Secrets that all machines share."""

import asyncio

import pytest

from infra.outside.kept import Kept
from infra.process.errors import StoreUnavailable
from infra.process.settings import Settings

pytestmark = pytest.mark.anyio


async def loaded(client, data, **given):
    kept = Kept(client, Settings(data=data, **given))
    await kept.load()
    return kept


async def test_machines_that_start_together_have_the_same(client, tmp_path):
    both = await asyncio.gather(*(loaded(client, tmp_path / name) for name in "ab"))
    assert both[0].secret == both[1].secret
    assert len(both[0].secret) >= 32
    assert await both[0].vapid() == await both[1].vapid()
    assert not list(tmp_path.iterdir())


async def test_what_a_data_directory_held_is_taken_over_once(client, tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text(f"the secret of {name}\n")
    assert (await loaded(client, tmp_path / "a")).secret == "the secret of a"
    assert (await loaded(client, tmp_path / "b")).secret == "the secret of a"


async def test_commands_beside_the_house_make_none(client, tmp_path):
    """Else a backup could not bring its own."""
    before, after = (Kept(client, Settings(data=tmp_path)) for _ in range(2))
    await before.look()
    with pytest.raises(StoreUnavailable):
        _ = before.secret
    made = await loaded(client, tmp_path)
    await after.look()
    assert after.secret == made.secret


async def test_a_given_one_counts_and_nothing_is_signed_before_it_is_known(client, tmp_path):
    assert (await loaded(client, tmp_path, given_secret="a given secret")).secret == "a given secret"
    with pytest.raises(StoreUnavailable):
        _ = Kept(client, Settings(data=tmp_path)).secret
