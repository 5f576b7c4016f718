"""Web Push: the key that says who we are, made once, and the sealing of messages for one browser."""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import Path
from typing import Any

from infra.files import kept


@lru_cache
def _key(data: Path) -> Any:
    # Read when needed: the library brings HTTP clients along that we do not use.
    from py_vapid import Vapid02

    def make() -> str:
        fresh = Vapid02()
        fresh.generate_keys()
        pem: bytes = fresh.private_pem()
        return pem.decode()

    return Vapid02.from_pem(kept(data / "vapid", make).encode())


def public_key(data: Path) -> str:
    """What a browser needs to subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _key(data).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def authorization(data: Path, origin: str, contact: str, expires: int) -> str:
    """The header that a push service checks."""
    claims = {"aud": origin, "sub": contact, "exp": expires}
    header: str = _key(data).sign(claims)["Authorization"]
    return header


def seal(p256dh: str, auth: str, body: bytes) -> bytes:
    """Encrypt for one browser (RFC 8291)."""
    from pywebpush import WebPusher

    subscription = {"endpoint": "https://unused.invalid/", "keys": {"p256dh": p256dh, "auth": auth}}
    sealed: bytes = WebPusher(subscription).encode(body, content_encoding="aes128gcm")["body"]
    return sealed
