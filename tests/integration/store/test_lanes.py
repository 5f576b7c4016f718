"""Bots' turns are handed out fairly: the order is decided here, whatever the queue does afterwards."""

import itertools

import pytest

from infra.store import lanes
from infra.store.lanes import FLYING, FREE_LOSSES, Bounds, Handed, Lanes, Owing

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("client", ["embedded", "cluster"], indirect=True),
]
ONE_BY_ONE = Bounds(turns_each=1, thinking_each_ms=2000, light=1, heavy=1)
ANNA, BERT, CYRIL = "account:anna", "account:bert", "account:cyril"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A time of its own: nothing here depends on how fast the machine is."""
    ticks = itertools.count(1_000_000)
    moment = {"late": 0}
    monkeypatch.setattr(lanes, "_ms", lambda: next(ticks) + moment["late"])
    return moment


def owing(opener, lane="light", alone=False, thinking=50, seat=0, since=1):
    return Owing(seat, since, lane, alone, thinking, opener)


async def play_all(lane, handed, most=50):
    """Play what is handed out, one after the other; the order of matches."""
    order, waiting = [], list(handed)
    while waiting and len(order) < most:
        turn = waiting.pop(0)
        order.append(turn.match)
        waiting += await lane.settle(turn.match, turn.since + 1, [])
    return order


async def fill(lane, tables):
    """Open tables in this order; what is handed out at once."""
    return [one for match, turn in tables for one in await lane.settle(match, 1, [turn])]


async def test_openers_are_served_in_turn(client):
    lane = Lanes(client, ONE_BY_ONE)
    tables = [(f"a{n}", owing(ANNA)) for n in range(5)] + [("b0", owing(BERT)), ("b1", owing(BERT))]
    handed = await fill(lane, [*tables, ("c0", owing(CYRIL))])
    assert await play_all(lane, handed) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"]


async def test_whoever_comes_new_is_next(client):
    lane = Lanes(client, ONE_BY_ONE)
    await fill(lane, [(f"a{n:02}", owing(ANNA)) for n in range(50)])
    for n in range(30):
        await lane.settle(f"a{n:02}", 2, [])
    assert await lane.settle("b0", 1, [owing(BERT)]) == []
    assert [one.match for one in await lane.settle("a30", 2, [])] == ["b0"]


async def test_thinking_time_counts_not_turns(client):
    """Whoever lets bots think four times as long gets a fourth of the turns."""
    lane = Lanes(client, ONE_BY_ONE)
    slow = [(f"a{n}", owing(ANNA, "heavy", thinking=2000)) for n in range(3)]
    quick = [(f"b{n}", owing(BERT, "heavy", thinking=500)) for n in range(8)]
    order = await play_all(lane, await fill(lane, slow + quick))
    assert order == ["a0", "b0", "b1", "b2", "b3", "a1", "b4", "b5", "b6", "b7", "a2"]


async def test_a_match_that_goes_on_keeps_its_openers_place(client):
    """Each answer puts the next turn into line: that must not look like somebody new."""
    lane = Lanes(client, ONE_BY_ONE)
    handed = await fill(lane, [("a", owing(ANNA)), ("b", owing(BERT)), ("c", owing(CYRIL))])
    order = []
    while len(order) < 9:
        (turn,) = handed
        order.append(turn.match)
        opener = {"a": ANNA, "b": BERT, "c": CYRIL}[turn.match]
        handed = await lane.settle(turn.match, turn.since + 1, [owing(opener, since=turn.since + 1)])
    assert order == ["a", "b", "c"] * 3


async def test_tables_of_bots_alone_come_last(client):
    lane = Lanes(client, ONE_BY_ONE)
    alone = [(f"x{n}", owing(ANNA, alone=True)) for n in range(3)]
    people = [("a0", owing(ANNA)), ("b0", owing(BERT)), ("b1", owing(BERT))]
    order = await play_all(lane, await fill(lane, alone + people))
    assert order == ["x0", "a0", "b0", "b1", "x1", "x2"], "x0 was handed out before anybody else was there"


@pytest.mark.parametrize("kind", ["light", "heavy"])
async def test_tables_of_bots_alone_get_a_tenth_however_many_people_play(client, kind):
    """Somebody always waits; without a share of their own they would wait for ever."""
    lane = Lanes(client, ONE_BY_ONE)
    alone = [(f"x{n}", owing(ANNA, kind, alone=True, thinking=100)) for n in range(3)]
    people = [(f"p{n:02}", owing(f"account:{n}", kind, thinking=100)) for n in range(40)]
    order = await play_all(lane, await fill(lane, people[:1] + alone + people[1:]))
    assert [n for n, match in enumerate(order) if match.startswith("x")] == [10, 20, 30]


async def test_bots_alone_save_up_nothing_while_they_do_not_wait(client):
    lane = Lanes(client, ONE_BY_ONE)
    handed = await fill(lane, [(f"p{n:02}", owing(f"account:{n}")) for n in range(30)])
    for n in range(20):
        await lane.settle(f"p{n:02}", 2, [])
    assert handed[0].match == "p00"
    assert await lane.settle("x", 1, [owing(ANNA, alone=True)]) == []
    assert [one.match for one in await lane.settle("p20", 2, [])] == ["p21"]


async def test_quick_bots_never_wait_for_those_that_think(client):
    lane = Lanes(client, ONE_BY_ONE)
    heavy = [(f"h{n}", owing(ANNA, "heavy", thinking=2000)) for n in range(20)]
    assert [one.match for one in await fill(lane, heavy)] == ["h0"]
    assert await lane.settle("a0", 1, [owing(ANNA)]) == [Handed("a0", 0, 1, "light")]


async def test_an_opener_has_few_turns_in_the_air(client):
    lane = Lanes(client, Bounds(turns_each=2, thinking_each_ms=10_000, light=10, heavy=10))
    handed = await fill(lane, [(f"a{n}", owing(ANNA)) for n in range(5)] + [("b0", owing(BERT))])
    assert [one.match for one in handed] == ["a0", "a1", "b0"]
    assert [one.match for one in await lane.settle("a0", 2, [])] == ["a2"]


async def test_an_opener_has_little_thinking_in_the_air_but_always_one_turn(client):
    lane = Lanes(client, Bounds(turns_each=9, thinking_each_ms=4000, light=10, heavy=10))
    handed = await fill(lane, [(f"a{n}", owing(ANNA, "heavy", thinking=2000)) for n in range(5)])
    assert [one.match for one in handed] == ["a0", "a1"]
    (long,) = await lane.settle("b0", 1, [owing(BERT, "heavy", thinking=60_000)])
    assert long.match == "b0"
    assert await lane.settle("b1", 1, [owing(BERT, "heavy", thinking=60_000)]) == []


async def test_saying_it_again_changes_nothing(client):
    lane = Lanes(client, ONE_BY_ONE)
    assert len(await lane.settle("a", 3, [owing(ANNA)])) == 1
    for _ in range(3):
        assert await lane.settle("a", 3, [owing(ANNA)]) == await lane.hand_out() == []


async def test_who_knows_less_takes_nothing_away(client):
    """Two relays follow the same match; the slower one has seen less of it."""
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("b", 1, [owing(BERT)])
    assert await lane.settle("a", 6, [owing(ANNA, since=6)]) == []
    assert await lane.settle("a", 5, [owing(ANNA, since=5)]) == []
    assert await lane.settle("b", 2, []) == [Handed("a", 0, 6, "light")]


async def test_one_looks_at_what_is_overdue(client, clock):
    lane, other = Lanes(client, ONE_BY_ONE), Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert await lane.overdue() == []
    clock["late"] += 3100
    assert (await lane.overdue(), await other.overdue()) == ([("a", 0, 1)], [])
    clock["late"] += 3100
    assert (await other.overdue(), await lane.overdue()) == ([("a", 0, 1)], [])


async def test_a_turn_that_is_lost_again_and_again_leaves_its_place(client, clock):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert await lane.settle("b", 1, [owing(BERT)]) == []
    for n in range(1, FREE_LOSSES + 1):
        assert await lane.lost("a", 0, 1) == n
        assert await lane.hand_out() == []
    assert await lane.lost("a", 0, 1) == FREE_LOSSES + 1
    assert [one.match for one in await lane.hand_out()] == ["b"]
    assert await lane.settle("b", 2, []) == [], "it rests"
    clock["late"] += 1000 * 2 ** (FREE_LOSSES + 2)
    assert [one.match for one in await lane.hand_out()] == ["a"]


async def test_a_match_that_cannot_be_looked_at_takes_nobodys_place(client):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    await lane.settle("b", 1, [owing(BERT)])
    assert [one.match for one in await lane.forget("a", 0, 1)] == ["b"]
    assert await lane.settle("a", 1, [owing(ANNA)]) == []
    assert [one.match for one in await lane.settle("b", 2, [])] == ["a"]


async def test_turns_that_an_earlier_version_noted_are_taken_over(client, clock):
    lane = Lanes(client, ONE_BY_ONE)
    await client.zadd(FLYING, {"a 0 1": 1})
    assert await lane.overdue() == [("a", 0, 1)]
    assert not await lane.knows("a", 0, 1)
    assert await lane.settle("a", 1, [owing(ANNA)]) == [Handed("a", 0, 1, "light")]
    assert await lane.knows("a", 0, 1)


async def test_nothing_is_left_of_what_was_played(client):
    lane = Lanes(client, ONE_BY_ONE)
    tables = [(f"{who[8]}{n}", owing(who)) for who in (ANNA, BERT, CYRIL) for n in range(3)]
    await play_all(lane, await fill(lane, tables))
    left = {key async for key in client.scan_iter(match="*tl:owed*")}
    assert left == {b"{tl:owed}:time"}
