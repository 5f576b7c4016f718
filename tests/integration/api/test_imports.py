"""Imports that are too much: refused, ended, and never in anybody else's way."""

import asyncio
import signal
import subprocess
import sys

import pytest

from engine.proof.verify import closing
from engine.table import LogWriter, act, resign
from engine.undo import undo
from service.commands import checking
from service.commands.checking import Checkers
from tests.tables import seated

pytestmark = pytest.mark.anyio


def exported(writer: LogWriter) -> bytes:
    return b"\n".join([*writer.lines, closing(writer.match), b""])


def taken_back(undos: int) -> bytes:
    """A finished match in which the same is taken back again and again, each time behind all others."""
    writer = seated("tides-of-time")
    writer.by = "account:a"
    for _ in range(undos):
        before = writer.match
        act(writer, 0, before.rules.legal(before.state, 0)[0])
        undo(writer, 0, before.seq, before)
    resign(writer, 0, "account:a")
    return exported(writer)


async def send(guest, data):
    return await guest.ask("POST", "/api/import", content=data)


async def test_a_log_of_many_undos_is_imported(house):
    """Each of these forty doubled the work."""
    answer = await send(await house.guest(), taken_back(40))
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n", b'{"match":"\xff"}\n', b'"\\ud800"\n'],
)
async def test_what_cannot_be_read_is_refused_with_a_reason(house, data):
    guest = await house.guest()
    assert (await send(guest, data)).json()["code"] == "bad_log"
    assert (await send(guest, taken_back(1) + data)).json()["code"] in ("bad_log", "incomplete_log")


@pytest.mark.parametrize("bound", ["MAX_EVENTS", "MAX_UNDOS"])
async def test_more_than_anybody_plays_is_refused(house, monkeypatch, bound):
    guest, data = await house.guest(), taken_back(20)
    monkeypatch.setattr(checking, bound, 19)
    answer = await send(guest, data)
    assert (answer.status_code, answer.json()["code"]) == (413, "long_log")
    assert str(getattr(checking, bound)) in answer.json()["detail"]
    monkeypatch.undo()
    assert (await send(guest, data)).status_code == 201  # what is refused is not stored


async def test_a_log_that_takes_too_long_is_given_up(house):
    house.app.checkers = Checkers(wall_s=0.001)  # no process begins so fast
    guest = await house.guest()
    answer = await send(guest, taken_back(1))
    assert (answer.status_code, answer.json()["code"]) == (422, "costly_log")
    house.app.checkers = Checkers()
    assert (await send(guest, taken_back(1))).status_code == 201


async def test_one_at_a_time_for_everybody_and_nobody_waits_for_ever(house):
    house.app.checkers = Checkers(at_once=1, patience_s=0.05)
    anna, bert = await house.guest(), await house.guest()
    twice = await asyncio.gather(send(anna, taken_back(1)), send(anna, taken_back(1)))
    assert sorted(answer.status_code for answer in twice) == [201, 429]
    async with house.app.checkers._places:  # somebody's log takes its time
        late = await send(bert, taken_back(1))
    assert (late.status_code, late.json()["code"]) == (429, "rate_limited")
    assert (await send(bert, taken_back(1))).status_code == 200


async def test_another_import_goes_on_beside_a_long_one(house):
    async with house.app.checkers._places:
        assert (await send(await house.guest(), taken_back(2))).status_code == 201


def test_a_process_that_judges_has_an_end():
    endless = "from service.commands.examine import limit\nlimit(1)\nwhile True: pass"
    ended = subprocess.run([sys.executable, "-c", endless], timeout=60, check=False)
    assert ended.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
