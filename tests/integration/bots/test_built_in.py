"""Built-in bots in workers: one that crashes, hangs or cheats holds nobody up."""

import json
import signal
import subprocess
import sys
import time
from random import Random

import pytest
from msgspec.structs import replace

from bots.registry import BOTS
from service.commands import tables
from service.commands.records import OpenMatch
from workers.bots import limits
from workers.bots.answering import NoAnswer, answer
from workers.bots.bot_turn import owed, play
from workers.bots.limits import TooSlow, within

pytestmark = pytest.mark.anyio


def crash(*_):
    raise ZeroDivisionError("a bug of the bot")


def hang(*_):
    while True:
        pass


def cheat(*_):
    return "not an action"


@pytest.fixture(autouse=True)
def short_limits(monkeypatch):
    monkeypatch.setattr(limits, "GREEDY_S", 0.7)


@pytest.fixture
def table(deps, monkeypatch):
    """A match in which the given bot is to act, and its turn."""

    async def make(choose):
        monkeypatch.setitem(BOTS, "faulty", choose)
        seats = ({"kind": "me"}, {"kind": "bot", "bot": "faulty"})
        command = OpenMatch(who="account:anna", game="tides-of-time", seats=seats)
        match = await tables.open_match(deps, command)
        return owed(match)[0]

    return make


async def last(deps, turn):
    """The newest event."""
    return json.loads((await deps.store.read(turn.match))[-1])


@pytest.mark.parametrize("choose", [crash, hang, cheat])
async def test_greedy_answers_for_a_bot_that_cannot(deps, table, choose):
    asked = []

    def faulty(*given):
        asked.append(given)
        return choose(*given)

    turn = await table(faulty)
    assert await play(deps, turn)
    done = await last(deps, turn)
    assert (done["kind"], done["seat"], done["by"]) == ("acted", 1, "bot:greedy")
    assert len(asked) == 2, "it should have had a second chance"
    assert not await play(deps, turn)


async def test_random_answers_if_greedy_fails_too(deps, table, monkeypatch):
    monkeypatch.setitem(BOTS, "greedy", crash)
    turn = await table(crash)
    assert await play(deps, turn)
    assert (await last(deps, turn))["by"] == "bot:random"
    monkeypatch.setitem(BOTS, "random", crash)
    with pytest.raises(NoAnswer):
        await play(deps, await table(crash))


async def test_a_bot_that_recovers_plays_itself(deps, table):
    tries = []

    def moody(game, view, seat, legal, rng):
        tries.append(1)
        return crash() if len(tries) == 1 else legal[0]

    turn = await table(moody)
    assert await play(deps, turn)
    assert (await last(deps, turn))["by"] == "bot:faulty"


async def test_processes_that_died_with_a_bot_count_as_tries(deps, table):
    """Whoever begins a third time does not ask the bot that killed the first two."""
    turn = await table(hang)
    for _ in range(2):
        await deps.client.incr(f"tl:begun:{turn.job_id}")
    began = time.monotonic()
    assert await play(deps, turn)
    assert (await last(deps, turn))["by"] == "bot:greedy"
    assert time.monotonic() - began < 2


async def test_a_job_that_comes_again_leaves_the_next_turn_alone(deps):
    """A queue may deliver twice, and late: a turn is answered once, whatever the bot owes by then."""
    seats = ({"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"})
    opening = OpenMatch(who="account:anna", game="tides-of-time", seats=seats)
    first = owed(await tables.open_match(deps, opening))
    assert [await play(deps, turn) for turn in first] == [True, True]
    match = await deps.matches.now(first[0].match)
    assert [turn.seat for turn in owed(match)] == [turn.seat for turn in first], "they owe again"
    assert [await play(deps, turn) for turn in first] == [False, False]
    assert (await deps.matches.now(match.id)).seq == match.seq
    assert [await play(deps, turn) for turn in owed(match)] == [True, True]


async def test_only_the_match_s_secret_foretells_a_bot(deps, table):
    """A repeated job decides alike, yet nothing that players can read seeds the choice."""
    drawn = []

    def honest(game, view, seat, legal, rng):
        drawn.append(rng.random())
        return legal[0]

    turn = await table(honest)
    match = await deps.matches.now(turn.match)
    for known in (match, match, replace(match, seed=(b"another seed" * 3)[:32].hex())):
        answer(known, turn, ("faulty",))
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == match.private(f"bot:{turn.since}:{turn.seat}:0").random()


async def test_two_matches_that_differ_in_their_secret_alone_are_played_otherwise(deps):
    """By the bot that plays by chance: what everybody can read foretells it no better than a guess."""
    seats = ({"kind": "me"}, {"kind": "bot", "bot": "random"})
    match = await tables.open_match(deps, OpenMatch(who="account:anna", game="tides-of-time", seats=seats))
    turn = owed(match)[0]
    legal = list(match.rules.legal(match.state, turn.seat))
    assert len(legal) == 5
    worlds = [replace(match, seed=number.to_bytes(32, "big").hex()) for number in range(200)]
    chosen = [answer(world, turn, ("random",))[1] for world in worlds]
    assert chosen == [answer(world, turn, ("random",))[1] for world in worlds], "a repeated job decides alike"
    view = match.rules.view(match.state, turn.seat)
    for public in (f"{turn.match} {turn.since} {turn.seat}", turn.key, turn.job_id, match.seal, match.head):
        guess = BOTS["random"](match.rules, view, turn.seat, legal, Random(public))
        assert chosen.count(guess) < 80, "a fifth of the worlds, not all of them"
    assert set(map(repr, chosen)) == set(map(repr, legal))


DEAF = """
from itertools import repeat
from workers.bots import limits
limits.GRACE_S = 0.2
limits.end_process_when_deaf()
with limits.within(0.2):
    sum(repeat(0, 10**13))  # foreign code that looks at no signal
"""


def test_a_bot_that_hears_no_alarm_takes_its_process_along():
    """Else the worker would be lost without a word; whoever keeps it alive starts another one."""
    done = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "Timeout" in done.stderr


def test_an_alarm_that_was_set_before_still_rings():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    kept = signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TooSlow), within(0.05):
            hang()
        assert not rung
        deadline = time.monotonic() + 2
        while not rung and time.monotonic() < deadline:
            time.sleep(0.02)
        assert rung == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, *kept)
        signal.signal(signal.SIGALRM, before)
