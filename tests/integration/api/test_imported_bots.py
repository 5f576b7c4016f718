"""What a log from elsewhere brings along: bots that nobody here has, and names without end."""

from random import Random

import pytest

from engine import registry, table
from engine.events import Holder, Place
from engine.proof import verify
from engine.table import LogWriter, NewTable
from workers.bots.advising import adviser
from workers.bots.bot_turn import owed, play
from workers.bots.schedule import owing

pytestmark = pytest.mark.anyio
SOMEBODY = "account:somebody"


def running(*holders, moves=4):
    """A match under way as another server would have written it."""
    rng, rules = Random(7), registry.game("tides-of-time")
    writer = LogWriter(None, "2026-11-16T09:00:00.000Z", SOMEBODY)
    places = [Place(holder.kind) for holder in holders]
    new = NewTable("elsewhere", places, list(holders), rng.randbytes(32))
    table.open_match(writer, rules.key, rules.Options(), new)
    for _ in range(moves):
        seat = writer.match.to_act[0]
        writer.by = f"bot:{holders[seat].id}" if holders[seat].kind == "bot" else holders[seat].id
        table.act(writer, seat, rules.legal(writer.match.state, seat)[0])
    return b"\n".join([*writer.lines, verify.closing(writer.match), b""])


async def send(guest, log):
    return await guest.ask("POST", "/api/import", content=log)


@pytest.mark.parametrize("name", ["search:1000000", "search:600s", "bots.py:Mine", "nobody", ""])
async def test_a_bot_that_no_table_here_may_have_is_stood_in_for(house, name):
    """An answer of `search:1000000` takes hours, in which no other bot that thinks would play."""
    guest = await house.guest()
    answer = await send(guest, running(Holder("person", SOMEBODY), Holder("bot", name)))
    assert answer.status_code == 201, answer.text
    match = await house.deps.matches.now("elsewhere")
    assert [(turn.lane, turn.thinking_ms) for turn in owing(match)] == [("light", 50)]
    assert await play(house.deps, owed(match)[0])
    last = (await guest.get("/api/matches/elsewhere/events?after=5")).text.splitlines()[-1]
    assert '"by":"bot:greedy"' in last


async def test_nobody_is_advised_by_a_bot_that_thinks_for_hours(house):
    guest = await house.guest()
    answer = await send(guest, running(Holder("person", SOMEBODY), Holder("bot", "search:1000000")))
    assert answer.status_code == 201, answer.text
    assert (await guest.post("/api/matches/elsewhere/seats/0")).status_code == 200
    assert (await guest.post("/api/matches/elsewhere/hint")).status_code == 200
    match = await house.deps.matches.now("elsewhere")
    assert match.advice is not None
    assert [(turn.lane, turn.thinking_ms) for turn in owing(match)] == [("light", 50)] * 2
    assert adviser(match) == "greedy"


async def test_a_guest_does_not_import_a_table_of_bots_alone(house):
    """It would go on playing for nobody, which a guest may not open either."""
    log = running(Holder("bot", "search"), Holder("bot", "random"))
    refused = await send(await house.guest(), log)
    assert (refused.status_code, refused.json()["code"]) == (403, "bots_alone")
    assert (await send(await house.guest(password="a good password"), log)).status_code == 201


@pytest.mark.parametrize(
    ("who", "bot", "moves"), [(SOMEBODY, "x" * 201, 4), (f"account:{'y' * 200}", "random", 0)]
)
async def test_names_without_end_are_refused(house, who, bot, moves):
    """They would be in every answer and every list."""
    refused = await send(await house.guest(), running(Holder("person", who), Holder("bot", bot), moves=moves))
    problem = refused.json()
    assert (refused.status_code, problem["code"], problem["reason"]) == (400, "bad_log", "bad_id")
