"""A store carries the number of its format: kept once, and a newer one is left alone."""

import asyncio

import pytest

from infra.embedded.bundled import Embedded
from infra.fleet import layout
from infra.process.settings import Settings
from infra.store import keys
from infra.store.redis import ask, connect
from service.cli.common import WrongUsage
from service.cli.house.fitting import check_store
from tests.integration.cli.test_offline import turnlog


@pytest.mark.anyio
async def test_a_store_without_a_number_gets_one_once(client):
    assert await layout.refusal(client) is None
    await layout.mark(client)
    await layout.mark(client)
    assert int(await ask(client, "GET", keys.FORMAT)) == layout.FORMAT
    assert await layout.refusal(client) is None


@pytest.mark.anyio
@pytest.mark.parametrize("found", [str(layout.FORMAT + 1), "strange"])
async def test_a_newer_number_is_refused_and_stays(client, found):
    await ask(client, "SET", keys.FORMAT, found)
    assert f"format {found}" in (await layout.refusal(client) or "")
    await layout.mark(client)
    assert (await ask(client, "GET", keys.FORMAT)).decode() == found


async def _write(url, number):
    client = connect(url)
    await ask(client, "SET", keys.FORMAT, number)
    await client.aclose()


def test_roles_and_commands_refuse_a_newer_store(tmp_path):
    with Embedded(tmp_path / "data") as server:
        check_store(Settings(), server.url)  # marks it
        asyncio.run(_write(server.url, layout.FORMAT + 1))
        with pytest.raises(WrongUsage, match="the store has format"):
            check_store(Settings(), server.url)
    done = turnlog("account", "list", data=tmp_path / "data")
    assert done.returncode == 2
    assert "the store has format" in done.stderr
    house = turnlog("up", "--port", "0", data=tmp_path / "data")  # ends at once, before any role is begun
    assert house.returncode == 2
    assert "the store has format" in house.stderr
