"""The files of a real store, damaged: what a start says of it, and what a repair keeps."""

import os
import stat

import pytest

from infra.embedded.bundled import Embedded, StoreNotStarted
from infra.store.eventstore import Cmd, EventStore
from infra.store.redis import connect
from tests.integration.cli.test_offline import turnlog

pytestmark = [pytest.mark.anyio, pytest.mark.single]


async def _on(data, use):
    with Embedded(data) as server:
        client = connect(server.url)
        try:
            return server.lost, await use(EventStore(client))
        finally:
            await client.aclose()


async def _fill(store):
    for match in ("one", "two"):
        for seq in range(5):
            cmd = Cmd("writer", f"k{seq}", "d")
            await store.append(match, seq, [b'{"match":"%b","n":%d}' % (match.encode(), seq)], cmd=cmd)


@pytest.fixture
async def data(tmp_path):
    await _on(tmp_path, _fill)
    return tmp_path


def _file(data):
    (file,) = (data / "store/appendonlydir").glob("*.incr.aof")
    return file


async def test_a_cut_tail_is_reported_with_what_was_lost(data):
    file = _file(data)
    before = file.read_bytes()
    os.truncate(file, len(before) - 20)
    lost, log = await _on(data, lambda store: store.read("two"))
    assert "is damaged at its end" in lost
    assert "match two event 5" in lost
    assert len(log) == 4
    (kept,) = (data / "store").glob("*.tail-*")
    assert file.read_bytes() + kept.read_bytes() == before[:-20]  # nothing is thrown away
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    lost, _ = await _on(data, lambda store: store.read("two"))
    assert lost is None


async def test_a_huge_length_in_the_middle_is_not_taken_for_a_tail(data):
    """The store itself would cut everything off behind it."""
    file = _file(data)
    line = b'$21\r\n{"match":"one","n":1}'
    before = file.read_bytes()
    assert before.count(line) == 1
    file.write_bytes(before.replace(line, line.replace(b"$21", b"$91111111")))
    with pytest.raises(StoreNotStarted, match=r"match one event 2\).*turnlog store repair") as said:
        Embedded(data).start()
    assert f"--data {data}" in str(said.value)
    assert len(file.read_bytes()) > len(before)  # untouched


async def test_the_advice_works(data):
    file = _file(data)
    file.write_bytes(file.read_bytes().replace(b'"one","n":1}\r\n', b'"one","n":1}xx'))
    checked = turnlog("store", "check", data=data)
    assert (checked.returncode, "match one event 2" in checked.stdout) == (1, True), checked
    repaired = turnlog("store", "repair", data=data)
    assert repaired.returncode == 0, repaired
    assert "nothing is damaged" in turnlog("store", "check", data=data).stdout

    async def read(store):
        return [await store.read(match) for match in ("one", "two")]

    lost, (one, two) = await _on(data, read)
    assert lost is None
    assert (len(one), len(two)) == (4, 5)  # one event of one match, and nothing behind it
    assert len(list((data / "store").glob("damaged-*/*.aof"))) == 1


async def test_a_running_store_is_not_repaired(data):
    file = _file(data)
    with Embedded(data):
        with file.open("ab") as out:
            out.write(b"*1\r\n$4\r\nPI")
        refused = turnlog("store", "repair", data=data)
    assert refused.returncode == 1
    assert "in use" in refused.stderr


async def test_nothing_to_repair_is_said(data, tmp_path):
    assert turnlog("store", "repair", data=data).stdout == "nothing is damaged\n"
    assert turnlog("store", "check", data=tmp_path / "nowhere").returncode == 2
