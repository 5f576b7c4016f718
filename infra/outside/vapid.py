"""Web Push: the key that says who we are, made once, and the sealing of messages for one browser."""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Any


def make() -> str:
    """A new key."""
    # Read when needed: the library brings HTTP clients along that we do not use.
    from py_vapid import Vapid02

    fresh = Vapid02()
    fresh.generate_keys()
    pem: bytes = fresh.private_pem()
    return pem.decode()


@lru_cache
def _key(pem: str) -> Any:
    from py_vapid import Vapid02

    return Vapid02.from_pem(pem.encode())


def public_key(pem: str) -> str:
    """What a browser needs to subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _key(pem).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def authorization(pem: str, origin: str, contact: str, expires: int) -> str:
    """The header that a push service checks."""
    claims = {"aud": origin, "sub": contact, "exp": expires}
    header: str = _key(pem).sign(claims)["Authorization"]
    return header


def seal(p256dh: str, auth: str, body: bytes) -> bytes:
    """Encrypt for one browser (RFC 8291)."""
    from pywebpush import WebPusher

    subscription = {"endpoint": "https://unused.invalid/", "keys": {"p256dh": p256dh, "auth": auth}}
    sealed: bytes = WebPusher(subscription).encode(body, content_encoding="aes128gcm")["body"]
    return sealed
