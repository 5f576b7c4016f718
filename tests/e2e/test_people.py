"""People: a page for each, and what became of their matches."""

from __future__ import annotations

import pytest

from tests.e2e.browser import DESK, PHONE
from tests.e2e.clicking import play_out
from tests.e2e.screenshots import PLAY
from tests.e2e.test_pages import settle, violations

pytestmark = pytest.mark.browser
SIZES = {"phone": PHONE, "desk": DESK}


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_match_is_found_by_its_players(people, size):
    """A guest's match counts for no rating, but it is found."""
    ada, eve = people("Ada", viewport=SIZES[size]), people(viewport=SIZES[size], locale="cs-CZ")
    ada.keep(ask="off")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    play_out(ada.page, 1)
    name = ada.call("GET", "/me")["name"]
    settle(ada.page, "/")
    ada.page.get_by_text("Set a password").wait_for()  # there is something to lose now
    ada.page.get_by_role("link", name="My statistics").click()
    ada.page.locator(f".match[href='/matches/{match}']").wait_for()
    assert violations(ada.page) == []
    assert ada.too_wide() == []
    settle(eve.page, "/archive")
    eve.page.get_by_label("Hráč").fill(name)
    eve.page.get_by_role("button", name="Hledat").click()
    line = eve.page.locator(f".match[href='/matches/{match}']")
    line.wait_for()
    assert "Vítězí" in line.inner_text() or "Sdílené" in line.inner_text()
    assert violations(eve.page) == []
    assert eve.too_wide() == []
    line.click()
    eve.page.locator(".seats").get_by_role("link", name=name).click()
    eve.page.get_by_role("heading", name=name, exact=True).wait_for()
    assert violations(eve.page) == []


def test_a_rating_is_shown_as_it_went(people):
    ben = people("Ben")
    ben.call("POST", "/me/claim", {"password": "correct horse"})
    for _ in range(2):
        ben.page.evaluate(PLAY, [ben.open_match("tides-of-time", ["greedy"]), 99])
    name = ben.call("GET", "/me")["name"]
    record = ben.page.locator(".record", has_text="Tides of Time")
    for _ in range(20):  # lists follow the log a moment later
        settle(ben.page, f"/players/{name}")
        if record.locator("polyline").count():
            break
    assert "of 2" in record.inner_text()
    assert violations(ben.page) == []
    settle(ben.page, "/players/bot:greedy")
    ben.page.get_by_text("Against you").wait_for()
    settle(ben.page, "/leaderboard?game=tides-of-time")
    ben.page.get_by_role("link", name=name).last.click()
    ben.page.get_by_role("heading", name="My statistics").wait_for()
