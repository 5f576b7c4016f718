"""Channels: what is refused, and how each kind is reached. Real receivers, on loopback only."""

import dataclasses

import pytest

from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.people.channels import DEAD_AFTER, Channel
from tests.letterbox import Receiver

pytestmark = pytest.mark.anyio


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
async def house(deps, open_another):
    """A house that could send mail, whose operator allows private addresses."""
    mail = Mail("smtp://127.0.0.1:9", "house@example.org")  # nobody listens there
    async with open_another(dataclasses.replace(deps, mail=mail, outward=GuardedHttp(lenient=True))) as house:
        yield house


@pytest.mark.parametrize(
    "channel",
    [
        {"kind": "email", "address": "anna@example.org\nBcc: eve@example.org"},
        {"kind": "email", "address": "anna@example.org\r\n\r\nbody"},
        {"kind": "email", "address": "anna"},
        {"kind": "email", "address": "Anna <anna@example.org>"},
        {"kind": "email", "address": "a@example.org,b@example.org"},
        {"kind": "email"},
        {"kind": "webhook"},
        {"kind": "webhook", "url": "http://localhost/"},
        {"kind": "webhook", "url": "https://localhost/"},
        {"kind": "webhook", "url": "https://127.0.0.1/"},
        {"kind": "webhook", "url": "https://[::1]/"},
        {"kind": "webhook", "url": "https://169.254.169.254/latest"},
        {"kind": "webhook", "url": "https://2130706433/"},
        {"kind": "ntfy", "url": "https://10.0.0.1/topic"},
        {"kind": "matrix", "url": "https://10.0.0.1", "room": "!a:b", "token": "t"},
        {"kind": "discord", "url": "https://example.org/api/webhooks/1"},
        {"kind": "slack", "url": "https://hooks.slack.com.example.org/services/1"},
        {"kind": "telegram", "token": "x", "chat": "1"},
        {"kind": "webpush", "subscription": {"endpoint": "https://127.0.0.1/", "keys": {}}},
        {"kind": "pigeon"},
    ],
)
async def test_channels_that_cannot_be_used_are_refused_and_not_kept(house, channel, deps, open_another):
    strict = dataclasses.replace(house.deps, outward=GuardedHttp())  # literal addresses: nothing is looked up
    async with open_another(strict) as other:
        anna = await other.guest()
        answer = await anna.ask("PUT", "/api/me/channels/one", json=channel)
        assert answer.status_code == 400
        assert answer.json()["code"] in ("bad_channel", "bad_request")
        assert (await anna.get("/api/me/channels")).json()["items"] == []


async def test_a_name_of_a_channel_is_plain(house, receiver):
    anna = await house.guest()
    for name in ("A", "a:b", "x" * 40, "-a"):
        answer = await anna.ask(
            "PUT", f"/api/me/channels/{name}", json={"kind": "webhook", "url": receiver.url}
        )
        assert answer.json()["code"] == "bad_channel"


async def test_a_channel_says_why_it_is_off_until_something_arrives(deps):
    await deps.channels.put("anna", Channel("hook", "webhook", {}, created=1))

    async def noted(error, permanent=False):
        channel = await deps.channels.note("anna", "hook", error, permanent)
        assert channel == await deps.channels.get("anna", "hook")
        return channel.enabled, channel.reason, channel.failures

    assert await noted("busy") == (True, None, 1), "once is not yet dead"
    for failures in range(2, DEAD_AFTER):
        assert await noted("busy") == (True, None, failures)
    assert await noted("gone") == (False, "gone", DEAD_AFTER)
    assert await noted("busy", permanent=True) == (False, "busy", DEAD_AFTER + 1), "the latest reason"
    assert await noted(None) == (False, None, 0), "what arrives after all clears it"
