"""Boards: what an action does is said before, what happened is seen, and nothing stale is drawn."""

from __future__ import annotations

import pytest

from engine import registry
from tests.e2e.browser import PHONE
from tests.e2e.test_news import answered
from tests.folders import having

pytestmark = pytest.mark.browser
TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# What is taken up first, and the places that it may then go to.
HELD = {"akropolis": (".ak-offer.can", ".ak-space"), "babylonia": (".ba-piece.can", ".ba-map g.can")}
PICKS = {
    "akropolis": [".ak-offer.can", ".ak-space"],
    "babylonia": [".ba-piece.can", ".ba-map g.can"],
    "machi-koro": [".mk-card.can"],
    "tides-of-time": [".tt-hand .can"],
    "world-wonders": [".ww-item.can, .ww-own .ww-can"],
}
PLAIN = [".board .can"]  # a board whose choices have no order of their own


def sit(person, game, **more):
    match = person.open_match(game, ["random"], **more)
    person.page.goto(f"/matches/{match}")
    person.page.locator(".banner.mine").wait_for()
    return match


def choose(page, game):
    """By the keyboard's way of pressing: a neighbour may lie over the middle of a hex.

    An answer that comes in between rightly takes a choice back, so it is made again until its places show."""
    first, *places = PICKS.get(game, PLAIN)
    page.keyboard.press("Escape")  # nothing is chosen
    page.locator(first).first.dispatch_event("click")
    for place in places:
        for _ in range(100):
            if page.locator(place).count():
                break
            page.wait_for_timeout(100)
            page.keyboard.press("Escape")
            page.locator(first).first.dispatch_event("click")
        page.locator(place).first.dispatch_event("click")


def test_the_sheet_says_what_an_action_does_in_numbers(people):
    ada = people("Ada", viewport=PHONE)
    sit(ada, "machi-koro", options={"first_seat": 0})
    ada.page.locator(".mk-card", has_text="Wheat Field").first.click()
    ada.page.locator(".sheet .delta", has_text="Coins").wait_for()
    words = ada.page.locator(".sheet .delta").first.inner_text().split()
    assert int(words[1]) - 1 == int(words[-1]), words  # it costs 1


@pytest.mark.parametrize("game", having("ui/board.js"))
def test_a_choice_that_is_not_possible_any_more_is_never_drawn(people, game):
    """Another window of mine acts while something is chosen here: the board goes on without it."""
    ada = people("Ada")
    match = sit(ada, game)
    for _ in range(3):
        choose(ada.page, game)
        now = ada.call("GET", f"/matches/{match}")
        body = {"seq": now["seq"], "action": now["legal"][-1]}
        ada.call("POST", f"/matches/{match}/actions", body)
        ada.page.wait_for_function(
            "(seq) => Number(document.querySelector('.table').dataset.seq) > seq", arg=now["seq"]
        )
        ada.page.wait_for_function("() => document.querySelector('.banner.mine, .outcome')")
        assert ada.page.locator(".generic").count() == 0


def test_a_board_that_fails_is_reported_and_tries_again(people):
    ada = people("Ada")

    def spoil(route):
        answer = route.fetch()
        head = "function Board(props) {"
        assert head in answer.text()
        fault = f'{head} if (!window.mended) throw new TypeError("a secret");'
        route.fulfill(response=answer, body=answer.text().replace(head, fault))

    ada.page.route("**/games/tides-of-time/board.js", spoil)
    with ada.page.expect_request("**/api/reports") as told:
        match = sit(ada, "tides-of-time")
    assert "secret" not in (told.value.post_data or "")
    assert told.value.post_data_json["error"] == "TypeError"
    ada.page.locator(".generic").wait_for()
    ada.page.evaluate("window.mended = true")
    now = ada.call("GET", f"/matches/{match}")
    ada.call("POST", f"/matches/{match}/actions", {"seq": now["seq"], "action": now["legal"][0]})
    ada.page.locator(".tt-hand").wait_for()
    assert all("a secret" in complaint for complaint in ada.complaints)
    ada.complaints.clear()


def test_a_line_of_the_log_lights_up_its_place(people):
    ada = people("Ada")
    match = ada.open_match("babylonia", ["random"])
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".banner.mine").wait_for()
    now = ada.call("GET", f"/matches/{match}")
    action = next(one for one in now["legal"] if one["type"] == "place")
    ada.call("POST", f"/matches/{match}/actions", {"seq": now["seq"], "action": action})
    line = ada.page.locator(f".log li:has(a[href$='#{now['seq'] + 1}'])")
    line.wait_for()
    line.hover()
    ada.page.wait_for_function("() => document.querySelectorAll('.ba-fresh').length === 1")


def test_what_happened_is_played_back_on_the_table_itself(people):
    ada = people("Ada", reduced_motion="no-preference")
    match = ada.open_match("babylonia", ["random"])
    answered(ada, match)
    ada.page.goto(f"/matches/{match}")
    now = ada.page.locator(".table").get_attribute("data-seq")
    ada.page.get_by_role("button", name="Play it back").click()
    ada.page.get_by_role("button", name="Skip").wait_for()
    assert ada.page.locator(".board .can").count() == 0  # nothing can be done in the past
    ada.page.locator(".board").click(position={"x": 5, "y": 5})  # a tap skips
    ada.page.get_by_role("button", name="Skip").wait_for(state="detached")
    assert ada.page.locator(".table").get_attribute("data-seq") == now


@pytest.mark.parametrize("game", HELD)
def test_places_are_large_enough_for_a_thumb(people, game):
    ada = people("Ada", **TOUCH)
    sit(ada, game)
    piece, places = HELD[game]
    ada.page.locator(piece).first.click()
    ada.page.wait_for_timeout(300)
    sizes = ada.page.locator(places).evaluate_all(
        """(all) => all.map((one) => one.getBoundingClientRect())
             .map(({ width, height }) => Math.min(width, height))"""
    )
    assert min(sizes) >= 34.5, min(sizes)  # a hex of 40 px from corner to corner is so high


def test_five_cities_of_world_wonders_fit_a_phone(people):
    ada = people("Ada", **TOUCH)
    match = ada.open_match("world-wonders", ["random"] * 4)
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".board").wait_for()
    assert ada.too_wide() == []
    assert ada.page.evaluate("document.documentElement.scrollHeight") < 2.2 * 844
    assert ada.page.locator(".strip .mini .ww-city").count() == 4
    ada.page.locator(".strip button.see").first.click()
    ada.page.locator("dialog .ww-city").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.locator("dialog").wait_for(state="detached")


@pytest.mark.parametrize("game", having("ui/board.js"))
def test_nothing_jumps_when_a_step_changes(people, game):
    ada = people("Ada", **TOUCH)
    sit(ada, game, **({"options": {"first_seat": 0}} if game == "machi-koro" else {}))
    top = "() => document.querySelector('.board').getBoundingClientRect().top + scrollY"
    before = ada.page.evaluate(top)
    for selector in PICKS.get(game, PLAIN):
        if ada.page.locator(selector).count():
            ada.page.locator(selector).first.dispatch_event("click")
            ada.page.wait_for_timeout(150)
            assert ada.page.evaluate(top) == before


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_table_at_twice_the_size_is_not_too_wide(people, game):
    ada = people("Ada", viewport={"width": 640, "height": 400})
    sit(ada, game)
    assert ada.too_wide() == []


def test_the_result_is_one_row_and_a_picture(people):
    ada = people("Ada", viewport=PHONE)
    match = ada.open_match("tides-of-time", ["random"])
    ada.page.goto(f"/matches/{match}")
    ada.call("DELETE", f"/matches/{match}/seats/0")
    ada.page.locator(".outcome .totals").wait_for()
    tops = ada.page.locator(".outcome .totals li").evaluate_all("(all) => all.map((one) => one.offsetTop)")
    assert len(set(tops)) == 1
    with ada.page.expect_download() as kept:
        ada.page.get_by_role("button", name="Share the result").click()
    assert kept.value.path().read_bytes().startswith(b"\x89PNG")
