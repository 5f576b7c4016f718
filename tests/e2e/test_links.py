"""Links that arrive from outside: a seat to take over, for somebody who was never here."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


def test_a_substitute_opens_the_link_and_plays_on(people):
    ada, bob, eve = people("Ada"), people("Bob"), people()
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ada.call("POST", "/matches", {"game": "tides-of-time", "seats": seats})["id"]
    bob.call("POST", f"/matches/{match}/seats/1", {})
    bob.call("POST", f"/matches/{match}/seats/1/leave")
    link = bob.call("POST", f"/matches/{match}/seats/1/invite")["invite"]
    eve.page.goto("/matches" + link.partition("/matches")[2])
    eve.page.get_by_text("you are asked to play on for Bob").wait_for()
    eve.page.get_by_role("button", name="Take the seat").click()
    eve.page.locator(".board").wait_for()
    for person in (eve, ada):  # what a substitute gets to see is said to everybody at the table
        person.page.goto(f"/matches/{match}")
        person.page.get_by_text("A substitute sees everything that the seat sees").wait_for()
    assert eve.call("GET", f"/matches/{match}")["you"] == 1
