"""What people do at a table besides playing: talk, ask, agree, wait, play again."""

from __future__ import annotations

import re

import pytest

from tests.e2e.browser import PHONE
from tests.e2e.test_live import confirm

pytestmark = pytest.mark.browser
PAIR = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture
def pair(people):
    """Two people at a table of Tides of Time, each in front of it."""

    def sit(**more):
        ada, ben = people("Ada", timezone_id="Europe/Prague"), people("Ben", viewport=PHONE)
        match = ada.call("POST", "/matches", {"game": "tides-of-time", "seats": PAIR, **more})["id"]
        ben.call("POST", f"/matches/{match}/seats/1", {})
        for person in (ada, ben):
            person.page.on("dialog", lambda dialog: dialog.accept())
            person.page.goto(f"/matches/{match}")
            person.page.locator(".line.live").wait_for()
        return ada, ben, match

    return sit


def test_they_talk_and_see_what_is_new(pair):
    ada, ben, _ = pair()
    ada.tab("Chat")
    ada.page.get_by_label("Say something").fill("<img src=x onerror=alert(1)> ahoj")
    ada.page.get_by_role("button", name="Send").click()
    ada.page.locator(".chat li.own").wait_for()
    sign = ben.page.get_by_role("link", name="1 new message")
    sign.click()  # on a phone the chat is in the drawer
    sign.wait_for(state="detached")
    said = ben.page.locator(".chat .text")
    assert said.inner_text() == "<img src=x onerror=alert(1)> ahoj"
    ben.page.get_by_label("Say something").fill("hi")
    ben.page.keyboard.press("Enter")
    ada.page.locator(".chat .text", has_text="hi").wait_for()
    assert ben.too_wide() == []
    ben.page.reload()
    ben.tab("Chat")
    said.first.wait_for()
    ben.page.wait_for_timeout(200)
    assert ben.page.locator(".unread").count() == 0


def test_an_undo_is_asked_for_and_answered(pair):
    ada, ben, match = pair()
    confirm(ada)
    confirm(ben)
    ada.page.locator(".banner.mine").wait_for()
    assert ada.page.locator(".tt-hand .tt-card").count() == 4
    ada.page.get_by_role("button", name="Ask to take back").click()
    ada.page.get_by_text("The others are asked").wait_for()
    ben.page.get_by_role("button", name="Refuse").click()
    ada.page.get_by_text("The others are asked").wait_for(state="detached")
    ada.page.get_by_role("button", name="Ask to take back").click()
    ben.page.get_by_role("button", name="Agree").click()
    ada.page.wait_for_function("() => document.querySelectorAll('.tt-hand .tt-card').length === 5")
    ben.page.wait_for_function("() => document.querySelectorAll('.tt-hand .tt-card').length === 5")
    assert ada.call("GET", f"/matches/{match}")["assisted"]


def leave(person, button):
    person.tab("Table")
    if not person.page.locator("details[open] >> text=Pause, step out").count():
        person.page.get_by_text("Pause, step out, resign").click()
    person.page.get_by_role("button", name=button).click()
    person.page.keyboard.press("Escape")


def test_a_pause_needs_both_and_ends_by_one(pair):
    ada, ben, _ = pair(clock={"kind": "per_move", "seconds": 86400})
    leave(ada, "Ask for a pause")
    ben.page.get_by_text("would like a pause").wait_for()
    ben.page.get_by_role("button", name="Agree").click()
    ada.page.get_by_role("button", name="Play on").wait_for()
    assert ada.page.locator(".seats .deadline").count() == 0
    ada.page.get_by_role("button", name="Play on").click()
    ben.page.locator(".banner.mine").wait_for()
    ben.page.locator(".banner .deadline").wait_for()


def test_a_bot_plays_on_until_somebody_returns(pair):
    ada, ben, _ = pair()
    leave(ada, "Let a bot play for me")
    ada.page.get_by_text("Somebody else plays for you").wait_for()
    ben.page.get_by_text("a bot plays on").wait_for()
    ada.page.get_by_role("button", name="Take my seat back").click()
    ada.page.get_by_text("Somebody else plays for you").wait_for(state="detached")


def test_they_give_up_together_and_play_again(pair):
    ada, ben, match = pair()
    leave(ada, "Offer to end it")
    ben.page.get_by_text("would like to end the match").wait_for()
    ada.page.get_by_role("button", name="Take it back").click()
    ben.page.get_by_text("would like to end the match").wait_for(state="detached")
    leave(ada, "Offer to end it")
    ben.page.get_by_role("button", name="Agree").click()
    ada.page.get_by_text("Abandoned by agreement.").wait_for()
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_url(re.compile(rf"/matches/(?!{match})"))
    ben.page.get_by_text("Abandoned by agreement.").wait_for()
    ben.page.get_by_role("button", name="ematch").click()
    ben.page.wait_for_url(ada.page.url)
    ben.page.locator(".tt-hand").wait_for()
    ada.page.locator(".tt-hand").wait_for()


def test_a_new_match_has_a_clock_that_everybody_sees(people):
    ada, ben = people("Ada"), people("Ben")
    ada.call("PATCH", "/me", {"tz": "Asia/Tokyo"})
    page = ada.page
    page.goto("/new?game=tides-of-time")
    page.get_by_label("Seat 2").select_option("open")
    page.get_by_label("Time for every turn").check()
    page.get_by_label("Time for a turn").select_option("86400")
    page.get_by_label("When time is up").select_option("resign")
    page.get_by_label("Show the match to everybody").uncheck()
    page.get_by_role("button", name="Open the table").click()
    page.get_by_text("1 day for every turn. Who runs out of time has resigned.").wait_for()
    ben.page.goto(page.get_by_label("Invitation link").input_value())
    ben.page.get_by_role("button", name="Sit down").click()
    left = page.locator(".banner .deadline")
    left.wait_for()
    assert re.search("in 2[34] hours", left.inner_text())
    at = left.get_attribute("datetime")
    hour = page.evaluate(
        """(at) => new Date(at).toLocaleTimeString("en-GB",
          {timeZone: "Asia/Tokyo", hour: "numeric", minute: "2-digit"})""",
        at,
    )
    assert hour in left.inner_text()  # in her own time zone, wherever the browser thinks it is
    match = ada.call("GET", "/me/turns")["items"][0]
    assert match["match"]["listed"] is False
    page.goto("/")
    page.locator(".match.urgent .deadline").wait_for()


def test_a_bank_of_time_and_options_of_the_game(people):
    ada = people("Ada")
    page = ada.page
    page.goto("/new?game=babylonia")
    page.get_by_label("A bank of time").check()
    page.get_by_label("The bank").select_option("3600")
    page.get_by_label(re.compile("^More for every turn")).select_option("60")
    page.get_by_role("button", name="+ Seat").click()
    page.get_by_label("Seat 3").select_option("bot:random")
    page.get_by_role("button", name="Open the table").click()
    page.locator(".board-babylonia").wait_for()
    ada.tab("Table")
    page.get_by_text("A bank of 1 hour, 1 minute more for every turn.").wait_for()
    page.locator(".seats .deadline").first.wait_for()


def test_who_opened_a_table_of_bots_stops_it(people):
    ada, ben = people("Ada"), people("Ben")
    ada.call("POST", "/me/claim", {"password": "a long password"})
    seats = [{"kind": "bot", "bot": "search:2s"}] * 5
    match = ada.call("POST", "/matches", {"game": "world-wonders", "seats": seats})["id"]
    for person in (ben, ada):
        person.page.on("dialog", lambda dialog: dialog.accept())
        person.page.goto(f"/matches/{match}")
        person.page.locator(".board").wait_for()
        person.tab("Table")
    assert ben.page.get_by_role("button", name="Stop these bots").count() == 0
    stop = ada.page.get_by_role("button", name="Stop these bots")
    stop.click()
    stop.wait_for(state="detached")
    assert ada.call("GET", f"/matches/{match}")["result"]["how"] == "abandoned"
