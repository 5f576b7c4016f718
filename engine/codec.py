"""Canonical JSON: one value, one spelling, so that hashes mean something.

UTF-8, keys sorted by code point, no spaces, shortest escapes, no floats, integers within +-(2^53-1).
"""

import hashlib
from functools import lru_cache
from typing import Any

import msgspec

SAFE = 2**53 - 1
# What reading strange bytes raises: also for a byte that no text has, and for brackets without end.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
ZERO = "0" * 64  # what the first event of a log has as its predecessor's hash

_encoder = msgspec.json.Encoder(order="sorted")
encode = _encoder.encode


def digest(line: bytes) -> str:
    """The hash of an event: SHA-256 over its canonical bytes."""
    return hashlib.sha256(line).hexdigest()


def decode(line: bytes) -> Any:
    """Plain JSON values; raises msgspec.DecodeError."""
    return msgspec.json.decode(line)


def is_canonical(line: bytes) -> bool:
    """Whether these bytes are the one spelling of their value."""
    try:
        value = decode(line)
        return _plain(value) and encode(value) == line
    except UNREADABLE:
        return False


def _plain(value: Any) -> bool:
    match value:
        case bool() | None | str():
            return True
        case int():
            return -SAFE <= value <= SAFE
        case list():
            return all(map(_plain, value))
        case dict():
            return all(map(_plain, value.values()))
        case _:
            return False


def pack(state: Any) -> Any:
    """A state as JSON values; integers beyond JSON's safe range (bit boards) become hex strings."""
    return _pack(msgspec.to_builtins(state))


def unpack(raw: Any, kind: Any) -> Any:
    """The inverse of `pack`."""
    return msgspec.convert(_unpack(raw), kind, str_keys=True)


def _pack(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_pack(v) for v in value]
    if isinstance(value, dict):
        return {str(k): _pack(v) for k, v in value.items()}
    if isinstance(value, int) and not -SAFE <= value <= SAFE:
        return hex(value)
    return value


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(v) for v in value]
    if isinstance(value, dict):
        return {k: _unpack(v) for k, v in value.items()}
    if isinstance(value, str) and value[:2] == "0x":
        return int(value, 16)
    return value


@lru_cache(maxsize=256)
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """A decoder for a type, made once."""
    return msgspec.json.Decoder(kind)


def schema(kind: Any) -> dict[str, Any]:
    """The JSON schema of a type, for the catalogue and OpenAPI."""
    return msgspec.json.schema(kind)
