"""What is known of one request from its headers, read once, and what its line in the log will say."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any

from engine.game import Lang
from infra.people.accounts import LOCALES

GIVEN_ID = re.compile(rb"[\w.-]{8,64}", re.ASCII)
# What follows these words is as good as a password; so is whatever is as long as a token.
SECRET = re.compile(r"(?<=/recovery/)[^/]+|(?<=/confirm/)[^/]+|(?<=/unsubscribe/)[^/]+|[^/]{65,}|tl\.[^/]+")
ORDINARY = re.compile(r"/api/matches/[\w-]{1,24}(?:/[a-z]{1,10})?")  # most requests
WANTED = frozenset(
    {b"authorization", b"cookie", b"accept-language", b"accept-encoding", b"content-length", b"x-request-id"}
)


class Visit:
    """One request. `lang` is that of the headers until somebody is recognised who chose another."""

    __slots__ = ("cookie", "credentials", "gzip", "id", "lang", "length", "match", "route", "seq")

    def __init__(self, scope: Any) -> None:
        found = {name: value for name, value in scope["headers"] if name in WANTED}
        given = found.get(b"x-request-id", b"")
        self.id = given.decode() if GIVEN_ID.fullmatch(given) else os.urandom(8).hex()
        self.lang = language(found.get(b"accept-language", b""))
        self.credentials: bytes | None = found.get(b"authorization")
        self.cookie: bytes = found.get(b"cookie", b"")
        self.gzip = b"gzip" in found.get(b"accept-encoding", b"")
        self.length = found.get(b"content-length")
        self.route = ""
        self.match: str | None = None
        self.seq: int | None = None


def address_of(scope: Any) -> str:
    """Where a request comes from, as the server says; a proxy on this machine is believed."""
    client = scope.get("client")
    return str(client[0]) if client else "local"


def visit_of(scope: Any) -> Visit:
    visit: Visit = scope["visit"]
    return visit


def loggable(path: str) -> str:
    """An address as it may be written down: without what whoever reads the log could use.

    >>> loggable("/api/confirm/WyJhIl0.x7"), loggable("/api/matches/kRaCaZ43FmzB")
    ('/api/confirm/…', '/api/matches/kRaCaZ43FmzB')
    """
    return path if ORDINARY.fullmatch(path) else SECRET.sub("…", path)


@lru_cache(maxsize=512)
def language(header: bytes) -> Lang:
    """The language of ours that the reader likes best.

    >>> language(b"de;q=0.9, cs-CZ;q=0.8, en;q=0.5"), language(b""), language(b"fr")
    ('cs', 'en', 'en')
    """
    ranked = sorted(
        (-_weight(rest), order, tag.strip()[:2].lower())
        for order, (tag, _, rest) in enumerate(part.partition(";") for part in _text(header).split(","))
    )
    return next((tag for weight, _, tag in ranked if tag in LOCALES and weight < 0), LOCALES[0])


def _text(header: bytes) -> str:
    return header[:400].decode("latin-1")


def _weight(rest: str) -> float:
    found = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", rest)
    return float(found[1]) if found else 1.0
