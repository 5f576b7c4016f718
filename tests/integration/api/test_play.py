"""Act, look, look back: whole matches, repeated commands, past moments."""

import asyncio
from random import Random

import pytest

from engine.proof import verify

pytestmark = pytest.mark.anyio


async def test_a_whole_match_of_every_game(house, guest, rules):
    bots = [{"kind": "bot", "bot": "random"}] * max(1, rules.players[0] - 1)
    match = await guest.open(game=rules.key, seats=[{"kind": "me"}, *bots])
    over = await house.play_out(guest, match, Random(3))
    assert over["status"] == "finished"
    assert over["result"]["how"] == "played"
    assert len(over["result"]["scores"]) == len(over["seats"])
    assert (over["legal"], over["to_act"]) == ([], [])
    log = await house.nobody.get(f"/api/matches/{match['id']}/log")
    _, lines = verify.read(log.content)
    verify.verify(lines)


async def test_an_action_answers_the_match_after_it(guest):
    match = await guest.open()
    after = (await guest.act(match)).json()
    assert after["seq"] == match["seq"] + 1
    assert after["view"]["players"][0]["committed"] is True


async def test_flags_leave_lists_out(guest):
    match = await guest.open()
    assert (await guest.look(match, "?legal=0"))["legal"] == []
    bare = await guest.look(match, "?labels=0")
    assert (bare["labels"], bare["legal"]) == ([], match["legal"])


async def test_labels_speak_the_readers_language(guest):
    match = await guest.open()
    czech = await guest.get(f"/api/matches/{match['id']}", headers={"Accept-Language": "cs"})
    assert czech.json()["labels"][0].startswith("Zahrát")


async def test_a_repeated_command_gets_its_first_answer_byte_for_byte(house, guest, rng):
    match = await guest.open()
    first = await guest.act(match, key="once")
    await house.bots_act(match["id"], rng)
    for _ in range(3):
        match_now = await guest.look(match)
        await house.both_act(guest, match_now, rng)
    length = await house.length(match)
    again = await guest.act(match, key="once")
    assert (again.status_code, again.content) == (200, first.content)
    assert await house.length(match) == length


async def test_every_action_of_a_match_reads_the_same_when_repeated(house, guest, rules):
    """Also the last one, and also in another process that remembers nothing."""
    rng = Random(5)
    bots = [{"kind": "bot", "bot": "random"}] * max(1, rules.players[0] - 1)
    match = await guest.open(game=rules.key, seats=[{"kind": "me"}, *bots])
    await house.bots_act(match["id"], rng)
    match, firsts = await guest.look(match), []
    while match["status"] == "running" and len(firsts) < 60:
        action = rng.choice(match["legal"])
        first = await guest.act(match, action, key=f"k{match['seq']}")
        firsts.append((match, action, first.content))
        await house.bots_act(match["id"], rng)
        match = await guest.look(match)
    if match["status"] == "finished":
        assert (await guest.post(f"/api/matches/{match['id']}/rematch")).status_code == 200
    house.deps.matches._kept.clear()
    for before, action, content in rng.sample(firsts, 5) + firsts[-1:]:
        assert (await guest.act(before, action, key=f"k{before['seq']}")).content == content


async def test_a_key_is_for_one_command(guest):
    match = await guest.open()
    assert (await guest.act(match, match["legal"][0], key="k")).status_code == 200
    other = await guest.act(match, match["legal"][1], key="k")
    assert (other.status_code, other.json()["code"]) == (409, "command_reused")


async def test_the_same_key_of_another_person_is_another_command(house, guest):
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}])
    other = await house.guest()
    await other.post(f"/api/matches/{match['id']}/seats/1", {})
    for person in (guest, other):
        mine = await person.look(match)
        assert (await person.act(mine, key="same")).json()["seq"] == mine["seq"] + 1


async def test_of_many_at_once_one_is_done(house, guest):
    match = await guest.open()
    answers = await asyncio.gather(*(guest.act(match, key="k") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert await house.length(match) == match["seq"] + 1


async def test_a_hidden_choice_of_another_seat_is_not_stale(house, guest, rng):
    match = await guest.open()
    await house.bots_act(match["id"], rng)  # the bot has chosen meanwhile, unseen
    assert await house.length(match) == match["seq"] + 1
    assert (await guest.act(match)).status_code == 200


async def test_the_past_reads_as_it_was_known_then(house, guest, rng):
    match = await guest.open()
    seen = {match["seq"]: match}
    while match["status"] == "running":
        match = await house.both_act(guest, match, rng)
        seen[match["seq"]] = match
    for seq, then in seen.items():
        answer = await guest.get(f"/api/matches/{match['id']}?at={seq}")
        back = answer.json()
        assert "immutable" in answer.headers["cache-control"]
        assert (back["legal"], back["labels"], back["clock"]) == ([], [], None)
        assert (back["view"], back["status"], back["to_act"]) == (
            then["view"],
            then["status"],
            then["to_act"],
        )


async def test_everything_opens_once_the_match_has_ended(house, guest, rng):
    match = await guest.open()
    early = await house.nobody.get(f"/api/matches/{match['id']}?at={match['seq']}&open=1")
    assert "views" not in early.json()
    assert "immutable" not in early.headers["cache-control"]
    await house.play_out(guest, match, rng)
    late = await house.nobody.look(match, f"?at={match['seq']}&open=1")
    assert [len(view["players"][seat]["hand"]) for seat, view in enumerate(late["views"])] == [5, 5]
    assert "views" not in await house.nobody.look(match, f"?at={match['seq']}")


@pytest.mark.parametrize("at", ["0", "99", "9007199254740991"])
async def test_there_is_no_future_and_no_moment_before_the_first(guest, at):
    match = await guest.open()
    answer = await guest.get(f"/api/matches/{match['id']}?at={at}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_process_that_is_behind_names_the_current_seq(house, guest, wired, open_another):
    """Two processes on one store: what one has in memory is old, its refusals are not."""
    match = await guest.open()
    async with open_another(wired()) as other:
        elsewhere = type(guest)(other.client, guest.account, guest.token)
        await elsewhere.act(match)
        await other.bots_act(match["id"], Random(1))
        current = await house.length(match)
        refused = await guest.act(match)
        assert (refused.status_code, refused.json()["current"]) == (409, current)
        nonsense = await guest.act(match, {"type": "keep", "relic": "x", "discard": "y"})
        assert nonsense.json()["code"] == "stale_seq"
        await other.deps.close()
