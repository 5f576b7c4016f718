"""Whose log is it? Signatures under (match, seq, head), and what they are worth here.

A log that ends here is signed once, at its end. One that came from elsewhere keeps the signature it came
with: this server never signs for what others wrote.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from engine import codec
from engine.events import head
from engine.log import BadLog
from engine.match import Imported, Match
from engine.proof.verify import Closing, ending
from infra.outside import ed25519
from infra.process.errors import StoreFull
from service.bootstrap import Tables

Signed = tuple[str, str]  # the id of a key, and its signature


class Verdict(NamedTuple):
    """Who signed: this server, one that is trusted (by its name), an unknown key, nobody. Or it is forged.

    `revoked`: a key of this server that somebody else may have: it could be anybody.
    """

    by: Literal["here", "trusted", "unknown", "nobody", "revoked", "forged"]
    server: str = ""
    key: str = ""

    @property
    def counts(self) -> bool:
        """Whether the signer is trusted here."""
        return self.by in ("here", "trusted")


class Keyring(NamedTuple):
    """Public keys by id: this server's own, and with a name those that are trusted."""

    ours: frozenset[str]
    trusted: dict[str, str]
    public: dict[str, str]
    revoked: frozenset[str] = frozenset()

    def judge(self, match: str, end: Closing) -> Verdict:
        """What the signature of a closing line is worth."""
        if not end.key and not end.signature:
            return Verdict("nobody")
        public = self.public.get(end.key)
        if public is None:
            return Verdict("unknown", key=end.key[: ed25519.ID_LENGTH])
        if not ed25519.holds(public, end.signature, statement(match, end.end, end.head, end.redacted)):
            return Verdict("forged", key=end.key)
        if end.key in self.revoked:
            return Verdict("revoked", key=end.key)
        if end.key in self.ours:
            return Verdict("here", key=end.key)
        return Verdict("trusted", self.trusted[end.key], end.key)


class _Ours(msgspec.Struct):
    public: str
    revoked: int | None = None


class _Server(msgspec.Struct):
    name: str
    keys: list[str]


class _Published(msgspec.Struct):
    """What `GET /api/keys` returns, as far as it matters."""

    keys: list[_Ours]
    trusted: list[_Server] = []


def statement(match: str, seq: int, head: str, redacted: bool = False) -> bytes:
    """What is signed. A redacted export says so, or its signature would fit a log that was cut there."""
    what = "redacted log" if redacted else "log"
    return codec.encode({"head": head, "match": match, "seq": seq, "turnlog": what})


def keyring(ours: Sequence[str], trusted: dict[str, list[str]], revoked: Iterable[str] = ()) -> Keyring:
    named = {ed25519.key_id(key): name for name, keys in trusted.items() for key in keys}
    public = {ed25519.key_id(key): key for keys in (*trusted.values(), ours) for key in keys}
    return Keyring(frozenset(map(ed25519.key_id, ours)), named, public, frozenset(revoked))


def published(data: bytes) -> Keyring:
    """The keys that a server publishes, from a file. Raises ValueError."""
    try:
        found = msgspec.json.decode(data, type=_Published)
    except codec.UNREADABLE as problem:
        raise ValueError(str(problem)) from None
    ours, trusted = [key.public for key in found.keys], {one.name: one.keys for one in found.trusted}
    if not all(map(ed25519.is_public_key, [*ours, *(key for keys in trusted.values() for key in keys)])):
        raise ValueError("a public key has 64 hex digits")
    return keyring(ours, trusted, (ed25519.key_id(key.public) for key in found.keys if key.revoked))


def of_file(ring: Keyring, data: bytes) -> Verdict:
    """Who signed an export. Whether its events are those that were signed, the chain says."""
    try:
        return ring.judge(_match(data), ending(data))
    except BadLog:
        return Verdict("nobody")  # what is wrong with the log itself, its checks say


def _match(data: bytes) -> str:
    try:
        return head(data.split(b"\n", 1)[0]).match
    except codec.UNREADABLE as problem:
        raise BadLog(1, "not_an_event", f"not an event: {problem}") from None


async def known(deps: Tables) -> Keyring:
    """The keys that this server knows now."""
    signing = deps.signing
    ours = [key.public for key in await signing.keys()]
    return keyring(ours, await signing.trusted(), await signing.revoked())


async def shown(deps: Tables) -> dict[str, Any]:
    """What everybody may know of them."""
    keys, revoked = await deps.signing.keys(), await deps.signing.revoked()
    return {
        "keys": [
            {
                "id": key.id,
                "public": key.public,
                "created": key.created,
                "current": key is keys[-1],
                "revoked": revoked.get(key.id),
            }
            for key in keys
        ],
        "trusted": [{"name": name, "keys": known} for name, known in (await deps.signing.trusted()).items()],
    }


async def signed(deps: Tables, match: Match, redacted: bool = False) -> Signed | None:
    """The signature for an export of a match as it is now; None for what this server does not vouch for."""
    origin = match.imported
    if origin is not None and (origin.signature or origin.signed != "here"):
        if match.seq == origin.seq and not redacted:
            return _brought(origin)
        if origin.signed != "here":
            return None
    if match.status != "finished":
        return await _sign(deps, match, redacted)
    return await ended(deps, match)


async def ended(deps: Tables, match: Match) -> Signed:
    """The signature under the end of one of our own matches: made once, and anew if its key was revoked."""
    kept = await deps.beside.signature(match.id)
    void = kept is not None and kept[0] in await deps.signing.revoked()
    if kept is not None and not void:
        return kept
    fresh = await _sign(deps, match, False)
    try:
        if void:
            return await deps.beside.replace_signature(match.id, fresh)
        return await deps.beside.keep_signature(match.id, fresh)
    except StoreFull:
        return fresh  # a store that takes nothing new can be read all the same


async def _sign(deps: Tables, match: Match, redacted: bool) -> Signed:
    return await deps.signing.sign(statement(match.id, match.seq, match.head, redacted))


def _brought(origin: Imported) -> Signed | None:
    return (origin.key, origin.signature) if origin.signature else None
