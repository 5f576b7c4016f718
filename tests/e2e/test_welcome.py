"""First contact: from a stranger to a first move, and from an invitation to a seat."""

from __future__ import annotations

import pytest

from tests.e2e.browser import DESK, PHONE
from tests.e2e.test_pages import violations

pytestmark = pytest.mark.browser
NAMES = iter(f"Otto {number}" for number in range(10**6))
SIZES = {"phone": PHONE, "desk": DESK}


@pytest.mark.parametrize("size", SIZES)
def test_a_stranger_makes_a_first_move_and_is_asked_for_a_name_after_it(people, size):
    otto = people(viewport=SIZES[size])
    otto.page.goto("/")
    otto.page.get_by_role("heading", name="World Wonders").wait_for()
    assert violations(otto.page) == []
    assert otto.too_wide() == []
    otto.page.get_by_role("button", name="Play now: Tides of Time").click()  # the first tap
    otto.page.locator(".tt-hand .can").first.click()  # the second one chooses, and is confirmed
    assert otto.page.locator(".naming").count() == 0
    otto.page.get_by_role("button", name="Confirm").click()
    asked = otto.page.get_by_role("dialog", name="What shall we call you")
    asked.wait_for()
    assert violations(otto.page) == []
    name = next(NAMES)
    asked.get_by_label("Your name").fill(name)
    asked.get_by_label("Your name").press("Enter")
    asked.wait_for(state="detached")
    otto.page.get_by_role("link", name=name).wait_for()
    assert otto.call("GET", "/me")["name"] == name
    otto.page.goto("/")
    otto.page.get_by_role("heading", name="table waits for you").wait_for()


def test_an_invitation_needs_one_step(people):
    ada, guest = people("Ada", viewport=PHONE), people(viewport=PHONE, locale="cs-CZ")
    seats = [{"kind": "me"}, {"kind": "invite"}]
    match = ada.call("POST", "/matches", {"game": "babylonia", "seats": seats})
    name = ada.call("GET", "/me")["name"]
    ada.page.goto(f"/matches/{match['id']}")
    ada.page.get_by_text("Code for the camera").click()
    ada.page.get_by_role("img", name="Code for the camera").wait_for()
    assert violations(ada.page) == []
    guest.page.goto("/matches" + match["invite"].partition("/matches")[2])
    guest.page.get_by_role("heading", name=f"{name} tě zve na hru Babylonia").wait_for()
    guest.page.get_by_role("button", name="Přisednout").click()
    guest.page.locator(".board").wait_for()
    assert guest.call("GET", f"/matches/{match['id']}")["you"] == 1
    ada.page.locator(".board").wait_for()


def test_whoever_watches_is_told_so_and_who_reads_what(people):
    ada, eve = people("Ada"), people()
    match = ada.open_match("tides-of-time", ["greedy"])
    eve.page.goto(f"/matches/{match}")
    eve.page.get_by_text("You are watching.").wait_for()
    eve.page.get_by_text("Whoever watches this match can read").first.wait_for()
    ada.page.goto("/new")
    ada.page.get_by_text("Anybody may watch this match and read its chat").wait_for()
    ada.page.get_by_label("Show the match to everybody").uncheck()
    ada.page.get_by_text("Only those at the table").wait_for()
    assert violations(ada.page) == []


def test_a_guest_is_told_how_to_keep_the_name_when_there_is_something_to_keep(people):
    """At the end of a match and on the first page after it; nobody else is bothered."""
    ada, eve = people("Ada", viewport=PHONE), people()
    match = ada.open_match("tides-of-time", ["random"])
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".board").wait_for()
    assert ada.page.get_by_role("link", name="Set a password").count() == 0
    ada.call("DELETE", f"/matches/{match}/seats/0")
    ada.page.get_by_role("link", name="Set a password").wait_for()
    eve.page.goto(f"/matches/{match}")
    eve.page.locator(".outcome").wait_for()
    assert eve.page.get_by_role("link", name="Set a password").count() == 0
    ada.page.goto("/")
    ada.page.get_by_role("link", name="Set a password").click()
    ada.page.wait_for_url("**/settings#account")
    assert violations(ada.page) == []
