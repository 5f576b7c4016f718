"""Bots' turns are handed out fairly: the order is decided here, whatever the queue does afterwards."""

import itertools

import pytest

from infra.store import lanes
from infra.store.lanes import FLYING, FREE_LOSSES, HELD_MS, Bounds, Handed, Hold, Lanes, Owing

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


def hold(opener=ANNA, who="one", lane="light", alone=True):
    return Hold(who, lane, alone, opener)


async def test_turns_of_a_match_that_is_played_on_are_in_hand_as_they_come(client):
    lane = Lanes(client, Bounds(turns_each=9, thinking_each_ms=9000, light=2, heavy=1))
    assert len(await lane.settle("a", 1, [owing(ANNA)])) == 1
    assert await lane.hold("a", 1, [owing(ANNA)], hold())
    for seq in (2, 3):
        pair = [owing(ANNA, seat=seat, since=seq) for seat in (0, 1)]
        assert await lane.settle("a", seq, pair) == [], "nobody else is asked for them"
    assert {turn[1:] for turn in await lane.in_the_air()} == {(0, 3), (1, 3)}
    assert [one.match for one in await lane.settle("b", 1, [owing(BERT)])] == ["b"], "it takes one place"
    assert await lane.settle("c", 1, [owing(CYRIL)]) == []


async def test_a_match_that_is_let_go_waits_in_its_openers_line_and_its_opener_has_paid(client):
    lane = Lanes(client, ONE_BY_ONE)
    await fill(lane, [("a", owing(ANNA)), *((f"b{n}", owing(BERT)) for n in range(4)), ("c", owing(CYRIL))])
    assert await lane.hold("a", 1, [owing(ANNA)], hold(alone=False))
    handed = await lane.release("a", 4, [owing(ANNA, since=4)], hold(alone=False), 150)
    assert await play_all(lane, handed) == ["b0", "c", "b1", "b2", "b3", "a"], (
        "three more turns were paid for"
    )


async def test_bots_alone_that_were_played_on_let_people_go_first_for_nine_times_as_long(client):
    lane = Lanes(client, ONE_BY_ONE)
    people = [(f"p{n:02}", owing(f"account:{n}")) for n in range(40)]
    await fill(lane, [("x", owing(ANNA, alone=True)), *people])
    assert await lane.hold("x", 1, [owing(ANNA, alone=True)], hold())
    handed = await lane.release("x", 3, [owing(ANNA, alone=True, since=3)], hold(), 100)
    order = await play_all(lane, handed)
    assert order.index("x") == 27, "nine for each of three"


async def test_one_plays_a_match_on_until_it_lets_go_or_dies(client, clock):
    lane, other = Lanes(client, ONE_BY_ONE), Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert not await lane.is_held("a")
    assert await lane.hold("a", 1, [owing(ANNA)], hold())
    assert await lane.is_held("a")
    assert not await other.hold("a", 1, [owing(ANNA)], hold(who="two"))
    assert await lane.hold("a", 2, [owing(ANNA, since=2)], hold()), "its own hold is no obstacle"
    clock["late"] += HELD_MS - 100
    await lane.renew(["a", "b"], "one")
    await other.renew(["a"], "two")
    clock["late"] += HELD_MS - 100
    assert not await other.hold("a", 2, [owing(ANNA, since=2)], hold(who="two"))
    clock["late"] += HELD_MS
    assert not await lane.is_held("a")
    assert await other.hold("a", 2, [owing(ANNA, since=2)], hold(who="two"))
    assert await lane.release("a", 3, [owing(ANNA, since=3)], hold(), 50) == [], "it is not its own any more"
    assert await other.is_held("a")
    await other.renew(["a"], "two", 0)
    assert not await other.is_held("a")


async def test_a_dead_ones_match_is_handed_out_again(client, clock):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert await lane.hold("a", 1, [owing(ANNA)], hold())
    clock["late"] += HELD_MS + 100
    assert await lane.settle("a", 2, [owing(ANNA, since=2)]) == [Handed("a", 0, 2, "light")]


async def test_who_holds_quick_turns_leaves_the_others_to_their_lane(client):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert await lane.hold("a", 1, [owing(ANNA)], hold())
    both = [owing(ANNA, since=2), owing(ANNA, "heavy", seat=1, since=2, thinking=2000)]
    assert await lane.settle("a", 2, both) == [Handed("a", 1, 2, "heavy")]
    assert await lane.release("a", 2, both, hold(), 0) == [Handed("a", 0, 2, "light")]
    assert len(await lane.in_the_air()) == 2


async def test_who_knows_less_holds_nothing(client):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 5, [owing(ANNA, since=5)])
    assert not await lane.hold("a", 4, [owing(ANNA, since=4)], hold())
    assert await lane.in_the_air() == [("a", 0, 5)]


async def test_places_are_kept_for_those_who_play_with_people(client):
    lane = Lanes(client, Bounds(turns_each=9, thinking_each_ms=9000, light=4, heavy=1, alone=3))
    handed = await fill(lane, [(f"x{n}", owing(ANNA, alone=True)) for n in range(6)])
    assert [one.match for one in handed] == ["x0", "x1", "x2"]
    assert [one.match for one in await lane.settle("a", 1, [owing(BERT)])] == ["a"]
    assert await lane.settle("b", 1, [owing(BERT)]) == []
    assert [one.match for one in await lane.settle("x0", 2, [])] == ["b"]


async def test_nothing_is_left_of_a_match_that_was_played_on_to_its_end(client):
    lane = Lanes(client, ONE_BY_ONE)
    await lane.settle("a", 1, [owing(ANNA)])
    assert await lane.hold("a", 1, [owing(ANNA)], hold())
    assert await lane.settle("b", 1, [owing(BERT)]) == []
    assert [one.match for one in await lane.release("a", 30, [], hold(), 1400)] == ["b"]
    await lane.settle("b", 2, [])
    await lane.hand_out()
    left = {key async for key in client.scan_iter(match="*tl:owed*")}
    assert left == {b"{tl:owed}:time"}
