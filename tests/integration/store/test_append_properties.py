"""Whatever writers do at once: no gap, no duplicate, one winner for each seq, one answer for each command."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from typing import NamedTuple

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.store.eventstore import Appended, Cmd, CommandReused, Conflict, EventStore
from infra.store.redis import connect

numbers = itertools.count()  # examples share one server, so each uses matches of its own


class Wish(NamedTuple):
    store: int  # which of two connections
    match: str
    off: int  # how far the expected seq is from the length at the beginning of the round
    size: int
    key: str | None
    body: str


class Outcome(NamedTuple):
    wish: Wish
    expected: int
    events: list[bytes]
    answer: Appended | Conflict | CommandReused


wishes = st.builds(
    Wish,
    store=st.integers(0, 1),
    match=st.sampled_from("ab"),
    off=st.sampled_from([0, 0, 0, 0, -1, -2, 1]),
    size=st.integers(1, 3),
    key=st.sampled_from([None, "k1", "k2", "k3"]),
    body=st.sampled_from(["x", "x", "x", "y"]),
)
rounds = st.lists(st.lists(wishes, min_size=1, max_size=7), min_size=1, max_size=7)


async def _play(stores, name, plan):
    outcomes = []
    for wanted in plan:
        lengths = {match: await stores[0].length(name + match) for match in "ab"}
        outcomes += await asyncio.gather(*(_try(stores, name, wish, lengths) for wish in wanted))
    return outcomes, {match: await stores[1].read(name + match) for match in "ab"}


async def _try(stores, name, wish, lengths):
    expected = max(0, lengths[wish.match] + wish.off)
    events = [b"%d" % next(numbers) for _ in range(wish.size)]
    cmd = Cmd("ann", wish.key, wish.body) if wish.key else None
    try:
        answer = await stores[wish.store].append(name + wish.match, expected, events, cmd=cmd)
    except (Conflict, CommandReused) as refused:
        answer = refused
    return Outcome(wish, expected, events, answer)


def _done(outcomes):
    return [o for o in outcomes if isinstance(o.answer, Appended) and not o.answer.repeated]


def _check_log(outcomes, log):
    winners = sorted(_done(outcomes), key=lambda o: o.expected)
    assert [o.expected for o in winners] == [0, *(o.answer.seq for o in winners)][: len(winners)]
    assert log == [event for o in winners for event in o.events]


def _check_commands(outcomes):
    by_key = defaultdict(list)
    for outcome in outcomes:
        if outcome.wish.key:
            by_key[outcome.wish.key].append(outcome)
    for same in by_key.values():
        _check_command(same)


def _check_command(same):
    winners = _done(same)
    answered = [o for o in same if not isinstance(o.answer, Conflict)]
    assert len(winners) == (1 if answered else 0)
    for outcome in answered:
        assert outcome.answer.seq == winners[0].answer.seq
        is_reused = isinstance(outcome.answer, CommandReused)
        assert is_reused == (outcome.wish.body != winners[0].wish.body)


async def _scenario(clients, plan):
    stores = [EventStore(client) for client in clients]
    outcomes, logs = await _play(stores, f"p{next(numbers)}", plan)
    for match, log in logs.items():
        ours = [outcome for outcome in outcomes if outcome.wish.match == match]
        _check_log(ours, log)
        _check_commands(ours)
    for client in clients:
        await client.aclose()


@settings(max_examples=60, deadline=None)
@given(rounds)
def test_appends_on_the_fake(plan):
    async def run():
        server = FakeServer()
        await _scenario([FakeAsyncRedis(server=server), FakeAsyncRedis(server=server)], plan)

    asyncio.run(run())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=rounds)
def test_appends_on_the_real_server(embedded, plan):
    async def run():
        await _scenario([connect(embedded.url), connect(embedded.url)], plan)

    asyncio.run(run())


@pytest.mark.anyio
async def test_of_many_for_one_seq_exactly_one_wins(embedded):
    clients = [connect(embedded.url) for _ in range(4)]
    stores = [EventStore(client) for client in clients]
    match = f"race{next(numbers)}"
    for seq in range(10):
        tries = [store.append(match, seq, [b"%d" % n]) for n, store in enumerate(stores * 4)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert answers.count(Appended(seq + 1, False)) == 1
        assert sum(isinstance(answer, Conflict) and answer.actual == seq + 1 for answer in answers) == 15
    assert await stores[0].length(match) == 10
    for client in clients:
        await client.aclose()
