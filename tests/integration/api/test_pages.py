"""The page's files over HTTP: the shell at every address of it, and nothing but what is listed."""

import pytest

from engine import registry

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new",
        "/settings",
        "/leaderboard",
        "/rules/akropolis",
        "/matches/abc",
        "/matches/abc/replay",
        "/recovery/a.b-c",
        "/matches/abc/seats/1",
    ],
)
async def test_every_address_of_the_page_gets_the_shell(house, path):
    answer = await house.nobody.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


async def test_a_person_at_a_wrong_address_gets_a_page_and_a_program_a_problem(house):
    seen = await house.nobody.get("/nothing", headers={"Accept": "text/html,*/*"})
    assert seen.status_code == 404
    assert seen.headers["content-type"].startswith("text/html")
    told = await house.nobody.get("/nothing")
    assert (told.status_code, told.json()["code"]) == (404, "not_found")
    below = await house.nobody.get("/api/nothing", headers={"Accept": "text/html"})
    assert below.json()["code"] == "not_found"


async def test_a_file_is_sent_again_only_if_it_changed(house):
    first = await house.nobody.get("/static/app.js")
    assert first.headers["content-type"].startswith("text/javascript")
    again = await house.nobody.get("/static/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "%2e%2e/app.py",
        "index.html",
        "games/tides-of-time/rules.py",
        "games/../registry.py",
        "nothing.js",
    ],
)
async def test_what_is_not_listed_is_not_there(house, name):
    answer = await house.nobody.get(f"/static/{name}")
    assert answer.status_code == 404


@pytest.mark.parametrize("key", registry.GAMES)
async def test_every_game_brings_its_rules_and_components(house, key):
    for name in ("rules.md", "rules.cs.md"):
        answer = await house.nobody.get(f"/static/games/{key}/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/markdown; charset=utf-8")
    assert (await house.nobody.get(f"/static/games/{key}/data.json")).json()


async def test_boards_of_their_own_are_told(house):
    found = (await house.nobody.get("/static/boards.json")).json()
    assert set(found) == set(registry.GAMES)


async def test_events_tell_what_happened_in_the_readers_language(house):
    ada = await house.guest()
    match = await ada.open()
    path = f"/api/matches/{match['id']}/events?text=1"
    english = (await ada.get(path)).text
    czech = (await ada.get(path, headers={"Accept-Language": "cs"})).text
    assert "draws" in english
    assert "si bere" in czech
