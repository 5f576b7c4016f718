"""Every kind of channel, to a receiver that speaks TLS: what it really gets.

The guard stays as it is in a house: https only, public addresses only. A stub resolver says that every name
has a public address, and a stub dialler leads there; the certificate is checked for the real name.
"""

import asyncio
import dataclasses
import hashlib
import hmac
import json
import ssl
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from infra.outside.outward import GuardedHttp, GuardedHttpError
from tests import certificates
from tests.letterbox import Receiver

pytestmark = pytest.mark.anyio
PUBLIC = "93.184.216.34"
HOSTS = [
    "discord.com",
    "hooks.slack.com",
    "api.telegram.org",
    "ntfy.sh",
    "matrix.example.org",
    "push.example.org",
]
TELEGRAM = "123456:" + "a" * 35


@pytest.fixture
def tls(tmp_path, monkeypatch):
    context, trusted = certificates.make(tmp_path, HOSTS)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    return context


@pytest.fixture
def far(tls):
    """The receiver that every public address leads to."""
    with Receiver(tls) as receiver:
        yield receiver


class Line:
    """Where connections were asked to go, and the line that they got."""

    def __init__(self, port):
        self.port, self.dialled = port, []

    async def resolve(self, host, port):
        return [PUBLIC]

    async def dial(self, address, port, tls, name):
        self.dialled.append((address, port, name, isinstance(tls, ssl.SSLContext)))
        return await asyncio.open_connection("127.0.0.1", self.port, ssl=tls, server_hostname=name)


@pytest.fixture
def line(far):
    return Line(far.port)


@pytest.fixture
async def strict(house, line, open_another):
    """The house as it is by default: no private address, no plain HTTP."""
    outward = GuardedHttp(resolve=line.resolve, dial=line.dial)
    async with open_another(dataclasses.replace(house.deps, outward=outward)) as house:
        yield house


async def tried(house, channel):
    anna = await house.guest()
    made = await anna.ask("PUT", "/api/me/channels/one", json=channel)
    assert made.status_code == 200, made.text
    answer = await anna.post("/api/me/channels/one/test")
    return anna, answer


@pytest.mark.parametrize(
    ("channel", "host", "path", "expected"),
    [
        (
            {"kind": "discord", "url": "https://discord.com/api/webhooks/1/secret"},
            "discord.com",
            "/api/webhooks/1/secret",
            lambda body: body["allowed_mentions"] == {"parse": []} and body["content"],
        ),
        (
            {"kind": "slack", "url": "https://hooks.slack.com/services/T/B/x"},
            "hooks.slack.com",
            "/services/T/B/x",
            lambda body: body["text"],
        ),
        (
            {"kind": "telegram", "token": TELEGRAM, "chat": "-100"},
            "api.telegram.org",
            f"/bot{TELEGRAM}/sendMessage",
            lambda body: body["chat_id"] == "-100" and body["text"],
        ),
        (
            {"kind": "ntfy", "url": "https://ntfy.sh/my-topic", "token": "tk"},
            "ntfy.sh",
            "/",
            lambda body: body["topic"] == "my-topic" and f"{body['title']} {body['message']}",
        ),
        (
            {"kind": "matrix", "url": "https://matrix.example.org", "room": "!r:example.org", "token": "tk"},
            "matrix.example.org",
            "/_matrix/client/v3/rooms/%21r%3Aexample.org/send/m.room.message/",
            lambda body: body["msgtype"] == "m.text" and body["body"],
        ),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
async def test_a_service_gets_what_it_understands(strict, far, line, channel, host, path, expected):
    _, answer = await tried(strict, channel)
    assert answer.status_code == 200, answer.text
    [(asked, headers, body)] = far.requests
    assert line.dialled == [(PUBLIC, 443, host, True)]
    assert headers["Host"] == host
    assert asked.startswith(path)
    assert "If you can read this, notices will reach you here." in expected(json.loads(body))
    if "token" in channel and channel["kind"] != "telegram":
        assert headers["Authorization"] == "Bearer tk"


@pytest.mark.parametrize(
    ("channel", "status"),
    [
        ({"kind": "discord", "url": "https://discord.com/api/webhooks/1/x"}, 404),
        ({"kind": "telegram", "token": TELEGRAM, "chat": "@someone"}, 403),
    ],
)
async def test_a_service_that_says_no_is_heard(strict, far, channel, status):
    far.status = status
    _, answer = await tried(strict, channel)
    assert answer.json()["code"] == "not_delivered"
    assert str(status) in answer.json()["detail"]


async def test_somebody_else_behind_the_address_gets_nothing(far, line):
    outward = GuardedHttp(resolve=line.resolve, dial=line.dial)
    with pytest.raises(GuardedHttpError, match="certificate"):
        await outward.send("POST", "https://not-discord.example.org/", b"secret", {})
    assert far.requests == []


def unpadded(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def opened(browser, auth, sealed):
    """RFC 8291 and RFC 8188, the browser's side."""
    salt, size, length = sealed[:16], int.from_bytes(sealed[16:20], "big"), sealed[20]
    theirs, data = sealed[21 : 21 + length], sealed[21 + length :]
    assert len(data) <= size  # one record
    ours = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    shared = browser.exchange(ec.ECDH(), sender)
    secret = expand(extract(auth, shared), b"WebPush: info\0" + ours + theirs, 32)
    mixed = extract(salt, secret)
    key = expand(mixed, b"Content-Encoding: aes128gcm\0", 16)
    nonce = expand(mixed, b"Content-Encoding: nonce\0", 12)
    padded = AESGCM(key).decrypt(nonce, data, None).rstrip(b"\0")
    assert padded.endswith(b"\2")  # the last record
    return json.loads(padded[:-1])


def extract(salt, secret):
    return hmac.digest(salt, secret, hashlib.sha256)


def expand(key, info, length):
    return hmac.digest(key, info + b"\1", hashlib.sha256)[:length]


async def test_a_push_is_sealed_for_one_browser_and_signed_by_the_house(strict, far):
    browser, auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": urlsafe_b64encode(point).decode().rstrip("="), "auth": urlsafe_b64encode(auth).decode()}
    endpoint = "https://push.example.org/send/abc"
    far.status = 201
    subscription = {"endpoint": endpoint, "keys": keys}
    anna, answer = await tried(strict, {"kind": "webpush", "subscription": subscription})
    assert answer.status_code == 200, answer.text
    [(path, headers, body)] = far.requests
    assert (path, headers["Content-Encoding"], headers["TTL"]) == ("/send/abc", "aes128gcm", "86400")
    told = opened(browser, auth, body)
    assert told["title"] == "This is a test"
    assert told["body"] == "If you can read this, notices will reach you here."
    key = (await anna.get("/api/me/channels")).json()["push_key"]
    claims = verified(headers["Authorization"], key)
    assert claims["aud"] == "https://push.example.org"
    assert claims["sub"].startswith("mailto:")
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600


def verified(header, push_key):
    """The claims of a VAPID token (RFC 8292), if the house's key signed them."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", push_key)
    signed, _, signature = parts["t"].rpartition(".")
    raw = unpadded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(push_key))
    public.verify(der, signed.encode(), ec.ECDSA(SHA256()))  # raises if it is not
    head, claims = (json.loads(unpadded(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    return claims


def test_the_browser_side_here_is_right():
    """The example of RFC 8291, section 5: the reader above is not just the writer's twin."""
    private = int.from_bytes(unpadded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    browser = ec.derive_private_key(private, ec.SECP256R1())
    sealed = unpadded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    with pytest.raises(json.JSONDecodeError) as plain:  # it is a sentence, not JSON
        opened(browser, unpadded("BTBZMqHH6r4Tts7J_aSIgg"), sealed)
    assert plain.value.doc == "When I grow up, I want to be a watermelon"
