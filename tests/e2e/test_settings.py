"""What is one's own: times, notices, channels that really deliver, tokens, sessions, one's data."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode

import pytest

from tests.letterbox import text_of

pytestmark = pytest.mark.browser
LINK = re.compile(r"http://127\.0\.0\.1:\d+(/\S+)")


@pytest.fixture
def ada(people):
    ada = people("Ada")
    ada.page.on("dialog", lambda dialog: dialog.accept())
    ada.page.goto("/settings")
    ada.page.get_by_role("heading", name="Channels").wait_for()
    return ada


def account(person):
    return person.call("GET", "/me")


def test_times_and_notices_are_kept(ada):
    page = ada.page
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    page.get_by_label("Quiet from").fill("23:00")
    page.get_by_label("Quiet until").fill("06:30")
    page.get_by_role("button", name="Set quiet hours").click()
    page.get_by_text("From 23:00 to 06:30.").wait_for()
    today = page.evaluate("new Date().toISOString().slice(0, 10)")
    next_week = page.evaluate("new Date(Date.now() + 7 * 864e5).toISOString().slice(0, 10)")
    page.get_by_label("First day").fill(today)
    page.get_by_label("Last day").fill(next_week)
    page.get_by_role("button", name="Announce").click()
    page.get_by_role("button", name="I am back").wait_for()
    page.get_by_label("One letter a day").check()
    page.get_by_label("When the letter comes").fill("07:15")
    page.locator("#notices").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Saved").wait_for()
    kept = account(ada)
    assert (kept["tz"], kept["quiet_hours"]) == ("Asia/Tokyo", {"from": "23:00", "to": "06:30"})
    assert kept["vacation"] == {"from": today, "to": next_week}
    assert (kept["notify"]["mode"], kept["notify"]["digest_at"]) == ("digest", "07:15")
    page.get_by_role("button", name="I am back").click()
    page.get_by_text("None announced.").wait_for()
    page.get_by_role("button", name="No quiet hours").click()
    page.get_by_text("None: you may be told").wait_for()
    assert (account(ada)["quiet_hours"], account(ada)["vacation"]) == (None, None)


def test_a_setting_that_makes_no_sense_is_refused_in_words(ada):
    ada.page.get_by_label("Quiet from").fill("08:00")
    ada.page.get_by_label("Quiet until").fill("07:00")
    ada.page.get_by_role("button", name="Set quiet hours").click()
    ada.page.get_by_text("at least 4 waking hours").wait_for()
    assert account(ada)["quiet_hours"] is None
    ada.complaints.clear()  # the browser notes the refused request


def add(page, kind, **fields):
    page.get_by_text("Add a channel").click()
    page.get_by_label("Kind").select_option(kind)
    for label, value in fields.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Add", exact=True).click()


def test_a_channel_is_added_tried_turned_off_and_changed(ada, receiver):
    page = ada.page
    add(page, "ntfy", Address=f"{receiver.url}/turns")
    channel = page.locator(".channel", has_text="ntfy")
    channel.get_by_role("button", name="Test").click()
    channel.get_by_text("It should arrive").wait_for()
    assert json.loads(receiver.requests[0][2])["topic"] == "turns"
    receiver.status = 500
    channel.get_by_role("button", name="Test").click()
    channel.get_by_text("The test message could not be delivered: the receiver answered 500").wait_for()
    channel.get_by_role("button", name="Change").click()
    page.get_by_label("Address", exact=True).fill(f"{receiver.url}/others")
    page.locator("#channels").get_by_role("button", name="Save").click()
    channel.get_by_text("/others").wait_for()
    channel.get_by_role("button", name="Remove").click()
    page.get_by_text("No channel yet").wait_for()
    ada.complaints.clear()  # the failed test


def test_a_webhook_shows_its_secret_once(ada, receiver):
    add(ada.page, "webhook", Address=f"{receiver.url}/hook")
    secret = ada.page.get_by_label("Signing secret")
    secret.wait_for()
    assert secret.input_value().startswith("whsec_")
    ada.page.reload()
    ada.page.locator(".channel").wait_for()
    assert ada.page.get_by_label("Signing secret").count() == 0


def test_mail_is_confirmed_by_a_link_and_recovers_a_password(ada, letterbox, people):
    page = ada.page
    add(page, "email", **{"E-mail address": "ada@example.org"})
    channel = page.locator(".channel", has_text="ada@example.org")
    channel.get_by_text("not confirmed yet").wait_for()
    link = LINK.search(text_of(letterbox.letters[-1]))[1]
    page.goto(link)
    page.get_by_role("button", name="Confirm the address").click()
    page.get_by_role("heading", name="The address is confirmed").wait_for()
    page.get_by_role("link", name="Go to the settings").click()
    channel.get_by_text("on", exact=True).wait_for()
    page.get_by_label("New password").fill("correct horse")
    page.get_by_role("button", name="Set the password").click()
    page.get_by_text("You are signed in as").wait_for()
    name, before = account(ada)["name"], len(letterbox.letters)
    page.goto("about:blank")  # a recovery ends her sessions: an open page would complain

    ben = people()
    ben.page.goto("/sign-in")
    ben.page.get_by_text("Forgot the password?").click()
    form = ben.page.locator("details form")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button").click()
    ben.page.get_by_text("a letter is on its way").wait_for()
    for _ in range(100):
        if len(letterbox.letters) > before:
            break
        ben.page.wait_for_timeout(50)
    ben.page.goto(LINK.search(text_of(letterbox.letters[-1]))[1])
    ben.page.get_by_label("New password").fill("battery staple")
    ben.page.get_by_role("button").last.click()
    ben.page.get_by_text("The password is changed").wait_for()
    ben.page.get_by_role("link", name="Sign in").last.click()
    ben.page.get_by_label("Name", exact=True).first.fill(name)
    ben.page.get_by_label("Password").fill("battery staple")
    ben.page.get_by_role("button", name="Sign in", exact=True).click()
    ben.page.get_by_role("heading", name=f"Hello, {name}").wait_for()


def browser_keys():
    """The keys that a browser would keep for its subscription."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    private, auth = ec.generate_private_key(ec.SECP256R1()), bytes(range(16))
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    told = {"p256dh": urlsafe_b64encode(point).decode(), "auth": urlsafe_b64encode(auth).decode()}
    return private, auth, told


# Only the push service is missing on loopback; the worker, the permission and the sealed message are real.
SUBSCRIBE = """(subscription) => {
  let now = null;
  const unsubscribe = async () => { now = null; return true; };
  const made = {...subscription, toJSON: () => subscription, unsubscribe};
  PushManager.prototype.subscribe = async function (options) { window.asked = options; return (now = made); };
  PushManager.prototype.getSubscription = async () => now;
}"""


# As soon as the notice is shown, it is tapped.
TAP = """async () => {
  for (let tries = 0; tries < 600; tries++) {
    const notices = await self.registration.getNotifications();
    const notification = notices.find((notice) => notice.title === "Your turn");
    if (notification) return self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error("no notice was shown");
}"""


def test_a_push_arrives_through_the_service_worker_and_leads_to_the_match(people, receiver, house):
    import http_ece

    private, auth, keys = browser_keys()
    ada = people("Ada", permissions=["notifications"])
    page = ada.page
    match = ada.open_match("tides-of-time", ["greedy"])
    page.goto("/settings")
    page.evaluate(SUBSCRIBE, {"endpoint": f"{receiver.url}/push", "keys": keys})
    page.get_by_role("button", name="Notify me here").click()
    page.get_by_role("button", name="No more notices here").wait_for()
    assert page.evaluate("window.asked.applicationServerKey") == ada.call("GET", "/me/channels")["push_key"]
    page.locator(".channel").get_by_role("button", name="Test").click()
    page.get_by_text("It should arrive").wait_for()
    told = http_ece.decrypt(
        receiver.requests[0][2], private_key=private, auth_secret=auth, version="aes128gcm"
    )
    assert json.loads(told)["title"] == "This is a test"

    news = json.dumps(
        {"title": "Your turn", "body": "x", "link": f"{house.url}/matches/{match}", "tag": "t1"}
    )
    deliver(ada, house, news)
    worker = ada.context.service_workers[0]
    worker.evaluate(TAP)
    page.wait_for_url(f"**/matches/{match}")
    page.goto("/settings")


def deliver(person, house, news):
    """Hand a message to the service worker as the browser does."""
    session = person.context.new_cdp_session(person.page)
    known = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda told: known.extend(told["registrations"]))
    session.send("ServiceWorker.enable")
    for _ in range(100):
        if known:
            break
        person.page.wait_for_timeout(50)
    told = {"origin": house.url, "registrationId": known[0]["registrationId"], "data": news}
    session.send("ServiceWorker.deliverPushMessage", told)


def test_a_token_has_scopes_is_shown_once_and_can_be_revoked(ada, house):
    page = ada.page
    page.get_by_label("Label").fill("my script")
    page.get_by_label("play in my name").uncheck()
    page.get_by_role("button", name="Make a token").click()
    token = page.get_by_label("New token").input_value()
    assert house.call("GET", "/api/me", token=token).json["name"] == account(ada)["name"]
    body = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert house.call("POST", "/api/matches", body, token=token).status == 403
    page.reload()
    line = page.locator("#tokens li", has_text="my script")
    assert page.get_by_label("New token").count() == 0
    line.get_by_role("button", name="Revoke").click()
    line.wait_for(state="detached")
    assert house.call("GET", "/api/me", token=token).status == 401


def test_sessions_end_everywhere(ada, people):
    page = ada.page
    page.get_by_label("New password").fill("correct horse")
    page.get_by_role("button", name="Set the password").click()
    page.get_by_text("You are signed in as").wait_for()
    name = account(ada)["name"]
    ben = people()
    ben.page.goto("/")
    ben.call("POST", "/sessions", {"name": name, "password": "correct horse"})
    page.reload()
    page.get_by_role("button", name="Sign out there").wait_for()
    assert page.locator(".sessions li").count() == 2
    page.get_by_role("button", name="Sign out everywhere").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    assert ben.call("GET", "/me")["code"] == "unauthenticated"
    ben.complaints.clear()  # the refused look


def test_a_page_whose_session_ended_elsewhere_stops_asking(ada):
    page = ada.page
    page.goto("/")
    page.get_by_role("heading", name="Hello").wait_for()
    page.evaluate(
        """async () => {
          const token = document.cookie.match(/turnlog_csrf=([^;]+)/)[1];
          const { items } = await (await fetch("/api/me/sessions")).json();
          const sent = { method: "DELETE", headers: { "X-CSRF-Token": token } };
          await fetch(`/api/me/tokens/${items[0].id}`, sent);
        }"""
    )
    look = "() => void document.dispatchEvent(new Event('visibilitychange'))"
    with page.expect_response("**/api/me/turns") as refused:
        page.evaluate(look)
    assert refused.value.status == 401
    page.get_by_role("link", name="Sign in").first.wait_for()
    asked = len(turns_asked(ada))
    for _ in range(3):
        page.evaluate(look)
    page.evaluate("() => fetch('/health')")  # whatever was asked before it is on its way by now
    assert len(turns_asked(ada)) == asked
    assert page.evaluate("() => localStorage.getItem('turnlog.queue')") is None
    ada.complaints.clear()  # the refused looks


def turns_asked(person):
    return [url for url in person.requests if url.endswith("/me/turns")]


def test_somebody_can_be_blocked_and_forgiven(ada, people):
    ben = people("Ben")
    name = account(ben)["name"]
    ada.page.get_by_label("Name of the player").fill(name)
    ada.page.get_by_role("button", name="Block", exact=True).click()
    line = ada.page.locator("#blocks li", has_text=name)
    line.get_by_role("button", name="Unblock").click()
    line.wait_for(state="detached")
    assert ada.call("GET", "/me/blocks")["items"] == []


def test_ones_data_can_be_taken_along_and_deleted(ada):
    page = ada.page
    name = account(ada)["name"]
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["account"]["name"] == name
    page.get_by_text("Delete my account").click()
    page.get_by_label("type your name").fill(name)
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_role("heading", name="Board games").wait_for()
    assert ada.call("GET", "/me")["code"] == "unauthenticated"
    ada.complaints.clear()  # the refused look


def test_whoever_has_a_password_says_it_before_the_account_goes(ada):
    page = ada.page
    name = account(ada)["name"]
    page.get_by_label("New password").fill("correct horse")
    page.get_by_role("button", name="Set the password").click()
    page.get_by_text("You are signed in as").wait_for()
    page.get_by_text("Delete my account").click()
    page.get_by_label("type your name").fill(name)
    page.get_by_label("Your password").fill("wrong horse")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("The name or the password is wrong").wait_for()
    page.get_by_label("Your password").fill("correct horse")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_role("heading", name="Board games").wait_for()
    ada.complaints.clear()  # the refused try
