"""The sixth game in a real browser: opened, played against greedy on the generic board, replayed, read."""

from __future__ import annotations

import pytest

from tests.e2e.browser import PHONE
from tests.e2e.clicking import LISTED, play_out
from tests.e2e.test_pages import settle, violations
from tests.sixth.registered import KEY

pytestmark = pytest.mark.browser


def test_it_is_opened_from_the_form_and_played_to_its_end(people):
    ada = people("Ada")
    settle(ada.page, f"/new?game={KEY}")
    ada.page.get_by_text("Points that win").wait_for(state="attached")
    match = ada.open_match(KEY, ["greedy"], options={"goal": 12})
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".generic").wait_for()
    cards = ada.page.locator(".generic .card")
    assert cards.count() == 3  # the seats by the shape of the view, and the table
    assert "banked 0" in cards.first.inner_text().replace("\n", " ")
    assert violations(ada.page) == []
    play_out(ada.page, 1, LISTED)
    assert ada.page.locator(".outcome .totals li").count() == 2
    assert ada.call("GET", f"/matches/{match}/verify")["holds"]
    settle(ada.page, f"/matches/{match}/replay#4")
    ada.page.locator(".generic").wait_for()
    assert violations(ada.page) == []


def test_czech_readers_get_their_page_and_the_games_english(people):
    jana = people("Jana", viewport=PHONE, locale="cs-CZ")
    jana.keep(ask="off")
    match = jana.open_match(KEY, ["greedy"])
    settle(jana.page, f"/matches/{match}")
    jana.page.get_by_role("button", name="Přepnout do češtiny").click()
    jana.page.get_by_text("Jsi na tahu.").first.wait_for()
    jana.page.get_by_role("button", name="Roll").click()
    jana.page.get_by_text("rolls").first.wait_for(state="attached")
    assert jana.too_wide() == []
    settle(jana.page, f"/rules/{KEY}#PG-5")
    jana.page.locator(".rules [lang=en] #PG-5").wait_for()
    assert jana.page.get_by_role("heading", name="2. A turn").is_visible()
    assert jana.too_wide() == []
    assert violations(jana.page) == []
