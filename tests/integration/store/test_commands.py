"""Commands are forgotten some days after the end of their match, and never before."""

import pytest

from infra.store import keys
from infra.store.redis import connect_sync
from service.commands import actions, tables
from service.commands.records import Act, Leave, OpenMatch
from service.views.summary import summary
from workers.commands import KEPT_S, Commands
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio
SEATS = ({"kind": "me"}, {"kind": "bot", "bot": "random"})
ANNA = "account:anna"


async def acted(deps):
    """A match in which Anna has acted once, with a key of her own."""
    match = await tables.open_match(deps, OpenMatch(who=ANNA, game="tides-of-time", seats=SEATS))
    action = {"type": "play", "card": match.state.players[0].hand[0]}
    act = Act(who=ANNA, match=match.id, seq=match.seq, action=action, key="mine")
    return await actions.act(deps, act)


async def left(deps, ident):
    return await deps.client.ttl(keys.of_match(ident).commands)


async def test_the_end_of_a_match_begins_the_days(deps, embedded):
    connection = connect_sync(embedded.url)
    relay = Relay(deps, Jobs(connection))
    await relay.step()
    match = await acted(deps)
    await relay.step()
    assert await left(deps, match.id) == -1, "while it runs, for as long as it runs"
    await tables.leave(deps, Leave(who=ANNA, match=match.id, seat=0))
    await relay.step()
    assert KEPT_S - 60 <= await left(deps, match.id) <= KEPT_S
    assert await deps.store.lookup(match.id, ANNA, "mine"), "the same command still gets its first answer"
    connection.close()


async def test_matches_that_ended_before_are_found_page_by_page(deps, monkeypatch):
    monkeypatch.setattr("workers.commands.AT_ONCE", 2)
    over, running = [], await acted(deps)
    for _ in range(5):
        match = await acted(deps)
        over.append(await tables.leave(deps, Leave(who=ANNA, match=match.id, seat=0)))
    for match in (*over, running):
        await deps.readmodel.put(summary(match))
    commands = Commands(deps)
    for found in (2, 4, 5, 5):
        await commands.sweep()
        assert sum([await left(deps, match.id) > 0 for match in over]) == found
        commands._at = min(commands._at, 0.0) if commands._mark else commands._at
    assert await left(deps, running.id) == -1
