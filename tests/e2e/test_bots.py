"""My bots: registered, seen and turned off on the page, and given a seat in a new match."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def ada(people):
    ada = people("Ada")
    ada.page.on("dialog", lambda dialog: dialog.accept())
    return ada


def register(person, name):
    page = person.page
    page.goto("/settings")
    page.get_by_text("My bots").last.click()
    page.get_by_label("Name of the bot").fill(name)
    page.get_by_label("Turns at once").fill("2")
    page.get_by_role("button", name="Register").click()
    return page.get_by_label("Token of the bot").input_value()


def test_a_bot_is_registered_watched_and_taken_away(ada, house):
    name = f"deep-{ada.call('GET', '/me')['id'][:6].lower().strip('-_')}"
    token = register(ada, name)
    page = ada.page
    bot = page.locator("#bots .channel", has_text=name)
    bot.get_by_text("not used yet").wait_for()
    assert house.call("GET", "/api/bot/turns?wait=0", token=token).status == 200
    page.goto("/settings")
    page.get_by_text("My bots").last.click()
    bot.get_by_text("Seen").wait_for()
    bot.get_by_role("button", name="New token").click()
    fresh = bot.get_by_label("Token of the bot").input_value()
    assert fresh != token
    bot.get_by_role("button", name="Turn off").click()
    bot.get_by_text("turned off").wait_for()
    bot.get_by_role("button", name="Remove").click()
    bot.wait_for(state="detached")


def test_a_bot_gets_a_seat_in_a_new_match(ada):
    name = f"blue-{ada.call('GET', '/me')['id'][:6].lower().strip('-_')}"
    register(ada, name)
    page = ada.page
    page.goto("/new?game=tides-of-time")
    page.get_by_label("Seat 2").select_option("remote")
    page.get_by_label("Remote bot for seat 2").select_option(name)
    page.get_by_role("button", name="Open the table").click()
    page.locator(".tt-hand").wait_for()
    page.locator(".seats").get_by_text(name, exact=False).wait_for()
