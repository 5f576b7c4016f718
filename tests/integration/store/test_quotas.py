"""Counts that all processes share: windows, waits that grow, and places."""

from __future__ import annotations

import asyncio

import pytest

from infra.people.quotas import Quotas, Window, network

pytestmark = pytest.mark.anyio
HOURLY = Window("things", 3, 3600)


class Hand:
    def __init__(self):
        self.now = 1_000_800_000.0  # on the hour

    def __call__(self):
        return self.now


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture
def quotas(client, hand):
    return Quotas(client, hand)


async def test_so_many_and_no_more_until_the_window_ends(quotas, hand):
    hand.now += 600
    taken = await asyncio.gather(*(quotas.take(HOURLY, "anna") for _ in range(10)))
    assert sorted(taken) == [0, 0, 0, *[3000] * 7]
    assert await quotas.take(HOURLY, "bert") == 0
    hand.now += 3000
    assert await quotas.take(HOURLY, "anna") == 0


async def test_what_did_not_come_about_is_given_back(quotas):
    for _ in range(5):
        assert await quotas.take(HOURLY, "anna") == 0
        await quotas.give_back(HOURLY, "anna")
    await quotas.give_back(HOURLY, "bert")  # nothing to give: no debt either
    assert [await quotas.take(HOURLY, "bert") for _ in range(4)][:3] == [0, 0, 0]
    assert await quotas.take(HOURLY, "bert") > 0


async def test_counts_end_by_themselves_and_say_nothing_about_anybody(quotas, client):
    await quotas.take(HOURLY, "anna@example.org")
    await quotas.attempt("guess", "anna@example.org", 1, 60)
    keys = [key async for key in client.scan_iter(match="*")]
    assert len(keys) == 2
    for key in keys:
        assert b"anna" not in key
        assert 0 < await client.ttl(key) <= 3600


async def test_every_try_after_the_free_ones_doubles_the_wait(quotas, hand):
    waits = []
    for _ in range(9):
        while wait := await quotas.attempt("guess", "anna", 3, 60):
            waits.append(wait)
            hand.now += wait
    assert waits == [1, 2, 4, 8, 16, 32]  # three were free; the last wait is not over
    await quotas.forgive("guess", "anna")
    assert await quotas.attempt("guess", "anna", 3, 60) == 0


async def test_a_wait_is_never_longer_than_it_may_be(quotas, hand):
    for _ in range(40):
        wait = await quotas.attempt("guess", "anna", 1, 60)
        assert wait <= 60
        hand.now += wait


async def test_guesses_at_the_same_moment_are_counted_one_by_one(quotas):
    tried = await asyncio.gather(*(quotas.attempt("guess", "anna", 5, 60) for _ in range(40)))
    assert tried.count(0) == 5


async def test_places_are_taken_and_struck_off(quotas):
    joined = await asyncio.gather(*(quotas.join("anna", f"m{n}", 4) for n in range(9)))
    assert joined.count(True) == 4
    noted = await quotas.noted("anna")
    assert len(noted) == 4
    await quotas.strike("anna", noted[:1])
    assert await quotas.join("anna", "more", 4)
    assert not await quotas.join("anna", "too many", 4)
    await quotas.strike("anna", [])


def test_what_counts_as_one_address():
    assert network("2001:db8::1") == network("2001:db8::ffff") != network("2001:db8:0:1::1")
    assert network("::ffff:203.0.113.7") == network("203.0.113.7") != network("203.0.113.8")
    assert network("fe80::1%eth0") == "fe80::/64"
