"""Every game by clicking only: on its own board, and in words on the generic one."""

from __future__ import annotations

import re

import pytest

from engine import registry
from tests.e2e.browser import PHONE
from tests.e2e.clicking import LISTED, play_on, play_out
from tests.folders import having

pytestmark = pytest.mark.browser
BOTS = {"world-wonders": "random"}  # the others think fast
SHORT = ("tides-of-time", "machi-koro")
# What a board is to show at some moment of a match.
SHOWN = {
    "machi-koro": [".mk-die", ".mk-card.can"],
    "tides-of-time": [".tt-back", ".tt-points", ".tt-badge"],
    "akropolis": [".ak-space.can", ".ak-ghost"],
    "babylonia": [".ba-can", ".ba-token.lit", ".ba-gain"],
    "world-wonders": [".ww-can", ".ww-ghost", ".need.met", ".need.unmet"],
}
# The page alone, not what it asks the API for: such an answer may be on its way when the test is over.
TABLE = re.compile(r"^https?://[^/]+/matches/[\w-]+$")
WATCH = """(selectors) => {
  window.shown = new Set();
  const look = () => selectors.forEach((one) => document.querySelector(one) && window.shown.add(one));
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def without_a_board(route):
    """The page as it is for a game that has brought none."""
    answer = route.fetch()
    body = re.sub(r'"games/[\w-]+/board\.js":"\w+",?', "", answer.text())
    route.fulfill(response=answer, body=body)


@pytest.mark.parametrize("game", having("ui/board.js"))
def test_a_person_plays_a_whole_match_on_the_board(people, game):
    ada = people("Ada")
    ada.keep(ask="off")
    match = ada.open_match(game, [BOTS.get(game, "greedy")])
    ada.page.goto(f"/matches/{match}")
    ada.page.evaluate(WATCH, SHOWN.get(game, []))
    assert play_out(ada.page, 1) > 5
    assert set(ada.page.evaluate("[...window.shown]")) == set(SHOWN.get(game, []))
    assert ada.page.locator(".outcome .totals li").count() == 2


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_can_be_played_from_the_list_of_actions(people, game):
    """Some moves of each game on a phone, in words: the way of a screen reader."""
    ada = people("Ada", viewport=PHONE)
    ada.keep(ask="off", text="on")
    match = ada.open_match(game, [BOTS.get(game, "greedy")])
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".in-words").wait_for()
    for _ in range(8):
        ada.page.wait_for_function("() => document.querySelector('.banner.mine, .outcome')")
        if ada.page.locator(".outcome").count():
            break
        button = ada.page.locator(", ".join(LISTED)).last
        button.click()
    assert ada.too_wide() == []
    assert ada.call("GET", f"/matches/{match}")["seq"] > 4


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_game_without_a_board_of_its_own_is_played_on_the_generic_one(people, game):
    """Short games to their end, long ones for a while: what a sixth game gets on its first day."""
    ada = people("Ada")
    ada.page.route(TABLE, without_a_board)
    match = ada.open_match(game, [BOTS.get(game, "greedy")])
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".generic").wait_for()
    if game in SHORT:
        assert play_out(ada.page, 2, LISTED) > 5
    else:
        play_on(ada.page, 2, LISTED, 40)
        assert ada.call("GET", f"/matches/{match}")["seq"] > 12


def test_confirming_can_be_asked_for_and_taken_back(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    hand = ada.page.locator(".tt-hand .can")
    hand.first.click()
    bar = ada.page.get_by_role("region", name="Chosen action")
    bar.get_by_role("button", name="Cancel").click()
    bar.get_by_role("button", name="Confirm").wait_for(state="detached")
    hand.first.click()
    bar.get_by_role("button", name="Confirm").click()
    ada.page.wait_for_function("() => document.querySelectorAll('.tt-hand .tt-card').length === 4")


def test_a_card_that_cannot_be_built_says_why(people):
    ada = people("Ada")
    match = ada.open_match("machi-koro", ["greedy"], options={"first_seat": 0})
    ada.page.goto(f"/matches/{match}")
    ada.page.get_by_role("button", name="Radio Tower").click()  # one die is rolled without a question
    ada.page.get_by_text("costs 22").wait_for()


def test_a_place_that_does_not_glow_says_why(people):
    """The rules' own words, from the server: the page knows none."""
    ada = people("Ada")
    page = ada.page
    note = page.locator(".action-bar .bad")
    match = ada.open_match("akropolis", ["greedy"], options={"first_seat": 0})
    page.goto(f"/matches/{match}")
    page.locator(".ak-offer.can").first.click()
    box = page.locator(".zoom-box .ak-city").first.bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    note.wait_for()
    match = ada.open_match("babylonia", ["greedy"])
    page.goto(f"/matches/{match}")
    page.locator(".banner.mine").wait_for()
    page.locator(".ba-piece.can").first.click()
    page.locator(".ba-map .ba-hex.ziggurat").first.click(force=True)
    note.wait_for()
    match = ada.open_match("world-wonders", ["random"], options={"start_order": "seats"})
    page.goto(f"/matches/{match}")
    page.locator(".banner.mine").wait_for()
    page.locator(".ww-own .ww-land").click(
        position={"x": 6, "y": 6}, force=True
    )  # the first road lies at the sidewalk
    note.wait_for()


def test_the_servers_judgement_lights_a_monuments_requirements(people):
    ada = people("Ada")
    match = ada.open_match("world-wonders", ["random"], options={"start_order": "seats"})
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".need").first.wait_for()
    city = ada.call("GET", f"/matches/{match}")["view"]["cities"][0]
    unmet = sum(len(one) for one in city["lacking"])
    assert unmet > 0  # nothing is built yet
    assert ada.page.locator(".need.unmet").count() == unmet
    assert ada.page.locator(".need.met").count() == ada.page.locator(".need").count() - unmet


def test_a_tile_turns_by_key_and_button_and_wheel(people):
    ada = people("Ada")
    match = ada.open_match("akropolis", ["greedy"], options={"first_seat": 0})
    page = ada.page
    page.goto(f"/matches/{match}")
    page.locator(".ak-offer.can").first.click()
    page.locator(".ak-space").first.click()
    seen = {_ghost(page)}
    page.keyboard.press("r")
    seen.add(_ghost(page))
    page.get_by_role("button", name="Rotate", exact=False).last.click()
    seen.add(_ghost(page))
    page.locator(".ak-ghost").hover(force=True)
    page.mouse.wheel(0, 100)
    seen.add(_ghost(page))
    assert len(seen) > 1


def _ghost(page):
    page.wait_for_timeout(60)
    return page.locator(".ak-ghost").inner_html()
