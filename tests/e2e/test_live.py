"""Two people at one table, reloads, lost connections, and looking back."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.clicking import play_out

pytestmark = pytest.mark.browser


def confirm(person) -> None:
    """Choose the first card of the hand; in the keep step, two."""
    person.page.locator(".tt-hand .can:not(.chosen)").first.click()
    if person.page.get_by_role("button", name="Confirm").count() == 0:
        person.page.locator(".tt-hand .can:not(.chosen)").first.click()
    person.page.get_by_role("button", name="Confirm").click()
    person.page.wait_for_function(
        "() => !document.querySelector('.sheet .main') || document.querySelector('.outcome')"
    )


def test_two_people_play_and_see_each_other_without_reload(people):
    ada, ben = people("Ada"), people("Ben")
    ada.page.goto("/new?game=tides-of-time")
    ada.page.get_by_label("Seat 2").select_option("invite")
    ada.page.get_by_role("button", name="Open the table").click()
    link = ada.page.get_by_label("Invitation link").input_value()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Sit down").click()
    ada.page.locator(".tt-hand").wait_for()  # she is told, she does not ask
    ada.page.evaluate("window.stayed = true")
    for _ in range(14):
        ada.page.locator(".banner.mine").wait_for()
        ben.page.locator(".banner.mine").wait_for()
        confirm(ada)
        confirm(ben)
    ada.page.locator(".outcome").wait_for()
    ben.page.locator(".outcome").wait_for()
    assert ada.page.evaluate("window.stayed")
    assert (
        ada.page.locator(".outcome h2").inner_text()[:3] == ben.page.locator(".outcome h2").inner_text()[:3]
    )


def test_a_reload_in_the_middle_changes_nothing(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    for _ in range(3):
        ada.page.locator(".banner.mine").wait_for()
        confirm(ada)
    ada.page.wait_for_function("() => document.querySelectorAll('.tt-hand .tt-card').length === 2")
    ada.page.get_by_text("✓ has chosen").wait_for()
    before = ada.page.locator(".tt").inner_text()
    ada.page.reload()
    ada.page.locator(".tt-hand").wait_for()
    assert ada.page.locator(".tt").inner_text() == before


def test_a_lost_connection_shows_and_resumes(people, house):
    ada, ben = people("Ada"), people("Ben")
    game = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = ada.call("POST", "/matches", game)["id"]
    ben.call("POST", f"/matches/{match}/seats/1", {})
    ada.page.goto(f"/matches/{match}")
    ada.page.locator(".line.live").wait_for()
    ada.context.set_offline(True)
    ada.page.locator(".line.lost").wait_for()
    now = ben.call("GET", f"/matches/{match}")
    ben.call("POST", f"/matches/{match}/actions", {"seq": now["seq"], "action": now["legal"][0]})
    ada.context.set_offline(False)
    ada.page.locator(".line.live").wait_for()
    ada.page.get_by_text("✓ has chosen").wait_for()
    ada.complaints.clear()  # the browser complains about its own missing network


def test_a_server_that_stumbles_makes_nobody_a_stranger(people):
    ada = people("Ada")
    stumbles = iter([503, 503])

    def stumble(route):
        status = next(stumbles, None)
        route.continue_() if status is None else route.fulfill(status=status, json={"code": "unavailable"})

    ada.page.route("**/api/me", stumble)
    ada.page.goto("/")
    ada.page.get_by_role("heading", name="Hello, Ada").wait_for()
    ada.complaints.clear()  # the browser complains about the two answers


def test_replay_steps_and_can_be_linked_and_verified(people):
    ada = people("Ada")
    ada.keep(ask="off")
    match = ada.open_match("tides-of-time", ["greedy"])
    page = ada.page
    page.goto(f"/matches/{match}")
    play_out(page, 3)
    page.get_by_role("link", name="Replay", exact=True).first.click()
    page.locator(".player").wait_for()
    position = page.locator(".player output")
    last = int(position.inner_text().split("/")[1])
    page.get_by_role("button", name="One step back").click()
    page.wait_for_function(f"() => location.hash === '#{last - 1}'")
    page.goto(f"/matches/{match}/replay#7")
    page.reload()
    page.wait_for_function("() => document.querySelector('.player output')?.innerText.startsWith('7 /')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#8'")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => location.hash === '#10'")
    page.get_by_role("button", name="Pause").click()
    page.get_by_label("Seen by").select_option("1")  # the match is over: anybody's eyes
    page.locator(".tt-hand").wait_for()
    page.get_by_role("button", name="Verify the log").click()
    page.get_by_text("every event follows from the one before. (in your browser)").wait_for()
    page.get_by_text("draws rolled again, all the same. (in your browser)").wait_for()
    page.get_by_text("this server has signed the log").wait_for()
    page.get_by_text("every action judged again, all the same. (by the server)").wait_for()
    page.get_by_text("Everything holds.").wait_for()
    page.locator(".chart polyline").first.wait_for()
    drawn = page.locator(".chart polyline").first.get_attribute("points").split()
    assert len(drawn) > 20  # every event, out of one answer
    assert len([url for url in ada.requests if "/views" in url]) == 2  # the page was opened twice


def test_a_replay_goes_by_key_list_and_speed_and_can_be_embedded(people, house):
    ada, eve = people("Ada"), people()
    ada.keep(ask="off")
    match = ada.open_match("tides-of-time", ["greedy"])
    page = ada.page
    page.goto(f"/matches/{match}")
    play_out(page, 3)
    page.goto(f"/matches/{match}/replay")
    page.locator(".player").wait_for()
    last = int(page.locator(".player output").inner_text().split("/")[1])
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.player output').innerText.startsWith('4 /')")
    page.get_by_label("Speed").select_option("4")
    page.locator("h1").first.click(position={"x": 300, "y": 5}, force=True)  # away from the list of speeds
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(location.hash.slice(1)) > 7")
    page.keyboard.press("Space")
    page.keyboard.press("End")
    page.wait_for_function(f"() => location.hash === '#{last}'")
    moves = page.locator(".moves button")
    moves.nth(2).click()
    assert moves.nth(2).get_attribute("aria-current") == "step"
    page.get_by_text("Show this board on another page").click()
    code = page.get_by_label("Show this board on another page").input_value()
    eve.page.goto(re.search('src="([^"]+)"', code)[1])
    eve.page.locator(".embed .board").wait_for()
    assert eve.page.locator(".top, .chat, .action-bar").count() == 0
    eve.page.get_by_role("button", name="One step on").click()


def test_the_page_notices_a_forged_log(people):
    ada = people("Ada")
    ada.keep(ask="off")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    play_out(ada.page, 4)

    def forge(route):
        answer = route.fetch()
        lines = answer.text().split("\n")
        event = json.loads(lines[5])
        event["at"] = re.sub(r"^\d{4}", "1999", event["at"])
        lines[5] = json.dumps(event, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        route.fulfill(response=answer, body="\n".join(lines))

    ada.page.route("**/log", forge)
    ada.page.goto(f"/matches/{match}/replay")
    ada.page.get_by_role("button", name="Verify the log").click()
    ada.page.get_by_text("breaks at line 7").wait_for()


@pytest.mark.parametrize(
    ("verdict", "holds", "said"),
    [
        ("earlier_rules", True, "Everything holds; it was decided under earlier rules"),
        ("cannot_be_checked", False, "It cannot be checked"),
        ("forged", False, "It is not true."),
    ],
)
def test_the_verdict_is_said_in_words(people, verdict, holds, said):
    """What the server answers if rules were mended since, or somebody has tampered with the log."""
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    assert ada.call("DELETE", f"/matches/{match}/seats/0")["status"] == "finished"

    def otherwise(route):
        answer = route.fetch()
        body = answer.json() | {"verdict": verdict, "holds": holds}
        for check in body["checks"]:
            if check["what"] == "decisions":
                check.update(holds=False, seq=12, detail="the raw reason")
        route.fulfill(response=answer, json=body)

    ada.page.route("**/verify", otherwise)
    ada.page.goto(f"/matches/{match}/replay")
    ada.page.get_by_role("button", name="Verify the log").click()
    ada.page.get_by_text(said).wait_for()
    assert ada.page.get_by_text("Event 12 was decided under earlier rules.").count() == holds
    assert ada.page.get_by_text("It fails at event 12").count() == (not holds)
    assert ada.page.locator(".checks li.bad").count() == (not holds)
    assert verdict not in ada.page.locator("main").inner_text()


def test_a_player_shares_a_private_match(people):
    ada, ben, eve = people("Ada"), people("Ben"), people("Eve")
    game = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}], "listed": False}
    match = ada.call("POST", "/matches", game)
    ben.call("POST", f"/matches/{match['id']}/seats/1", {"invite": match["invite"].split("invite=")[1]})
    ben.page.goto(f"/matches/{match['id']}")
    ben.tab("Table")
    ben.page.get_by_text("Show it to others").first.click()
    link = ben.page.get_by_label("Show it to others").input_value()
    eve.page.goto(link)
    eve.page.locator(".player").wait_for()


def test_an_action_can_be_taken_back_while_nobody_else_has_acted(people):
    ada, ben = people("Ada"), people("Ben")
    game = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = ada.call("POST", "/matches", game)["id"]
    ben.call("POST", f"/matches/{match}/seats/1", {})
    ada.page.goto(f"/matches/{match}")
    confirm(ada)
    ada.page.get_by_text("✓ has chosen").wait_for()
    ada.page.get_by_role("button", name="Take back").click()
    ada.page.locator(".banner.mine").wait_for()
    assert ada.page.get_by_text("✓ has chosen").count() == 0


def test_the_same_table_plays_again(people):
    ada = people("Ada")
    match = ada.open_match("tides-of-time", ["greedy"])
    ada.page.goto(f"/matches/{match}")
    ada.page.once("dialog", lambda dialog: dialog.accept())
    ada.tab("Table")
    ada.page.get_by_text("Pause, step out, resign").click()
    ada.page.get_by_role("button", name="Resign").click()
    ada.page.locator(".outcome").wait_for()
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_function(f"() => !location.pathname.endsWith('{match}')")
    ada.page.locator(".tt-hand").wait_for()
