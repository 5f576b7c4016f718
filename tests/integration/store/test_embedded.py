"""The bundled store: one supervisor for a data directory, private, and the same data after every start."""

from __future__ import annotations

import os
import signal
import stat
import threading

import pytest
import redis

from infra.embedded import server as one_run
from infra.embedded.bundled import DataDirInUse, Embedded, StoreNotStarted, running
from infra.store.redis import connect, connect_sync, ping

pytestmark = pytest.mark.single


def _mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_it_answers_and_says_where(tmp_path):
    with Embedded(tmp_path) as server:
        assert server.alive()
        assert running(tmp_path) == server.url
        assert connect_sync(server.url).ping()
    assert not server.alive()
    assert running(tmp_path) is None


@pytest.mark.anyio
async def test_the_asynchronous_client_reaches_it(tmp_path):
    with Embedded(tmp_path) as server:
        client = connect(server.url)
        assert await ping(client)
        await client.aclose()


def test_data_outlives_a_stop_in_a_directory_with_spaces(tmp_path):
    data = tmp_path / 'my "own" žluté games'
    with Embedded(data) as server:
        connect_sync(server.url).set("kept", "yes")
    with Embedded(data) as server:
        assert connect_sync(server.url).get("kept") == b"yes"


def test_a_long_path_falls_back_to_loopback(tmp_path):
    data = tmp_path / ("long" * 30)
    with Embedded(data) as server:
        assert server.url.startswith("redis://:")
        assert "@127.0.0.1:" in server.url
        connect_sync(server.url).set("kept", "yes")
        before = server.url
        server.restart()
        assert server.url == before
        assert connect_sync(server.url).get("kept") == b"yes"


def test_strangers_are_kept_out(tmp_path):
    with Embedded(tmp_path / "data") as server:
        private = [tmp_path / "data" / name for name in ("password", "server.json", "store/store.sock")]
        assert [_mode(path) for path in private] == [0o600] * 3
        assert _mode(tmp_path / "data" / "store") == 0o700
        with pytest.raises(redis.AuthenticationError):
            connect_sync(server.url.partition("?")[0]).ping()


def test_it_writes_every_append_to_disk_before_it_answers(tmp_path):
    with Embedded(tmp_path) as server:
        wanted = {"appendonly": "yes", "appendfsync": "always", "aof-use-rdb-preamble": "no", "save": ""}
        found = redis.Redis.from_url(server.url, decode_responses=True).config_get(*wanted)
        assert found == wanted


def test_a_second_start_names_the_holder(tmp_path):
    with Embedded(tmp_path) as server:
        with pytest.raises(DataDirInUse) as refused:
            Embedded(tmp_path).start()
        assert f"process {os.getpid()}" in str(refused.value)
        assert "store.sock" in str(refused.value)
        assert server.url.partition("password=")[2] not in str(refused.value)
        assert connect_sync(server.url).ping()


def test_a_killed_server_comes_back_at_the_same_address(tmp_path):
    with Embedded(tmp_path) as server:
        connect_sync(server.url).set("kept", "yes")
        os.kill(server.pid, signal.SIGKILL)
        server._process.wait()
        assert not server.alive()
        assert running(tmp_path) is None
        server.restart()
        assert connect_sync(server.url).get("kept") == b"yes"
        assert running(tmp_path) == server.url


def test_it_outlives_the_thread_that_started_it(tmp_path):
    server = Embedded(tmp_path)
    starter = threading.Thread(target=server.start)
    starter.start()
    starter.join()
    try:
        assert connect_sync(server.url).ping()
        assert server.alive()
    finally:
        server.stop()


def test_a_damaged_log_is_said_and_frees_the_directory(tmp_path):
    with Embedded(tmp_path):
        pass
    (tmp_path / "store/appendonlydir/appendonly.aof.manifest").write_text("nonsense\n")
    for _ in range(2):
        with pytest.raises(StoreNotStarted, match=r"ended while it started.*server\.log"):
            Embedded(tmp_path).start()


def test_without_any_server_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(one_run, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(StoreNotStarted, match="set TURNLOG_REDIS_URL, or install"):
        one_run.find_binary()


def test_it_cannot_be_restarted_before_it_was_started(tmp_path):
    with pytest.raises(StoreNotStarted):
        Embedded(tmp_path).restart()
