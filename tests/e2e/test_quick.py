"""A table over a far line: how much is asked for, and how soon it can be used.

Requests are judged; times are printed (`pytest -s`), because they tell as much of the machine as of the page.
"""

from __future__ import annotations

import sys
import time

import pytest

from tests.folders import having

pytestmark = pytest.mark.browser
MAX_REQUESTS = 15  # of a table that was never seen before, until it can be used
FETCHED = """() => performance.getEntriesByType("resource")
  .filter((one) => one.name.includes("/static/") && one.transferSize > 0).map((one) => one.name)"""
USABLE = ".board .can, .outcome"


def far_away(person, ms):
    """From now on every answer takes so long to come."""
    line = person.context.new_cdp_session(person.page)
    line.send("Network.enable")
    speed = {"downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", {"offline": False, "latency": ms, **speed})


def seconds_until_usable(person, path):
    began = time.monotonic()
    person.page.goto(path, wait_until="commit")
    person.page.locator(USABLE).first.wait_for()
    return time.monotonic() - began


def first_paint(person):
    entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
    return person.page.evaluate(entry) / 1000


@pytest.mark.parametrize("game", having("ui/board.js"))
def test_a_table_needs_few_requests(people, game):
    host = people("Ada")
    match = host.open_match(game, ["random"])
    cookies = host.context.cookies()
    for ms in (150, 400):
        guest = people()
        guest.context.add_cookies(cookies)
        far_away(guest, ms)
        guest.page.goto("about:blank")
        cold = seconds_until_usable(guest, f"/matches/{match}")
        asked, paint = list(guest.requests), first_paint(guest)
        warm = seconds_until_usable(guest, f"/matches/{match}")
        again = [url for url in guest.requests[len(asked) :] if "/static/" in url]
        told = f"{len(asked)} requests, paint {paint:.2f} s, cold {cold:.2f} s, warm {warm:.2f} s"
        sys.stdout.write(f"{game}, {ms} ms: {told}\n")
        assert len(asked) <= MAX_REQUESTS, "\n".join(asked)
        assert len(asked) == len(set(asked)), "something was asked for twice"
        assert again, "a page that is loaded again names its files"
        assert guest.page.evaluate(FETCHED) == [], "what never changes was fetched again"
