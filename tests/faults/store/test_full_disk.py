"""A disk without room: reading goes on, writing says why, and everything resumes when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from infra.embedded.bundled import Embedded, running
from infra.process.errors import StoreFull, StoreUnavailable
from infra.store.eventstore import EventStore
from infra.store.redis import connect
from tests.house import House, house
from tests.integration.cli.test_offline import turnlog

pytestmark = pytest.mark.fault

SIZE_MB = 24
PASS = {"type": "pass"}


@pytest.fixture
def disk(tmp_path):
    """A small disk of its own, which only root can make."""
    place = tmp_path / "disk"
    place.mkdir()
    made = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "turnlog-test", str(place)]
    if sys.platform != "linux" or subprocess.run(made, check=False, capture_output=True).returncode:
        pytest.skip("a small disk needs the right to mount one")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path, leave: int) -> Path:
    """Take all room but so many bytes; others may be writing, so there may be less than was seen."""
    ballast = place / "ballast"
    free = os.statvfs(place)
    with suppress(OSError), ballast.open("wb", buffering=0) as out:
        out.write(b"x" * max(0, free.f_bavail * free.f_frsize - leave))
    return ballast


def wait_for(house: House, wanted: int, ask) -> dict:
    """Ask until the status is as wanted; returns the body."""
    deadline = time.monotonic() + 40
    while True:
        try:
            answer = ask()
        except OSError:
            answer = None
        if answer is not None and answer.status == wanted:
            return answer.json
        assert time.monotonic() < deadline, (house.process.poll(), answer and answer.body)
        time.sleep(0.1)


class Writer:
    """Plays on, and remembers what was acknowledged."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.token = house.guest("Anna")
        other = house.guest("Bert")
        seats = [{"kind": "me"}, {"kind": "open"}]
        match = house.call("POST", "/api/matches", {"game": "machi-koro", "seats": seats}, self.token).json
        self.path = f"/api/matches/{match['id']}"
        self.match = house.call("POST", f"{self.path}/seats/1", {}, other).json
        self.tokens = [self.token, other]
        self.acknowledged = self.match["seq"]
        self.tries = 0

    def act(self):
        """One action, once; asked again under the same key until it is acknowledged."""
        seat = self.match["to_act"][0]
        body = {"seq": self.match["seq"], "action": PASS}
        answer = self.house.once("POST", f"{self.path}/actions", body, self.tokens[seat], f"k{self.tries}")
        if answer.status == 200:
            self.tries += 1
            self.match, self.acknowledged = answer.json, answer.json["seq"]
        return answer

    def look(self):
        return self.house.once("GET", self.path, token=self.token)


def test_near_the_end_of_the_disk_only_reading_goes_on(disk):
    with house(disk / "data", TURNLOG_MIN_FREE="4") as here:
        writer = Writer(here)
        for _ in range(5):
            assert writer.act().status == 200
        store = here.role("store")
        ballast = fill(disk, 2 << 20)
        refused = wait_for(here, 503, writer.act)
        assert refused["code"] == "no_room"
        assert "disk" in refused["detail"]
        assert writer.look().json["seq"] == writer.acknowledged
        assert here.once("GET", "/api/matches").status == 200
        assert here.once("GET", "/ready").json["store"].startswith("takes nothing new")
        ballast.unlink()
        wait_for(here, 200, writer.act)
        assert writer.look().json["seq"] == writer.acknowledged
        assert here.role("store") == store  # it never ended
        wait_for(here, 200, lambda: here.once("GET", "/ready"))


def test_a_disk_that_is_full_at_once_ends_nothing_but_the_store(disk, tmp_path):
    """Also the supervisor's own log, lock and note are on that disk."""
    with house(disk / "data", TURNLOG_MIN_FREE="1") as here:
        writer = Writer(here)
        ballast = fill(disk, 0)
        deadline = time.monotonic() + 30
        while writer.act().status == 200:  # pages that the store's file has already
            assert time.monotonic() < deadline
        assert wait_for(here, 503, writer.act)["code"] in ("no_room", "unavailable")
        assert wait_for(here, 200, writer.look)["seq"] == writer.acknowledged
        assert wait_for(here, 503, writer.act)["code"] == "no_room"
        assert here.process.poll() is None
        out = turnlog("export", "--all", str(tmp_path / "out"), data=disk / "data")
        assert "matches and the accounts written" in out.stdout, out
        ballast.unlink()
        wait_for(here, 200, writer.act)
        assert writer.look().json["seq"] == writer.acknowledged


def test_a_start_on_a_full_disk_says_so_and_reads(disk):
    with house(disk / "data", TURNLOG_MIN_FREE="1") as here:
        writer = Writer(here)
    ballast = fill(disk, 0)
    log = disk.parent / "up.log"
    with house(disk / "data", log, TURNLOG_MIN_FREE="1") as again:
        writer.house = again
        assert wait_for(again, 200, writer.look)["seq"] == writer.acknowledged
        assert wait_for(again, 503, writer.act)["code"] == "no_room"
        assert "reading only: 0.0 MB are left on the disk of" in log.read_text(encoding="utf-8")
        ballast.unlink()
        wait_for(again, 200, writer.act)
        assert "there is room again: writing goes on" in log.read_text(encoding="utf-8")


def test_a_first_start_without_room_says_so_in_one_line(disk):
    fill(disk, 0)
    done = turnlog("up", "--port", "0", data=disk / "data")
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("turnlog: ")
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.anyio
async def test_a_store_that_ended_for_want_of_room_comes_back_to_read(disk):
    """Nobody looked in time: what was acknowledged is there, and the rest waits for room."""
    with Embedded(disk / "data", min_free=1) as server:
        client = connect(server.url)
        store, acknowledged = EventStore(client), 0
        ballast = fill(disk, 64 << 10)
        with suppress(StoreUnavailable):
            while acknowledged < 1000:
                acknowledged = (await store.append("m", acknowledged, [b"x" * 1000])).seq
        server._process.wait(10)
        server.restart()
        assert len(await store.read("m")) == acknowledged
        assert 0 < acknowledged < 1000
        with pytest.raises(StoreFull):
            await store.append("m", acknowledged, [b"more"])
        assert running(disk / "data") == server.url  # other commands find it, though nothing new can be noted
        ballast.unlink()
        assert server.look_at_room()
        assert (await store.append("m", acknowledged, [b"more"])).seq == acknowledged + 1
        await client.aclose()
