"""Without a line: the page opens, what was read is there, what was chosen goes out later."""

from __future__ import annotations

import pytest

from tests.e2e.browser import PHONE
from tests.e2e.test_pages import violations

pytestmark = pytest.mark.browser
KEPT = """async () => {
  const all = await (await caches.open("turnlog-answers")).keys();
  return all.map((one) => new URL(one.url).pathname);
}"""
WORKS = "() => navigator.serviceWorker.controller?.state === 'activated'"


def seen_before(person, match):
    """Somebody who was here, and whose browser keeps the page."""
    page = person.page
    page.goto("/")
    page.get_by_role("heading", name="waits for you").wait_for()
    page.goto(f"/matches/{match}")
    page.locator(".tt-hand .can").first.wait_for()
    page.wait_for_function(WORKS, timeout=60_000)
    page.reload()
    page.locator(".tt-hand .can").first.wait_for()


def choose(page):
    page.locator(".tt-hand .can").first.click()
    page.get_by_role("button", name="Confirm").click()


def without_a_line(person):
    person.context.set_offline(True)
    person.page.goto(person.page.url)
    person.page.get_by_text("No connection. You see what was here last").wait_for()
    person.page.locator(".tt-hand .can").first.wait_for()


def test_an_action_chosen_without_a_line_is_sent_with_the_next_one(people):
    ada = people("Ada", viewport=PHONE)
    match = ada.open_match("tides-of-time", ["greedy"])
    seen_before(ada, match)
    before = ada.call("GET", f"/matches/{match}")["seq"]
    without_a_line(ada)
    assert violations(ada.page) == []
    choose(ada.page)
    ada.page.get_by_text("Your action is kept").wait_for()
    ada.page.goto("/")  # another page, and the action still waits
    ada.page.get_by_role("heading", name="waits for you").wait_for()
    ada.context.set_offline(False)
    ada.page.get_by_text("What you chose without a connection was sent.").wait_for()
    assert ada.call("GET", f"/matches/{match}")["seq"] > before
    assert ada.page.evaluate("localStorage.getItem('turnlog.queue')") == "[]"
    ada.complaints.clear()  # of the browser, about the missing line


def test_an_action_that_is_too_late_is_not_sent_but_said(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    seen_before(ada, match)
    without_a_line(ada)
    choose(ada.page)
    ada.page.get_by_text("Your action is kept").wait_for()
    # The same person, elsewhere, plays on: cookies are those of this browser, the line is not.
    now = ada.context.request.get(f"/api/matches/{match}").json()
    token = next(one["value"] for one in ada.context.cookies() if one["name"] == "turnlog_csrf")
    for _ in range(3):
        body = {"seq": now["seq"], "action": now["legal"][0]}
        sent = ada.context.request.post(
            f"/api/matches/{match}/actions", data=body, headers={"X-CSRF-Token": token}
        )
        now = sent.json() if sent.ok else ada.context.request.get(f"/api/matches/{match}").json()
    ada.context.set_offline(False)
    ada.page.get_by_text("the match has moved on").wait_for()
    ada.complaints.clear()


def test_signing_out_leaves_nothing_behind(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".board").wait_for()
    ada.page.wait_for_function(f"async () => (await ({KEPT})()).includes('/matches/{match}')")
    ada.page.goto("/settings")
    ada.page.on("dialog", lambda dialog: dialog.accept())
    ada.page.get_by_role("button", name="Sign out", exact=True).click()
    ada.page.get_by_role("heading", name="Board games").wait_for()
    assert not [path for path in ada.page.evaluate(KEPT) if match in path or path == "/me"]


def test_the_title_counts_the_tables_that_wait(people):
    ada = people("Ada")
    for _ in range(2):
        ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto("/")
    ada.page.wait_for_function("() => document.title === '(2) Turnlog'")
    ada.page.get_by_role("link", name="Rules", exact=True).first.click()
    ada.page.wait_for_function("() => document.title === '(2) Rules · Turnlog'")


def test_the_page_can_be_installed(people):
    ada = people()
    ada.page.goto("/")
    manifest = ada.context.request.get(ada.page.locator("link[rel=manifest]").get_attribute("href")).json()
    for icon in manifest["icons"]:
        assert ada.context.request.get(icon["src"]).ok, icon
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert "maskable" in {icon.get("purpose") for icon in manifest["icons"]}
