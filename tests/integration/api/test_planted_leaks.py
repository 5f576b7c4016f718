"""A test of the tests: a leak planted in any output of a match is found by the scan of test_leaks.py."""

from random import Random

import pytest

from engine import codec, events, registry
from engine.game import fold
from service.bots import remote
from service.notices import messages
from service.views import feeds, inspection, sight
from tests.integration.api.test_leaks import (
    BotTable,
    Table,
    compare_worlds,
    search,
    secrets_of,
    streamed,
)

pytestmark = pytest.mark.anyio


def state_beside(answer, match):
    return {**answer, "oops": codec.encode(codec.pack(match.state)).decode()}


def plant_in_matches(patch, _):
    clean = sight.match_answer
    patch.setattr(sight, "match_answer", lambda match, *a, **k: state_beside(clean(match, *a, **k), match))


def plant_in_events(patch, _):
    patch.setattr(events, "_redact", lambda *_: None)


def plant_in_exports(patch, _):
    patch.setattr(sight, "export", lambda match, lines, caller: b"\n".join(lines))


def plant_in_chat(patch, match):
    clean = sight.said
    patch.setattr(sight, "said", lambda message, name: {**clean(message, name), "name": match.seed})


def plant_in_notices(patch, _):
    clean = messages.notice

    def notice(scene, *given):
        made = clean(scene, *given)
        return made._replace(lines=[*made.lines, str(codec.pack(scene.match.state))])

    patch.setattr("tests.integration.api.test_leaks.notice", notice)


def plant_in_words(patch, _):
    """The sentences of an event, made of what was not redacted."""
    patch.setattr(sight, "_seen", lambda match, line, caller: events.seen(match.rules, line, 0, False))


def plant_in_positions(patch, _):
    def position(match, rules, seat):
        return sight.encode({"seq": match.seq, "view": codec.pack(match.state)})

    patch.setattr(sight, "_position", position)


def plant_in_why(patch, _):
    clean = inspection._refusal

    def refusal(match, seat, action):
        found = clean(match, seat, action)
        if found is not None:
            found.code = f"{found.code} {codec.digest(codec.encode(codec.pack(match.state)))[:4]}"
        return found

    patch.setattr(inspection, "_refusal", refusal)


def plant_in_previews(patch, _):
    """What a hidden choice would lead to: the outlook goes on over what it reveals."""

    def outlook(match, seat, facts):
        state = fold(match.rules, facts, match.state)
        return {"view": match.rules.view(state, seat), "open": False}

    patch.setattr(sight, "outlook", outlook)


PLANTS = [
    plant_in_matches,
    plant_in_events,
    plant_in_exports,
    plant_in_chat,
    plant_in_notices,
    plant_in_words,
    plant_in_positions,
    plant_in_why,
    plant_in_previews,
]


WORLDS = 5  # by chance, another world may hold the same secrets


async def scan(table, rng, worlds=1):
    for caller in table.callers * worlds:
        search(await secrets_of(table), await table.bodies(caller, rng))
        await compare_worlds(table, caller, rng)


@pytest.fixture
async def table(house):
    made = await Table(house, registry.game("tides-of-time"), 2).open()
    await made.step(Random(1))
    return made


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
async def test_a_planted_leak_is_found(table, plant, monkeypatch):
    await scan(table, Random(8))  # nothing to find yet
    plant(monkeypatch, await table.now())
    with pytest.raises(AssertionError):
        await scan(table, Random(8))


async def test_a_leak_in_what_a_bot_is_offered_is_found(house, monkeypatch):
    table = await BotTable(house, registry.game("babylonia"), 2).open()
    rng = Random(2)
    while 0 not in (await table.now()).to_act:
        await table.step(rng)
    await scan(table, rng)
    clean = remote.sight.turn
    monkeypatch.setattr(sight, "turn", lambda match, *given: state_beside(clean(match, *given), match))
    with pytest.raises(AssertionError):
        await scan(table, rng, WORLDS)


async def test_a_leak_in_a_stream_is_found(served, monkeypatch):
    table = await Table(served, registry.game("tides-of-time"), 2).open()
    await table.step(Random(1))
    match = await table.now()
    monkeypatch.setattr(feeds, "_event", lambda match, line, seq, seat: b"data: %b\n\n" % line)
    shown = "\n".join(await streamed(table, table.guests[1], match.seq))
    with pytest.raises(AssertionError, match="shows"):
        search(await secrets_of(table), {"stream": shown})
    assert shown.splitlines() != (await table.guests[1].get(f"{table.path}/events")).text.splitlines()
