"""Channels: what is refused, and how each kind is reached. Real receivers, on loopback only."""

import dataclasses

import pytest

from infra.mail import Mail
from infra.outward import Outward
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
    async with open_another(dataclasses.replace(deps, mail=mail, outward=Outward(lenient=True))) as house:
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
    strict = dataclasses.replace(house.deps, outward=Outward())  # literal addresses: nothing is looked up
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


async def test_a_push_is_sealed_for_the_browser(house, receiver):
    from base64 import urlsafe_b64encode

    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {
        "p256dh": urlsafe_b64encode(point).decode().rstrip("="),
        "auth": urlsafe_b64encode(b"1" * 16).decode(),
    }
    anna = await house.guest()
    wanted = {"kind": "webpush", "subscription": {"endpoint": f"{receiver.url}/push", "keys": keys}}
    assert (await anna.ask("PUT", "/api/me/channels/phone", json=wanted)).status_code == 200
    receiver.status = 201
    assert (await anna.post("/api/me/channels/phone/test")).status_code == 200
    path, headers, body = receiver.requests[0]
    assert (path, headers["Content-Encoding"]) == ("/push", "aes128gcm")
    assert headers["Authorization"].startswith("vapid t=")
    assert b"test" not in body
    key = (await anna.get("/api/me/channels")).json()["push_key"]
    assert key in headers["Authorization"]


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ({"kind": "ntfy", "url": "{}/topic", "token": "tk"}, "/"),
        (
            {"kind": "matrix", "url": "{}", "room": "!room:example.org", "token": "tk"},
            "/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.room.message/",
        ),
    ],
)
async def test_other_services_through_the_same_way_out(house, receiver, wanted, path):
    anna = await house.guest()
    body = {**wanted, "url": wanted["url"].format(receiver.url)}
    assert (await anna.ask("PUT", "/api/me/channels/one", json=body)).status_code == 200
    receiver.status = 200
    assert (await anna.post("/api/me/channels/one/test")).status_code == 200
    assert receiver.requests[0][0].startswith(path)
    assert b"This is a test" in receiver.requests[0][2]
    assert receiver.requests[0][1]["Authorization"] == "Bearer tk"
