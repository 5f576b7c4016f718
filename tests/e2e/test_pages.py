"""The pages around the tables: languages, sizes, keyboards, weight, and what axe-core says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import registry
from tests.e2e.browser import PHONE
from tests.folders import having

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.0.min.js").read_text(encoding="utf-8")
PAGES = (
    "/",
    "/new",
    "/sign-in",
    "/recovery/abc",
    "/settings",
    "/leaderboard",
    "/archive",
    "/players/bot:greedy",
    "/rules",
    "/rules/tides-of-time",
)
LIGHT_KB = 200
# What is folded away is part of the page; only bots are looked up when they are unfolded.
UNFOLD = "() => document.querySelectorAll('details:not(#bots *)').forEach((one) => (one.open = true))"


def settle(page, path):
    page.goto(path)
    page.locator("h1").first.wait_for()
    page.wait_for_load_state("networkidle")


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        (one["id"], node["html"][:160])
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_pages(people, scheme):
    ada = people("Ada", color_scheme=scheme)
    found = {}
    for path in PAGES:
        settle(ada.page, path)
        ada.page.evaluate(UNFOLD)
        found[path] = violations(ada.page)
    seats = [{"kind": "me"}, {"kind": "invite"}]
    lobby = ada.call("POST", "/matches", {"game": "tides-of-time", "seats": seats})["id"]
    ada.call("POST", f"/matches/{lobby}/chat", {"text": "hello"})
    settle(ada.page, f"/matches/{lobby}")
    found["lobby"] = violations(ada.page)
    assert {path: broken for path, broken in found.items() if broken} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_at_the_tables(people, scheme):
    ada = people("Ada", color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for game in registry.GAMES:
        match = ada.open_match(game, ["random"])
        settle(ada.page, f"/matches/{match}")
        ada.page.locator(".board").wait_for()
        found[game] = violations(ada.page)
    settle(ada.page, f"/matches/{match}/replay")
    found["replay"] = violations(ada.page)
    assert {name: broken for name, broken in found.items() if broken} == {}


def test_nothing_is_wider_than_a_phone(people):
    ada = people("Ada", viewport=PHONE)
    for path in (*PAGES, *(f"/rules/{game}" for game in registry.GAMES)):
        settle(ada.page, path)
        assert ada.too_wide() == [], path
    for game in registry.GAMES:
        seats = ["random"] * ((len(registry.game(game).players) > 1 and 2) or 1)
        match = ada.open_match(game, seats)
        settle(ada.page, f"/matches/{match}")
        ada.page.locator(".board").wait_for()
        assert ada.too_wide() == [], game


def test_the_language_follows_the_browser_and_can_be_switched(people):
    jana = people(locale="cs-CZ")
    settle(jana.page, "/")
    assert "Deskové hry" in jana.page.locator("h1").inner_text()
    jana.page.get_by_role("button", name="Switch to English").click()
    jana.page.get_by_role("heading", name="Board games").wait_for()
    jana.enter("Jana")
    match = jana.open_match("tides-of-time", ["greedy"])
    settle(jana.page, f"/matches/{match}")
    jana.page.get_by_role("button", name="Přepnout do češtiny").click()
    jana.page.get_by_text("Jsi na tahu.").wait_for()
    jana.page.get_by_text("si bere").first.wait_for()  # what happened, too
    jana.page.reload()
    jana.page.get_by_text("Jsi na tahu.").wait_for()


def told(page, lang):
    """The ids of chapters and rules that can be linked to, once the text is there in that language."""
    page.locator(f".rules [lang={lang}]").wait_for()
    ids = page.eval_on_selector_all(".rules [lang] [id]", "found => found.map((one) => one.id)")
    return [one for one in ids if re.fullmatch(r"section-[\d-]+|[A-Z]{2}-\w+", one)]


@pytest.mark.parametrize("game", having("rules.cs.md"))
def test_the_rules_are_told_in_both_languages_under_the_same_ids(people, game):
    jana = people(locale="cs-CZ", viewport=PHONE)
    settle(jana.page, f"/rules/{game}")
    czech = told(jana.page, "cs")
    assert czech
    first, *_ = jana.page.locator(".rules [lang=cs] h2").all_inner_texts()
    assert jana.too_wide() == []
    cited = jana.page.eval_on_selector_all(
        ".rules a[href^='#']", "found => found.map((one) => one.hash.slice(1))"
    )
    assert set(cited) - {"components"} <= set(czech)
    jana.page.get_by_role("button", name="Switch to English").click()
    assert told(jana.page, "en") == czech
    assert first not in jana.page.locator(".rules [lang=en] h2").all_inner_texts()


def test_a_link_to_a_rule_leads_to_it_in_czech_too(people):
    jana = people(locale="cs-CZ")
    settle(jana.page, "/rules/babylonia#BA-53")
    jana.page.locator("#BA-53").wait_for()
    assert "Body za destičky měst" in jana.page.locator("#BA-53").inner_text()
    jana.page.wait_for_function(
        "() => Math.abs(document.getElementById('BA-53').getBoundingClientRect().top) < 200"
    )
    assert violations(jana.page) == []


def test_a_guest_claims_the_account_and_signs_in_again(people):
    eve = people("Eve")
    settle(eve.page, "/settings")
    eve.page.get_by_label("New password").fill("correct horse")
    eve.page.get_by_role("button", name="Set the password").click()
    eve.page.get_by_text("You are signed in as").wait_for()
    name = eve.call("GET", "/me")["name"]
    eve.page.get_by_role("button", name="Sign out", exact=True).click()
    eve.page.get_by_role("link", name="Sign in").first.click()
    eve.page.get_by_label("Name", exact=True).first.fill(name)
    eve.page.get_by_label("Password").fill("correct horse")
    eve.page.get_by_role("button", name="Sign in").click()
    eve.page.get_by_role("heading", name=f"Hello, {name}").wait_for()


def test_the_first_view_is_light_and_asks_nobody_else(people, house):
    ada = people()
    weights = []
    ada.page.on("response", lambda answer: weights.append(answer.request.sizes()["responseBodySize"]))
    settle(ada.page, "/")
    assert all(url.startswith(house.url) for url in ada.requests)
    assert sum(weights) < LIGHT_KB * 1024


def test_a_move_needs_no_mouse(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    settle(ada.page, f"/matches/{match}")
    ada.page.locator(".tt-hand .can").first.focus()
    ada.page.keyboard.press("Enter")
    for _ in range(30):
        ada.page.keyboard.press("Tab")
        if ada.page.evaluate("document.activeElement.innerText") == "Confirm":
            break
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function("() => document.querySelectorAll('.tt-hand .tt-card').length === 4")


def test_the_theme_can_be_switched_and_stays(people):
    ada = people("Ada")
    settle(ada.page, "/")
    ada.page.get_by_role("button", name="Switch the theme").click()
    ada.page.get_by_role("button", name="Switch the theme").click()
    ada.page.reload()
    ada.page.locator("h1").wait_for()
    assert ada.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_keyboard_keeps_its_place_after_an_action(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    settle(ada.page, f"/matches/{match}")
    ada.page.locator(".tt-hand .can").first.focus()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("button", name="Confirm").focus()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function("() => document.activeElement.matches('.board')")
    ada.page.keyboard.press("Tab")
    assert ada.page.evaluate("document.activeElement.closest('.board') !== null")


def test_a_full_stand_of_tokens_stays_on_a_phone(people):
    ada = people("Ada", viewport=PHONE)
    match = ada.open_match("babylonia", ["random"])
    settle(ada.page, f"/matches/{match}")
    ada.page.locator(".ba-stand .ba-piece").first.wait_for()
    ada.page.evaluate(
        """() => {
          const [piece] = document.querySelectorAll(".ba-stand .ba-piece");
          while (piece.parentNode.children.length < 5) piece.parentNode.append(piece.cloneNode(true));
        }"""
    )
    assert ada.too_wide() == []
