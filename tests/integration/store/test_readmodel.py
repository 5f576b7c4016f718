"""The contract of the read model: found by every filter, idempotent by seq, paged without gaps."""

from __future__ import annotations

import base64
import random

import msgspec
import pytest

from infra.process.errors import BadCursor
from infra.store import readmodel
from infra.store.readmodel import ReadModel, Summary, WaitingTurn

pytestmark = pytest.mark.anyio


@pytest.fixture
def model(client):
    return ReadModel(client)


def _summary(match, seq=1, **changes):
    plain = Summary(match, seq, "machi-koro", "open", True, opened=1000, updated=1000)
    return msgspec.structs.replace(plain, **changes)


async def _names(model, **filters):
    items, _ = await model.list(**filters)
    return [item.match for item in items]


async def test_a_summary_comes_back_as_it_is(model):
    turn = WaitingTurn("ann", 0, since=5, deadline=9)
    full = _summary(
        "m", seats=[{"seat": 0, "kind": "me"}], accounts=["ann"], turns=[turn], result={"how": "played"}
    )
    assert await model.put(full) is None
    assert await model.get("m") == full
    assert await model.get("n") is None


async def test_a_lower_seq_never_overwrites(model):
    newer = _summary("m", 5, status="running", accounts=["bob"])
    assert await model.put(newer) is None
    assert await model.put(_summary("m", 4, status="open", accounts=["ann"])) == 5
    assert await model.get("m") == newer
    assert await _names(model, status="open") == []
    assert await _names(model, account="ann") == []


async def test_doing_it_again_changes_nothing(model, client):
    await model.put(_summary("m", 3, accounts=["ann"]))
    before = await client.dbsize()
    assert await model.put(_summary("m", 3, accounts=["ann"])) is None
    assert await client.dbsize() == before
    assert await _names(model) == ["m"]


async def test_every_filter_finds_its_own(model):
    await model.put(_summary("a", opened=1, accounts=["ann"]))
    await model.put(_summary("b", opened=2, status="running", accounts=["ann", "bob"]))
    await model.put(_summary("c", opened=3, game="akropolis", listed=False, accounts=["bob"]))
    assert await _names(model) == ["b", "a"]
    assert await _names(model, listed=None) == ["c", "b", "a"]
    assert await _names(model, listed=False) == ["c"]
    assert await _names(model, status="open") == ["a"]
    assert await _names(model, status="open", listed=None) == ["c", "a"]
    assert await _names(model, game="akropolis", listed=None) == ["c"]
    assert await _names(model, game="machi-koro", status="running") == ["b"]
    assert await _names(model, account="bob", listed=None) == ["c", "b"]
    assert await _names(model, account="bob") == ["b"]
    assert await _names(model, account="bob", status="open", game="akropolis", listed=None) == ["c"]
    assert await _names(model, account="nobody", listed=None) == []


async def test_a_match_moves_between_indexes(model):
    await model.put(_summary("m", 1, accounts=["ann"], opened=7))
    await model.put(_summary("m", 2, status="running", listed=False, accounts=["bob"], opened=8))
    assert await _names(model, status="open", listed=None) == []
    assert await _names(model) == []
    assert await _names(model, account="ann", listed=None) == []
    assert await _names(model, status="running", account="bob", listed=None) == ["m"]
    assert await _names(model, listed=None) == ["m"]


@pytest.mark.parametrize("limit", [1, 3, 5, 24, 25, 100])
async def test_pages_show_everything_once_newest_first(model, limit):
    numbers = list(range(25))
    random.Random(1).shuffle(numbers)
    for n in numbers:
        await model.put(_summary(f"m{n:02}", opened=n // 2, listed=n % 5 != 0))
    seen, cursor = [], None
    while True:
        items, cursor = await model.list(limit=limit, cursor=cursor)
        seen += [item.match for item in items]
        if cursor is None:
            break
        assert len(items) == limit
    assert seen == [f"m{n:02}" for n in reversed(range(25)) if n % 5]


async def test_a_sieved_page_is_full_all_the_same(model):
    for n in range(20):
        await model.put(_summary(f"m{n:02}", opened=n, accounts=["ann"], game="a" if n % 7 == 0 else "b"))
    items, cursor = await model.list(account="ann", game="a", limit=2)
    assert [item.match for item in items] == ["m14", "m07"]
    items, cursor = await model.list(account="ann", game="a", limit=2, cursor=cursor)
    assert ([item.match for item in items], cursor) == (["m00"], None)


async def test_a_page_of_somebody_s_public_matches_names_no_other(model, monkeypatch):
    """The mark of the next page is made of a match, and goes to whoever asks."""
    monkeypatch.setattr(readmodel, "MAX_PAGE", 3)
    for number in range(120):
        is_public = number % 40 == 0
        mine = _summary(f"{'public' if is_public else 'private'}{number}", opened=number, listed=is_public)
        await model.put(msgspec.structs.replace(mine, accounts=["ann"]))
        await model.put(_summary(f"bob{number}", opened=number, accounts=["bob"]))
    found, cursor, pages = [], None, 0
    while pages < 20:
        items, cursor = await model.list(account="ann", limit=1, cursor=cursor)
        found += [item.match for item in items]
        pages += 1
        if cursor is None:
            break
        assert b"private" not in base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    assert found == ["public80", "public40", "public0"]
    assert pages > 3, "some pages were short"


@pytest.mark.parametrize("cursor", ["", "!", "x", "YWJj", "žluť", "AAAA" * 50])
async def test_a_strange_cursor_is_refused(model, cursor):
    with pytest.raises(BadCursor):
        await model.list(cursor=cursor)


async def test_turns_come_by_deadline_and_then_by_age(model):
    await model.put(_summary("late", turns=[WaitingTurn("ann", 1, since=1, deadline=900)]))
    await model.put(
        _summary("soon", turns=[WaitingTurn("ann", 0, since=5, deadline=100), WaitingTurn("bob", 1, since=5)])
    )
    await model.put(_summary("old", turns=[WaitingTurn("ann", 0, since=2)]))
    await model.put(_summary("older", turns=[WaitingTurn("ann", 3, since=1)]))
    mine = await model.turns("ann")
    assert [(m.summary.match, m.turn.seat) for m in mine] == [
        ("soon", 0),
        ("late", 1),
        ("older", 3),
        ("old", 0),
    ]
    await model.put(_summary("soon", 2, turns=[WaitingTurn("bob", 1, since=5)]))
    assert [m.summary.match for m in await model.turns("ann")] == ["late", "older", "old"]
    assert [m.summary.match for m in await model.turns("bob")] == ["soon"]
    assert await model.turns("nobody") == []


async def test_turns_beyond_a_bound_are_not_even_read(model):
    for number in range(12):
        await model.put(_summary(f"m{number}", opened=number, turns=[WaitingTurn("ann", 0, since=1)]))
    assert {mine.summary.match for mine in await model.turns("ann", 3)} == {"m9", "m10", "m11"}
    assert len(await model.turns("ann")) == 12
