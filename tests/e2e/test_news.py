"""Coming back to a table: what happened is marked on the board and told in words until I act."""

from __future__ import annotations

import pytest

from tests.e2e.browser import PHONE

pytestmark = pytest.mark.browser
# What marks the other's last action, by game; Machi Koro keeps the dice of every seat.
MARKS = {
    "akropolis": ".strip .ak-fresh",
    "babylonia": ".ba-hex.last",
    "machi-koro": ".strip .mk-threw .mk-die",
    "tides-of-time": ".tt-card.fresh",
    "world-wonders": ".strip .ww-fresh",
}


@pytest.mark.parametrize("game", MARKS)
def test_what_the_other_did_is_marked_and_told_when_one_comes_back(people, game):
    ada = people("Ada", viewport=PHONE)
    match = ada.open_match(game, ["greedy"])  # which never passes where it could build
    answered(ada, match)
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(MARKS[game]).first.wait_for()
    assert len(ada.page.locator(".news .said").all_inner_texts()) > 0
    ada.page.get_by_role("button", name="Play it back").click()
    ada.page.locator('.table[aria-busy="true"]').wait_for()
    ada.page.locator('.table[aria-busy="false"]').wait_for()


def answered(ada, ident):
    """I act once, the bot does, and I am asked again."""
    acted = False
    while True:
        match = ada.call("GET", f"/matches/{ident}")
        others = [e for e in _events(ada, ident) if e["kind"] == "acted" and e["seat"] != match["you"]]
        mine = match["you"] in match["to_act"]
        if acted and others and others[-1]["seq"] > acted and mine:
            return
        if mine:
            body = {"seq": match["seq"], "action": match["legal"][0]}
            answer = ada.call("POST", f"/matches/{ident}/actions", body)
            acted = answer.get("seq") or acted
        ada.page.wait_for_timeout(50)


def _events(ada, ident):
    return ada.page.evaluate(
        """async (id) => (await (await fetch(`/api/matches/${id}/events?limit=1000`)).text())
             .split("\\n").filter(Boolean).map(JSON.parse)""",
        ident,
    )


def test_nothing_to_take_back_is_not_offered(people):
    """Two people: what was taken back does not count as an action any more."""
    ada, bob = people("Ada"), people("Bob")
    made = ada.call(
        "POST", "/matches", {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
    )
    bob.call("POST", f"/matches/{made['id']}/seats/1", {})
    ada.page.goto(f"/matches/{made['id']}")
    match = ada.call("GET", f"/matches/{made['id']}")
    ada.call("POST", f"/matches/{made['id']}/actions", {"seq": match["seq"], "action": match["legal"][0]})
    back = ada.page.get_by_role("button", name="Take back")
    back.click()
    back.wait_for(state="detached")
    assert ada.page.get_by_role("button", name="Ask to take back").count() == 0


def test_tokens_of_babylonia_have_names(people):
    ada = people("Ada", viewport=PHONE)
    ada.page.goto(f"/matches/{ada.open_match('babylonia', ['random'])}")
    ada.page.locator(".ba-piece").first.wait_for()
    names = [one.get_attribute("aria-label") for one in ada.page.locator(".ba-piece").all()]
    assert all(any(letter.isalpha() for letter in name) for name in names)


def test_a_card_says_what_it_does_before_it_is_built(people):
    ada = people("Ada", viewport=PHONE)
    match = ada.open_match("machi-koro", ["random"], options={"first_seat": 0})
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".mk-card", has_text="Wheat Field").first.click()
    ada.page.locator(".action-bar .about", has_text="coin").wait_for()
