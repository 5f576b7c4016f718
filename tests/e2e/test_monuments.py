"""The point of World Wonders: a person buys a monument and places it, and the board goes on."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from bots import greedy
from engine import registry
from tests.e2e.browser import PHONE

pytestmark = pytest.mark.browser
GAME = registry.game("world-wonders")
MATCHES = 4  # a match without a single monument is rare; so many in a row are a defect
CHOSEN = "Chosen action"


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
def test_every_monument_of_a_match_is_placed_by_a_person(people, viewport):
    """WW-70 to WW-76 by clicking; whatever else a turn asks for is sent without the page."""
    ada = people("Ada", **({"viewport": viewport} if viewport else {}))
    placed = 0
    for _ in range(MATCHES):
        placed += _played(ada)
        if placed:
            break
    assert placed > 0


def _played(ada) -> int:
    """One match alone against the automaton; how many monuments it took."""
    made = ada.call("POST", "/matches", {"game": "world-wonders", "seats": [{"kind": "me"}]})
    ada.page.goto(f"/matches/{made['id']}")
    placed, rng = 0, Random(1)
    while (match := ada.call("GET", f"/matches/{made['id']}"))["status"] == "running":
        wanted = next((a for a in match["legal"] if a.get("item") == "monument"), None)
        if wanted is None:
            _send(ada, match, _greedy(match, rng))
        else:
            _place_by_hand(ada, made["id"], match, wanted["card"])
            placed += 1
    return placed


def _greedy(match, rng):
    action = greedy.choose(
        GAME,
        msgspec.convert(match["view"], GAME.View),
        match["you"],
        [msgspec.convert(action, GAME.Action) for action in match["legal"]],
        rng,
    )
    return msgspec.to_builtins(action)


def _send(ada, match, action):
    answer = ada.call("POST", f"/matches/{match['id']}/actions", {"seq": match["seq"], "action": action})
    assert "seq" in answer, answer


def _place_by_hand(ada, ident, match, card):
    page = ada.page
    _seen(page, match["seq"])
    page.locator(f'.ww-item.can[data-card="{card}"]').click()
    _confirm(page)
    while _placing(match := ada.call("GET", f"/matches/{ident}")):
        _seen(page, match["seq"])
        page.locator(".ww-own .ww-can").first.click()
        page.locator(".ww-ghost").wait_for()
        _confirm(page)
    _seen(page, match["seq"])
    assert page.locator(".ww").count() == 1, "the board is gone"


def _placing(match):
    return match["view"]["purchase"] is not None and any(a["type"] == "place" for a in match["legal"])


def _seen(page, seq):
    page.locator(f'.table[data-seq="{seq}"][aria-busy="false"]').wait_for()


def _confirm(page):
    seq = int(page.locator(".table").get_attribute("data-seq"))
    page.get_by_role("region", name=CHOSEN).get_by_role("button", name="Confirm").click()
    page.wait_for_function(
        "(seq) => Number(document.querySelector('.table').dataset.seq) > seq"
        " && document.querySelector('.table[aria-busy=\"false\"]')",
        arg=seq,
    )
