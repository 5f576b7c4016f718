"""Taking back costs the same however often it was done: counted in events that are read again."""

import json

import pytest

from engine import codec
from service.commands import actions, agreements, tables
from service.commands.records import Act, OpenMatch, Sit, TakeBack

pytestmark = [pytest.mark.anyio, pytest.mark.single]
ANNA, BERT = "account:anna", "account:bert"
DAY = {"kind": "per_move", "seconds": 86400}


@pytest.fixture
def counted(monkeypatch):
    """Lines that a process reads from the store."""

    def of(deps):
        read, lines = deps.store.read, []

        async def reading(*args):
            found = await read(*args)
            lines.extend(found)
            return found

        monkeypatch.setattr(deps.store, "read", reading)
        return lines

    return of


async def test_the_sixtieth_undo_reads_no_more_than_the_first(deps, wired, counted):
    follower = wired()
    ours, theirs = counted(deps), counted(follower)
    seats = ({"kind": "me"}, {"kind": "open"})
    match = await tables.open_match(deps, OpenMatch(who=ANNA, game="tides-of-time", seats=seats, clock=DAY))
    match = await tables.sit(deps, Sit(who=BERT, match=match.id, seat=1))
    await follower.clocks.deadlines(await follower.matches.now(match.id))
    read = []
    for _ in range(60):
        action = json.loads(codec.encode(match.rules.legal(match.state, 0)[0]))
        done = await actions.act(deps, Act(who=ANNA, match=match.id, seq=match.seq, action=action))
        ours.clear(), theirs.clear()
        match = await agreements.take_back(
            deps, TakeBack(who=ANNA, match=match.id, seq=done.seq, to=match.seq)
        )
        followed = await follower.matches.now(match.id)
        assert followed == match
        assert await follower.clocks.deadlines(followed) == await deps.clocks.deadlines(match)
        read.append((len(ours), len(theirs)))
    await follower.close()
    assert set(read) == {read[0]}
    assert max(read[0]) < 10
