"""The queue's server is killed and emptied ten times under load: everything happens, and once."""

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import redis

from infra.embedded.bundled import Embedded
from infra.embedded.volatile import Volatile
from tests.house import UNBOUNDED, House, free_port
from tests.integration.bots.test_webhooks import Bot, serving
from tests.letterbox import Receiver
from tests.roles import FileClock, Role

pytestmark = pytest.mark.fault
ALONE, REMOTE, PEOPLE = 8, 3, 6  # matches of two bots, with a webhook bot, of people who are told
STRIKES = 10
PATIENCE_S = 180.0  # of a busy machine
TIDES = "tides-of-time"


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Volatile]:
    with Volatile(tmp_path) as server:
        yield server


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    clock = FileClock(tmp_path / "clock")
    clock.set(datetime(2026, 11, 16, 9, tzinfo=UTC))
    return clock


@pytest.fixture
def home(tmp_path: Path, queue: Volatile, clock: FileClock) -> Iterator[House]:
    """An API, two relays, two workers; the store is nobody's victim here."""
    port = free_port()
    with ExitStack() as stack:
        store = stack.enter_context(Embedded(tmp_path / "data"))
        env = {
            **UNBOUNDED,
            "TURNLOG_REDIS_URL": store.url,
            "TURNLOG_QUEUE_URL": queue.url,
            "TURNLOG_DATA": str(tmp_path),
            "TURNLOG_PORT": str(port),
            "TURNLOG_ALLOW_PRIVATE": "1",
            "TESTS_CLOCK": str(tmp_path / "clock"),
        }
        for n, name in enumerate(("api", "relay", "relay", "worker", "worker")):
            role = Role(name, env, tmp_path / f"{name}-{n}.log")
            stack.callback(role.stop)
        house = House(tmp_path, port)
        until(lambda: is_up(house))
        yield house


def strike(queue: Volatile, number: int) -> None:
    """Every other time it dies, and comes back empty; else it is only emptied."""
    if number % 2:
        with redis.Redis.from_url(queue.url) as client:
            client.flushall()
        return
    assert queue.pid is not None
    os.kill(queue.pid, signal.SIGKILL)
    time.sleep(0.3)
    queue.restart()


def test_everything_happens_once(home: House, queue: Volatile, clock: FileClock) -> None:
    with Receiver() as told, serving() as bot:
        owner = home.guest("Anna", password="a good password")
        channel = {"kind": "webhook", "url": f"{told.url}/anna"}
        assert home.call("PUT", "/api/me/channels/hook", channel, owner).status == 200
        matches = [opened(home, owner, [{"kind": "bot", "bot": "random"}] * 2) for _ in range(ALONE)]
        matches += remote(home, owner, bot)
        waiting = [two_people(home, owner) for _ in range(PEOPLE)]
        for number in range(STRIKES):
            strike(queue, number)
            clock.on(timedelta(seconds=9))  # what people are told of becomes due on the way
            time.sleep(0.5)
        until(lambda: passing(clock) and all(status(home, ident) == "finished" for ident in matches))
        until(lambda: all(any(ident in body(one)["link"] for one in told.requests) for ident in waiting))
        time.sleep(3.0)  # what comes twice comes now
        check(home, matches, told, bot)


def passing(clock: FileClock) -> bool:
    """Time goes on: a call that failed is due again only later."""
    clock.on(timedelta(seconds=1))
    return True


def check(home: House, matches: list[str], told: Receiver, bot: Bot) -> None:
    for ident in matches:
        log = home.call("GET", f"/api/matches/{ident}/log").body
        events = [json.loads(line) for line in log.splitlines()[:-1]]
        turns = [event["cmd"] for event in events if event["kind"] == "acted"]
        assert len(turns) == len(set(turns)) == 28
    notices = Counter(headers["webhook-id"] for _, headers, _ in told.requests)
    assert set(notices.values()) == {1}
    called = Counter(bot.ids)
    assert {ident: count for ident, count in called.items() if count != 1} == {}
    assert len([one for one in bot.bodies if one["kind"] == "turn"]) == REMOTE * 14
    over = {one["match"] for one in bot.bodies if one["kind"] == "over"}
    assert len(over) == REMOTE


def opened(home: House, owner: str, seats: list[dict[str, str]]) -> str:
    made = home.call("POST", "/api/matches", {"game": TIDES, "seats": seats}, owner)
    assert made.status == 201, made.body
    return str(made.json["id"])


def remote(home: House, owner: str, bot: Bot) -> list[str]:
    delivery = {"kind": "webhook", "url": bot.url}
    wanted = {"name": "robo", "games": [TIDES], "delivery": delivery, "capacity": 10}
    bot.secret = home.call("POST", "/api/bots", wanted, owner).json["secret"]
    seats = [{"kind": "remote", "bot": "robo"}, {"kind": "bot", "bot": "random"}]
    return [opened(home, owner, seats) for _ in range(REMOTE)]


def two_people(home: House, owner: str) -> str:
    """Bert sits down, and with that Anna's turn begins: she will be told."""
    ident = opened(home, owner, [{"kind": "me"}, {"kind": "open"}])
    bert = home.guest(f"Bert {ident[:6]}")
    assert home.call("POST", f"/api/matches/{ident}/seats/1", {}, bert).status == 200
    return ident


def status(home: House, ident: str) -> str:
    return str(home.call("GET", f"/api/matches/{ident}?labels=0").json["status"])


def body(request: tuple[str, dict[str, str], bytes]) -> Any:
    return json.loads(request[2])


def until(what: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.3)


def is_up(home: House) -> bool:
    try:
        return home.once("GET", "/health").status == 200
    except OSError:
        return False
