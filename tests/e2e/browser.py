"""A real browser for tests and screenshots, and people who sit in front of it."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome")
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
NEEDED = "TURNLOG_NEED_BROWSER"  # set where a missing browser is an error, not a reason to skip


def missing() -> str:
    """Why there is no browser here; empty if there is one."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return "" if _path() else f"none of {', '.join(NAMES)} is on the PATH"


def needed() -> bool:
    return bool(os.environ.get(NEEDED))


def _path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def browsers() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_path(), args=FLAGS)
        yield browser
        browser.close()


class Person:
    """Somebody with a browser of their own; what the page complains about is kept."""

    def __init__(self, browser: Any, url: str, **context: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": DESK, "locale": "en-GB", "base_url": url, "reduced_motion": "reduce", **context}
        )
        self.context.set_default_timeout(60_000)  # bots and a browser on a busy machine
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def close(self) -> None:
        self.page.unroute_all(behavior="ignoreErrors")  # an answer may still be under way
        self.context.close()

    def enter(self, name: str) -> None:
        """Become a guest, by clicking."""
        self.page.goto("/sign-in")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.page.get_by_role("heading", name=f"Hello, {name}").wait_for()

    def join(self, name: str) -> None:
        """The same without the clicks: most tests begin elsewhere. A bare file gives the page its origin."""
        account = {"name": name, "session": True, "locale": "en"}
        answer = self.context.request.post("/api/accounts", data=account)
        assert answer.status == 201, answer.text()
        self.page.goto("/static/icon.svg")

    def keep(self, **choices: str) -> None:
        """Choices that this browser remembers: `ask="off"` sends without a confirming tap."""
        for name, value in choices.items():
            self.page.evaluate("([k, v]) => localStorage.setItem(k, v)", [f"turnlog.{name}", value])

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """A request as the page itself would make it."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
              const token = (document.cookie.match(/turnlog_csrf=([^;]+)/) || [])[1] || "";
              const headers = {"Content-Type": "application/json", "X-CSRF-Token": token};
              const sent = {method, headers, body: body && JSON.stringify(body)};
              return (await fetch("/api" + path, sent)).json();
            }""",
            [method, path, body],
        )

    def tab(self, name: str) -> None:
        """Log, Chat or Table: beside the board, or in the drawer where there is no room."""
        opener = self.page.locator(".drawer-open")
        opener.wait_for(state="attached")  # a page that has just been loaded has neither drawer nor tabs yet
        if opener.is_visible() and not self.page.locator(".drawer.open").count():
            opener.click()
        self.page.get_by_role("tab", name=name).click()

    def open_match(self, game: str, bots: list[str], **more: Any) -> str:
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
        match = self.call("POST", "/matches", {"game": game, "seats": seats, **more})
        assert "id" in match, json.dumps(match)
        return str(match["id"])

    def too_wide(self) -> list[str]:
        """What sticks out at the right, if the page scrolls sideways once everything has found its place."""
        for _ in range(50):
            found = self._sticking_out()
            if not found:
                break
            self.page.wait_for_timeout(100)
        return found

    def _sticking_out(self) -> list[str]:
        found: list[str] = self.page.evaluate(
            """() => {
              const { scrollWidth, clientWidth } = document.documentElement;
              if (scrollWidth <= clientWidth) return [];
              const out = (element) => element.getBoundingClientRect().right > clientWidth + 1;
              const clips = (element) => element && element !== document.body
                && (getComputedStyle(element).overflowX !== "visible" || clips(element.parentElement));
              const seen = (element) => out(element) && !clips(element.parentElement);
              const found = [...document.querySelectorAll("body *")].filter(seen).slice(0, 5);
              return found.map((element) => element.outerHTML.slice(0, 120));
            }"""
        )
        return found
