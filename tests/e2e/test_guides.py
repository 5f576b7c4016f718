"""Learning a game: its guide in pictures, and a guided first match that becomes an ordinary one."""

from __future__ import annotations

import pytest

from engine import registry
from tests.e2e.browser import DESK, PHONE
from tests.e2e.test_pages import violations
from tests.folders import having

pytestmark = pytest.mark.browser
SIZES = {"phone": PHONE, "desk": DESK}
# Takes the first legal action like the lesson's, over the API: clicking boards is tested elsewhere.
ACT = """async ([id, part]) => {
  const token = document.cookie.match(/turnlog_csrf=([^;]+)/)[1];
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": token};
  const match = await (await fetch(`/api/matches/${id}?labels=0`)).json();
  const fits = (one) => Object.entries(part).every(([name, value]) => one[name] === value);
  const action = match.legal.find(fits) || match.legal[0];
  const body = JSON.stringify({seq: match.seq, action});
  return (await fetch(`/api/matches/${id}/actions`, {method: "POST", headers, body})).status;
}"""
MINE = """async (id) => {
  const match = await (await fetch(`/api/matches/${id}?labels=0`)).json();
  return match.status !== "running" || match.to_act.includes(match.you);
}"""

NEXT = """(seen) => {
  const title = document.querySelector(".lesson h2");
  return title && title.textContent !== seen;
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", having("guide.json"))
def test_a_guide_shows_the_boards_own_parts(people, key, size):
    otto = people(viewport=SIZES[size])
    otto.page.goto("/")
    name = registry.game(key).words.title("en")
    otto.page.get_by_role("link", name=f"How to play {name}").click()
    otto.page.locator(".guide-step").first.wait_for()
    steps = otto.page.locator(".guide-step").count()
    assert 5 <= steps <= 8
    for n in range(steps):
        box = otto.page.locator(".guide-step .picture").nth(n)
        assert box.locator("> :not(.cut)").count() >= 1
        drawn = box.bounding_box()
        assert drawn is not None
        assert drawn["height"] > 60
        assert box.evaluate(
            "(one) => one.innerText.trim() !== '' || one.querySelectorAll('svg *').length > 5"
        )
    assert otto.too_wide() == []
    assert violations(otto.page) == []
    otto.page.get_by_role("link", name="Exact rules").click()
    otto.page.get_by_role("heading", name=name).first.wait_for()
    assert otto.complaints == []


@pytest.mark.parametrize("key", having("guide.json"))
def test_a_first_match_is_guided_and_goes_on_without_the_guide(people, key):
    otto = people(viewport=PHONE)
    otto.page.goto(f"/guide/{key}")
    lessons = otto.page.evaluate(f"fetch('/api/games/{key}/guide').then((one) => one.json())")["lessons"]
    titles = {one["title"]: one for one in lessons}
    otto.page.locator(".guide-try button").click()
    bubble = otto.page.locator(".lesson")
    bubble.locator("h2").wait_for()
    ident = otto.page.url.rpartition("/")[2]
    # Of the bubble; boards at rest have their own tests.
    assert violations(otto.page) == []
    seen: list[str] = []
    for _ in range(5):
        otto.page.wait_for_function(MINE, arg=ident)
        otto.page.wait_for_function(NEXT, arg=seen[-1] if seen else "")
        title = bubble.locator("h2").inner_text()
        seen.append(title)
        part = next(iter(titles[title]["suggest"]), titles[title]["when"])
        assert otto.page.evaluate(ACT, [ident, part]) == 200
    assert seen[0] == lessons[0]["title"]
    assert len(set(seen)) == len(seen), "nothing is said twice"
    otto.page.reload()
    bubble.wait_for()  # a reload does not lose it
    bubble.get_by_role("button", name="Leave the guide").click()
    bubble.wait_for(state="detached")
    otto.page.reload()
    otto.page.locator(".board").wait_for()
    assert bubble.count() == 0
    way = otto.page.get_by_role("link", name="How to play").get_attribute("href")
    assert way == f"/guide/{key}?match={ident}"


def test_show_me_chooses_what_the_bubble_speaks_of(people):
    otto = people(viewport=PHONE)
    otto.page.goto("/")
    otto.page.get_by_role("button", name="Play now: Machi Koro").click()
    otto.page.locator(".lesson").get_by_role("button", name="Show me").click()
    otto.page.locator(".mk-card.chosen").wait_for()
    otto.page.get_by_role("button", name="Confirm").wait_for()
