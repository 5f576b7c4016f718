"""Ed25519 signatures in hex: the one file that touches the library."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

ID_LENGTH = 32  # hex digits of a key's id: half of a SHA-256


class Pair(NamedTuple):
    """A key pair; both halves are 32 bytes in hex."""

    secret: str
    public: str


def make() -> Pair:
    """A new key pair."""
    # Read when needed: whoever neither signs nor checks need not wait for the library.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    return Pair(key.private_bytes_raw().hex(), key.public_key().public_bytes_raw().hex())


def sign(secret: str, text: bytes) -> str:
    """The signature of some bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).sign(text).hex()


def holds(public: str, signature: str, text: bytes) -> bool:
    """Whether the holder of a public key signed exactly these bytes. Nonsense is refused."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: str) -> str:
    """What a key is called: the beginning of the SHA-256 of its public half.

    >>> key_id("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20'
    """
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:ID_LENGTH]


def is_public_key(text: str) -> bool:
    """Whether this is a public key in hex, as we write it."""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)
