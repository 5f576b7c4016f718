"""What a bot would do, the next table that waits, and what is heard at a table."""

from __future__ import annotations

import pytest

from engine import registry
from tests.e2e.browser import PHONE
from tests.e2e.test_pages import violations

pytestmark = pytest.mark.browser
HEARD = "window.addEventListener('turnlog:sound', (one) => (window.heard ||= []).push(one.detail))"


def test_a_bot_says_what_it_would_do_and_why(people):
    """In every game. The match says that it is assisted; before that one is asked whether one means it."""
    ada = people("Ada", viewport=PHONE)
    asked = []
    ada.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    for game in registry.GAMES:
        match = ada.open_match(game, ["greedy"])
        ada.page.goto(f"/matches/{match}")
        ada.page.locator(".hint-key").click()
        ada.page.locator(".sheet .why").get_by_text("Medium bot would do this.").wait_for()
        advice = ada.call("GET", f"/matches/{match}/hint")["advice"]
        assert advice["offers"], game
        assert ada.call("GET", f"/matches/{match}")["assisted"] is True
        assert ada.too_wide() == []
        ada.page.get_by_role("button", name="Confirm").click()
        ada.page.locator(".sheet .why").wait_for(state="detached")
    assert len(asked) == len(registry.GAMES)
    assert all("not count for ratings" in one for one in asked)
    assert violations(ada.page) == []


def test_nobody_is_helped_against_people(people):
    ada, ben = people("Ada"), people("Ben")
    match = ada.call("POST", "/matches", {"game": "babylonia", "seats": [{"kind": "me"}, {"kind": "open"}]})[
        "id"
    ]
    ben.call("POST", f"/matches/{match}/seats/1", {})
    for person in (ada, ben):
        person.page.goto(f"/matches/{match}")
        person.page.locator(".sheet").wait_for()
        assert person.page.locator(".hint-key").count() == 0


def test_the_next_table_is_one_tap_away_and_comes_by_itself_if_wanted(people):
    ada, ben = people("Ada"), people("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    tables = [ada.call("POST", "/matches", {"game": "tides-of-time", "seats": seats})["id"] for _ in range(2)]
    for match in tables:
        ben.call("POST", f"/matches/{match}/seats/1", {})
    first, second = tables
    ada.page.goto(f"/matches/{first}")
    ada.page.locator(".tt-hand .can").first.click()
    ada.page.get_by_role("button", name="Confirm").click()
    ada.page.get_by_role("link", name="Next table: Tides of Time").click()
    ada.page.wait_for_url(f"**/matches/{second}")
    third = ada.call("POST", "/matches", {"game": "tides-of-time", "seats": seats})["id"]
    ben.call("POST", f"/matches/{third}/seats/1", {})
    ada.keep(onward="on")
    ada.page.reload()
    ada.page.locator(".tt-hand .can").first.click()
    ada.page.get_by_role("button", name="Confirm").click()
    ada.page.wait_for_url(f"**/matches/{third}")


def test_a_table_is_heard_by_who_wants_it(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["random"])
    ada.page.add_init_script(HEARD)
    ada.page.goto(f"/matches/{match}")
    for wanted in (False, True):
        if wanted:
            ada.tab("Table")
            ada.page.get_by_label("Sounds at the table").check()
            assert ada.page.evaluate("heard") == ["placed"]  # to try it
        ada.page.locator('.table[aria-busy="false"] .tt-hand .can').first.wait_for()
        ada.page.locator(".tt-hand .can").first.click()
        ada.page.get_by_role("button", name="Confirm").click()
        ada.page.get_by_role("button", name="Confirm").wait_for(state="detached")
        if not wanted:
            assert ada.page.evaluate("window.heard") is None
    ada.page.wait_for_function("() => heard.length > 1")
    assert set(ada.page.evaluate("heard")) <= {"placed", "turn", "points"}
    ada.tab("Table")
    ada.page.on("dialog", lambda dialog: dialog.accept())
    ada.page.get_by_text("Pause, step out, resign").click()
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.wait_for_function("() => heard.at(-1) === 'end'")


def test_taking_back_is_said_in_words(people):
    ada, ben = people("Ada"), people("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ada.call("POST", "/matches", {"game": "babylonia", "seats": seats})["id"]
    ben.call("POST", f"/matches/{match}/seats/1", {})
    by_seat = [ada, ben]
    first = by_seat[ada.call("GET", f"/matches/{match}")["to_act"][0]]
    other = ben if first is ada else ada
    now = first.call("GET", f"/matches/{match}")
    action = next(n for n, one in enumerate(now["legal"]) if one["type"] == "place")
    done = first.call(
        "POST", f"/matches/{match}/actions", {"seq": now["seq"], "action": now["legal"][action]}
    )
    said = now["labels"][action]  # such as "Priest on J6"
    first.page.goto(f"/matches/{match}")
    key = first.page.locator(".sheet .undo")
    key.wait_for()
    assert said in key.get_attribute("aria-label")
    other.call("POST", f"/matches/{match}/undo", {"seq": done["seq"], "to": now["seq"]})
    first.page.get_by_text("asks to take back").first.wait_for()
    assert said in first.page.locator(".asked").inner_text()
