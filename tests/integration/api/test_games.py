"""The catalogue loops over the registry."""

import msgspec
import pytest

from engine import registry
from engine.checks.variants import variants
from tests.folders import having

pytestmark = pytest.mark.anyio


async def test_every_game_is_there(house):
    games = (await house.nobody.get("/api/games")).json()["items"]
    assert [game["key"] for game in games] == list(registry.GAMES)
    for game in games:
        assert {"random", "greedy"} <= set(game["bots"])
        assert game["seats"]["min"] <= game["seats"]["max"]
        assert set(game["words"]) >= set(game["defaults"])
        assert game["actions"]
        assert game["options"]


async def test_one_game_reads_as_in_the_list(house, rules):
    one = (await house.nobody.get(f"/api/games/{rules.key}")).json()
    assert one in (await house.nobody.get("/api/games")).json()["items"]


async def test_names_are_said_in_both_languages(house, rules):
    for lang in ("en", "cs"):
        answer = await house.nobody.get(f"/api/games/{rules.key}", headers={"Accept-Language": lang})
        assert answer.json()["name"] == rules.words.title(lang)


async def test_what_has_not_changed_is_not_sent_again(house):
    first = await house.nobody.get("/api/games")
    again = await house.nobody.get("/api/games", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = await house.nobody.get("/api/games", headers={"If-None-Match": 'W/"old"'})
    assert other.status_code == 200


@pytest.mark.parametrize("key", having("ui/board.js"))
async def test_a_game_with_a_board_has_a_guide_in_the_readers_language(house, key):
    answers = [
        await house.nobody.get(f"/api/games/{key}/guide", headers={"Accept-Language": lang})
        for lang in ("en", "cs")
    ]
    english, czech = (answer.json() for answer in answers)
    assert len(english["steps"]) == len(czech["steps"]) >= 5
    assert english["steps"][0]["title"] != czech["steps"][0]["title"]
    assert english["steps"][0]["view"] == czech["steps"][0]["view"]
    assert english["lessons"]
    assert (await house.nobody.get(f"/api/games/{key}")).json()["guide"] is True


async def test_nobody_can_ask_for_the_guide_of_no_game(house):
    answer = await house.nobody.get("/api/games/chess/guide")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")


async def test_every_variant_of_a_game_opens(guest, rules):
    for seats in rules.players:
        for options in variants(rules, seats)[:8]:
            places = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (seats - 1)]
            match = await guest.open(game=rules.key, seats=places, options=msgspec.to_builtins(options))
            assert match["status"] == "running"
            assert match["options"] == msgspec.to_builtins(options)
