"""The page's files over HTTP: the shell at every address of it, and nothing but what is listed."""

import hashlib
import json
import re
from io import BytesIO

import pytest
from PIL import Image

from engine import registry
from tests.folders import has, having

pytestmark = pytest.mark.anyio
PICTURE = re.compile(r'property="og:image" content="https?://[^/"]+(/[^"]+)"')


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


async def test_only_an_embedded_board_may_be_shown_in_other_pages(house):
    shown = await house.nobody.get("/embed/matches/abc")
    assert "frame-ancestors *" in shown.headers["content-security-policy"]
    assert "x-frame-options" not in shown.headers
    for path in ("/", "/matches/abc", "/matches/abc/replay", "/settings", "/embedded", "/api/me"):
        kept = await house.nobody.get(path)
        assert "frame-ancestors 'none'" in kept.headers["content-security-policy"], path
        assert kept.headers["x-frame-options"] == "DENY", path


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
    for lang, name in (("en", "rules.md"), ("cs", "rules.cs.md")):
        answer = await house.nobody.get(f"/static/games/{key}/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-language"] == (lang if has(key, name) else "en")
        assert answer.headers["content-type"].startswith("text/markdown; charset=utf-8")
    assert (await house.nobody.get(f"/static/games/{key}/data.json")).json()


def named(page):
    """The files that a page names, with their digests."""
    listed = re.search(r'id="assets">(.*?)</script>', page)
    return re.findall(r'"(/static/[^"]+)"', page), json.loads(listed[1])


async def test_boards_of_their_own_are_told(house):
    _, listed = named((await house.nobody.get("/")).text)
    told = [key for key in registry.GAMES if f"games/{key}/board.js" in listed]
    assert told == having("ui/board.js")


async def test_whatever_a_page_names_never_changes_under_that_address(house):
    at_once, later = named((await house.nobody.get("/rules/akropolis")).text)
    assert at_once
    for address in [*at_once, *(f"/static/{digest}/{name}" for name, digest in later.items())]:
        answer = await house.nobody.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["cache-control"], address
        body = answer.content
        assert hashlib.sha256(body).hexdigest()[:12] == address.split("/")[2], address
    gone = await house.nobody.get("/static/0123456789ab/page.css")
    assert gone.status_code == 404


async def test_the_page_of_a_match_brings_its_board_to_whoever_may_know_of_it(house):
    ada, eve = await house.guest(), await house.guest()
    match = await ada.open(listed=False, seats=[{"kind": "me"}, {"kind": "invite"}])
    path = f"/matches/{match['id']}"
    board = f"games/{match['game']}/board.css"
    assert board in (await ada.get(path)).text.partition('id="assets"')[0]
    assert board not in (await eve.get(path)).text.partition('id="assets"')[0]
    code = match["invite"].partition("?")[2]
    assert board in (await eve.get(f"{path}?{code}")).text.partition('id="assets"')[0]


async def test_a_link_tells_who_invites_and_of_a_private_match_only_the_game(house):
    ada = await house.guest()
    name = (await ada.get("/api/me")).json()["name"]
    seats = [{"kind": "me"}, {"kind": "invite"}]
    listed = await ada.open(listed=True, seats=seats)
    told = (await house.nobody.get(f"/matches/{listed['id']}")).text
    assert f'property="og:title" content="{name} invites you to Tides of Time"' in told
    assert PICTURE.search(told)[1] == f"/matches/{listed['id']}/picture.png?at={listed['seq']}"
    private = await ada.open(listed=False, seats=seats)
    link = private["invite"].partition("/matches")[2]
    told = (await house.nobody.get(f"/matches{link}")).text
    assert (await house.nobody.get(PICTURE.search(told)[1])).content.startswith(b"\x89PNG")
    assert "/picture.png" not in told
    assert 'property="og:title" content="Tides of Time"' in told
    assert name not in told
    assert link.partition("invite=")[2] not in told
    assert (
        'property="og:title" content="Turnlog"' in (await house.nobody.get(f"/matches/{private['id']}")).text
    )


async def test_a_match_has_a_picture_for_everybodys_eyes(house):
    """The same for whoever asks; of a match that is not listed there is none, also not for its players."""
    ada = await house.guest()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    listed = await ada.open(listed=True, seats=seats)
    path = f"/matches/{listed['id']}/picture.png"
    answers = [await caller.get(path) for caller in (ada, house.nobody)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    with Image.open(BytesIO(answers[0].content)) as image:
        assert image.size == (1200, 630)
        image.verify()
    again = await house.nobody.get(path, headers={"If-None-Match": answers[0].headers["etag"]})
    assert again.status_code == 304
    private = await ada.open(listed=False, seats=seats)
    for caller in (ada, house.nobody):
        assert (await caller.get(f"/matches/{private['id']}/picture.png")).status_code == 404
    assert (await house.nobody.get("/matches/nosuchmatch/picture.png")).status_code == 404


async def test_events_tell_what_happened_in_the_readers_language(house):
    ada = await house.guest()
    match = await ada.open()
    path = f"/api/matches/{match['id']}/events?text=1"
    english = (await ada.get(path)).text
    czech = (await ada.get(path, headers={"Accept-Language": "cs"})).text
    assert "draws" in english
    assert "si bere" in czech
