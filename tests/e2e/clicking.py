"""A person who knows no rules: clicks on whatever glows until the match is over."""

import random
from contextlib import suppress
from typing import Any

try:
    from playwright.sync_api import Error
except ImportError:  # then these tests are skipped
    Error = Exception  # type: ignore[assignment,misc]

READY = """() => document.querySelector(".outcome")
  || (document.querySelector(".banner.mine") && document.querySelector('.table[aria-busy="false"]'))"""
# Places in a drawing first: a chosen piece wants to be put down. Then pieces and cards, then plain buttons.
GLOWING = (".board svg .can", ".board .can:not(.chosen)", ".sheet .direct button")
LISTED = (".chooser .plain button", ".chooser .values button")
MAX_CLICKS = 1200


def play_out(page: Any, seed: int, selectors: tuple[str, ...] = GLOWING) -> int:
    """Click until the result shows; how many clicks it took."""
    clicks = play_on(page, seed, selectors, MAX_CLICKS)
    assert clicks < MAX_CLICKS, f"not over after {MAX_CLICKS} clicks"
    return clicks


def play_on(page: Any, seed: int, selectors: tuple[str, ...], most: int) -> int:
    """The same, but at most so many clicks."""
    rng = random.Random(seed)
    for clicks in range(most):
        page.wait_for_function(READY)
        if page.locator(".outcome").count():
            return clicks
        _click(page, rng, selectors)
    return most


def _click(page: Any, rng: random.Random, selectors: tuple[str, ...]) -> None:
    for selector in selectors:
        found = page.locator(selector)
        number = found.count()
        if number:
            # The bot may move between the look and the click: then the thing is gone, and we look again.
            with suppress(Error):
                found.nth(rng.randrange(number)).click(timeout=2000)
            return
    page.wait_for_timeout(20)
