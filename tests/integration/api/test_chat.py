"""Talk at a table: who may, who hears it, how much, and what stays of it."""

import asyncio
import json

import pytest

from infra.store import backup
from infra.store.chat import Chat, Limit

pytestmark = pytest.mark.anyio
PAIR = [{"kind": "me"}, {"kind": "open"}]


async def table(house, **more):
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(seats=PAIR, **more)
    path = f"/api/matches/{match['id']}"
    await bert.post(f"{path}/seats/1", {"invite": match["invite"].rpartition("=")[2]})
    return anna, bert, f"{path}/chat"


async def test_both_hear_each_other_in_order(house):
    anna, bert, chat = await table(house)
    first = await anna.post(chat, {"text": "  hello <b>you</b>\nthere "})
    assert first.status_code == 201, first.text
    assert (await bert.post(chat, {"text": "ahoj"})).status_code == 201
    heard = (await house.nobody.get(chat)).json()
    assert [(one["id"], one["seat"], one["text"]) for one in heard["items"]] == [
        (1, 0, "hello <b>you</b>\nthere"),
        (2, 1, "ahoj"),
    ]
    assert heard["items"][0] == first.json()
    assert heard["items"][1]["name"] == bert.account["name"]
    later = (await anna.get(f"{chat}?after=1")).json()
    assert ([one["text"] for one in later["items"]], later["next"]) == (["ahoj"], 2)
    assert (await anna.get(f"{chat}?after=2")).json() == {"items": [], "next": 2}


async def test_only_who_sits_there_speaks_and_only_who_may_read_hears(house):
    anna, _, chat = await table(house, listed=False)
    stranger = await house.guest()
    await anna.post(chat, {"text": "psst"})
    assert (await stranger.get(chat)).status_code == 404
    assert (await stranger.post(chat, {"text": "me too"})).status_code == 404
    assert (await house.nobody.post(chat, {"text": "x"})).json()["code"] == "unauthenticated"
    _, _, listed = await table(house)
    assert (await stranger.post(listed, {"text": "x"})).json()["code"] == "not_your_seat"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "  \n "},
        {"text": "x" * 501},
        {"text": "bell\x07"},
        {"text": "\u202eevil"},
        {"text": 7},
        {"text": "x", "seat": 1},
        [],
    ],
)
async def test_what_is_no_message_is_refused(house, body):
    anna, _, chat = await table(house)
    refused = await anna.post(chat, body)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
    assert (await anna.get(chat)).json()["items"] == []


async def test_half_of_a_character_is_refused(house):
    anna, _, chat = await table(house)
    assert (await anna.ask("POST", chat, content=b'{"text": "\\ud800"}')).status_code == 400
    assert (await anna.get(f"{chat}?after=-1")).status_code == 400
    assert (await anna.get(f"{chat}?after=x")).status_code == 400


async def test_nobody_floods_a_table(house):
    anna, bert, chat = await table(house)
    for number in range(Limit().messages):
        assert (await anna.post(chat, {"text": str(number)})).status_code == 201
    refused = await anna.post(chat, {"text": "more"})
    assert refused.json()["code"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) <= Limit().seconds
    assert (await bert.post(chat, {"text": "calm down"})).status_code == 201


async def test_only_the_latest_are_kept(house, monkeypatch):
    monkeypatch.setattr("infra.store.chat.MAX_MESSAGES", 3)
    patient = Chat(house.deps.client, Limit(100, 30))
    for number in range(5):
        await patient.say("m", "account:a", 0, str(number), "now")
    assert [one.text for one in await patient.read("m")] == ["2", "3", "4"]
    assert await patient.last("m") == 5


async def test_it_comes_over_the_stream_without_moving_its_mark(served):
    anna, bert, chat = await table(served)
    path = chat.replace("/chat", "/stream")
    await anna.post(chat, {"text": "before"})
    async with served.client.stream("GET", f"{path}?after=100", headers=bert.headers) as answer:
        lines = answer.aiter_lines()
        async with asyncio.timeout(10):
            assert await anext(lines) == ": hello"
            await anna.post(chat, {"text": "now"})
            while (line := await anext(lines)) != "event: chat":
                assert not line.startswith("id:"), line
            told = json.loads((await anext(lines)).removeprefix("data: "))
    assert (told["id"], told["text"], told["name"]) == (2, "now", anna.account["name"])


async def test_ones_own_words_are_taken_along_and_a_pseudonym_stays(house):
    anna, bert, chat = await table(house)
    await anna.post(chat, {"text": "mine"})
    await bert.post(chat, {"text": "his"})
    await house.list_it(chat.split("/")[3])
    taken = (await anna.get("/api/me/export")).json()["matches"][0]["chat"]
    assert [one["text"] for one in taken] == ["mine"]
    gone = await anna.ask("DELETE", "/api/me", json={"confirm": anna.account["name"]})
    assert gone.status_code == 204
    heard = (await bert.get(chat)).json()["items"]
    assert [one["name"] for one in heard] == ["Somebody", bert.account["name"]]


async def test_a_backup_brings_it_back(house):
    anna, bert, chat = await table(house)
    await anna.post(chat, {"text": "keep this"})
    before = (await bert.get(chat)).json()
    dumped = await backup.dump(house.deps.client)
    key = f"tl:*:m:{chat.split('/')[3]}:chat"
    found = [name async for name in house.deps.client.scan_iter(match=key)]
    assert len(found) == 1
    await house.deps.client.delete(*found)
    assert (await bert.get(chat)).json()["items"] == []
    await backup.restore(house.deps.client, dumped)
    assert (await bert.get(chat)).json() == before
    await anna.post(chat, {"text": "and on"})
    assert (await bert.get(chat)).json()["next"] == 2
