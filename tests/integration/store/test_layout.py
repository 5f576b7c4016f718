"""A store carries the number of its format: kept once, and a newer one is left alone."""

import asyncio

import msgspec
import pytest

from infra.embedded.bundled import Embedded
from infra.fleet import layout
from infra.process.settings import Settings
from infra.store import backup, keys
from infra.store.ratings import Ratings
from infra.store.readmodel import ReadModel, Summary, WaitingTurn
from infra.store.redis import ask, connect
from service.cli.common import WrongUsage
from service.cli.house.fitting import check_store
from tests.integration.cli.test_offline import turnlog


@pytest.mark.anyio
async def test_a_store_without_a_number_gets_one_once(client):
    assert await layout.refusal(client) is None
    await layout.settle(client)
    await layout.settle(client)
    assert int(await ask(client, "GET", keys.FORMAT)) == layout.FORMAT
    assert await layout.refusal(client) is None


SUMMARY = Summary(
    "m1", 4, "machi-koro", "running", True, opened=1000, updated=1001,
    accounts=["account:ann", "account:bob"], turns=[WaitingTurn("account:ann", 0, since=4)],
)  # fmt: skip
OLD = ("tl:{ratings}:machi-koro", "tl:{ratings}:unrated")
ENTRY = b'{"match":"m0","at":5000,"players":["account:ann","account:bob"],"places":[1,2]}'


async def _as_format_1(client, summary):
    """What a store had before there were numbers: all lists and results in one slot each."""
    old, member = "tl:{lobby}:", f"{summary.opened:015d}:{summary.match}"
    await ask(client, "SET", f"{old}m:{summary.match}", msgspec.json.encode(summary))
    await ask(client, "SET", f"{old}x:{summary.match}", f"{summary.seq}\n{member}\n{old}i:+:*:*")
    await ask(client, "ZADD", f"{old}i:+:*:*", 0, member)
    await ask(client, "ZADD", f"{old}t:account:ann", 0, member)
    await ask(client, "SET", f"{old}next:m1:4:account:ann", b'{"id":"m2"}', "EX", 1000)
    await ask(client, "ZADD", "tl:{ratings}:machi-koro", 5000, ENTRY)
    await ask(client, "SADD", "tl:{ratings}:unrated", "m7", "m8")


@pytest.mark.anyio
@pytest.mark.parametrize("number", [None, 1])
@pytest.mark.parametrize("interrupted", [False, True])
async def test_a_store_of_format_1_opens_as_it_was(client, monkeypatch, number, interrupted):
    await _as_format_1(client, SUMMARY)
    if number is not None:
        await ask(client, "SET", keys.FORMAT, number)
    if interrupted:  # after everything was carried over, and before the old keys are gone
        with monkeypatch.context() as patch:
            patch.setattr(layout, "_unlink", None)
            with pytest.raises(TypeError):
                await layout.settle(client)
        await ReadModel(client).put(msgspec.structs.replace(SUMMARY, seq=5, turns=[]))  # and it went on
    await layout.settle(client)
    model, ratings = ReadModel(client), Ratings(client)
    shown = await model.get("m1")
    assert shown == (msgspec.structs.replace(SUMMARY, seq=5, turns=[]) if interrupted else SUMMARY)
    assert [one.match for one in (await model.list("running"))[0]] == ["m1"]
    assert [one.summary.match for one in await model.turns("account:ann")] == ([] if interrupted else ["m1"])
    assert await model.active("account:bob") == {"m1"}
    assert await model.told_next("m1", 4, "account:ann") == b'{"id":"m2"}'
    assert 0 < await ask(client, "TTL", keys.next_turn("m1", 4, "account:ann")) <= 1000
    assert [one.match for one in await ratings.after("machi-koro", 0)] == ["m0"]
    assert [await ratings.is_left_out(one) for one in ("m7", "m8", "m1")] == [True, True, False]
    assert int(await ask(client, "GET", keys.FORMAT)) == layout.FORMAT
    found = [key async for key in client.scan_iter()]
    assert not [key for key in found if b"{lobby}" in key or b"{ratings}" in key]


@pytest.mark.anyio
async def test_a_backup_of_format_1_is_restored_into_today_s_places(client):
    await _as_format_1(client, SUMMARY)
    records = [await backup._record(client, key.encode()) for key in OLD]
    await client.flushall()
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    for again in range(2):
        assert await backup.restore(client, lines) == (0 if again else 3)
    assert [one.match for one in await Ratings(client).after("machi-koro", 0)] == ["m0"]
    assert await Ratings(client).is_left_out("m8")
    assert not [key async for key in client.scan_iter() if b"{ratings}" in key]


@pytest.mark.anyio
@pytest.mark.parametrize("found", [str(layout.FORMAT + 1), "strange"])
async def test_a_newer_number_is_refused_and_stays(client, found):
    await ask(client, "SET", keys.FORMAT, found)
    assert f"format {found}" in (await layout.refusal(client) or "")
    await layout.settle(client)
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
