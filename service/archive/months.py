"""One root a month over the heads of what was archived in it, signed, each naming the one before.

Whoever has kept a root can tell, for ever, whether a match of that month is still the one it was; and since
every root names the one before it, the latest is enough.
"""

import asyncio
import zlib
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import msgspec
import structlog

from engine import codec
from infra.archive import merkle
from infra.archive.segment import Damaged
from infra.outside import ed25519
from infra.process.errors import ArchiveAway
from service.basics.errors import Problem
from service.bootstrap import Tables
from service.views.signatures import Keyring

HEADS = "heads"  # of a month: what its root is over
log = structlog.get_logger(__name__)


class Leaf(NamedTuple):
    """A match in the tree of its month."""

    match: str
    events: int
    head: str

    @property
    def hash(self) -> bytes:
        return merkle.leaf(codec.encode({"events": self.events, "head": self.head, "match": self.match}))


class Root(msgspec.Struct, frozen=True):
    """What is published of a month: `prev` is the digest of the statement of the root before it."""

    month: str
    count: int
    root: str
    prev: str
    key: str = ""
    signature: str = ""

    @property
    def statement(self) -> bytes:
        """What is signed."""
        said = {"count": self.count, "month": self.month, "prev": self.prev, "root": self.root}
        return codec.encode({**said, "turnlog": "archive"})


class Proof(msgspec.Struct, frozen=True):
    """That a match is under a root: anybody can check it with `turnlog archive check`."""

    match: str
    events: int
    head: str
    index: int
    path: list[str]
    root: Root


async def roots(deps: Tables) -> list[Root]:
    """All that were published, the earliest first."""
    return [msgspec.json.decode(text, type=Root) for text in (await deps.archive.notes.roots()).values()]


async def close(deps: Tables) -> list[Root]:
    """Publish the roots of the months that are over."""
    this, segments = f"{deps.now():%Y-%m}", await deps.archive.notes.segments()
    known = await roots(deps)
    months = {name.partition("/")[0] for name in segments}
    fresh: list[Root] = []
    for month in sorted(months - {root.month for root in known}):
        if month < this:
            names = {name: size for name, (_, size) in segments.items() if name.startswith(f"{month}/")}
            fresh.append(await _publish(deps, month, names, [*known, *fresh]))
    return fresh


async def _publish(deps: Tables, month: str, names: dict[str, int], known: list[Root]) -> Root:
    leaves = await _leaves(deps, names)
    packed = zlib.compress(b"".join(msgspec.json.encode(leaf) + b"\n" for leaf in leaves), 9)
    await deps.archive.shelf.put(f"{month}/{HEADS}", packed)
    found = await asyncio.to_thread(_root, leaves)
    prev = codec.digest(known[-1].statement) if known else codec.ZERO
    bare = Root(month, len(leaves), found.hex(), prev)
    key, signature = await deps.signing.sign(bare.statement)
    root = msgspec.structs.replace(bare, key=key, signature=signature)
    await deps.archive.notes.publish(month, msgspec.json.encode(root))
    log.info("the root of a month is published", month=month, matches=len(leaves), root=root.root)
    return root


async def _leaves(deps: Tables, names: dict[str, int]) -> list[Leaf]:
    """Sorted by match. Raises ArchiveAway: what is damaged has to be looked at before anything is said."""
    found: dict[str, Leaf] = {}
    for name, size in names.items():
        try:
            entries = await deps.archive.index(name, size)
        except Damaged as problem:
            raise ArchiveAway(f"The index of segment {name} cannot be read: {problem}") from problem
        found |= {entry.match: Leaf(entry.match, entry.events, entry.head) for entry in entries}
    return [found[match] for match in sorted(found)]


def _root(leaves: Iterable[Leaf]) -> bytes:
    return merkle.root(merkle.levels([leaf.hash for leaf in leaves]))


async def prove(deps: Tables, match: str, who: str = "") -> Proof:
    """The proof for a match. It takes all heads of a month, in turn for whoever asks. Raises Problem."""
    note = await deps.archive.notes.of(match)
    root = None if note is None else {root.month: root for root in await roots(deps)}.get(note.month)
    if note is None or root is None:
        raise Problem("not_proven")
    with deps.matches.hands.one(who or match):
        return await deps.matches.turns.run(who or match, partial(_proven, deps, match, root))


async def _proven(deps: Tables, match: str, root: Root) -> Proof:
    packed = await deps.archive.shelf.get(f"{root.month}/{HEADS}")
    if packed is None:
        raise ArchiveAway(f"What the root of {root.month} is over is not in the archive.")
    return await asyncio.to_thread(_proof, match, packed, root)


def _proof(match: str, packed: bytes, root: Root) -> Proof:
    raw = zlib.decompress(packed)
    leaves = [msgspec.json.decode(line, type=Leaf) for line in raw.splitlines()]
    index = bisect_left(leaves, match, key=lambda leaf: leaf.match)
    if index == len(leaves) or leaves[index].match != match:
        raise Problem("not_proven")
    found = merkle.prove(merkle.levels([leaf.hash for leaf in leaves]), index)
    return Proof(*leaves[index], index, [one.hex() for one in found.path], root)


def check(proof: Proof, ring: Keyring | None) -> str | None:
    """What is wrong with a proof, in words; None if it holds. Without keys the signature is not judged."""
    leaf, root = Leaf(proof.match, proof.events, proof.head), proof.root
    try:
        path = merkle.Proof(proof.index, root.count, [bytes.fromhex(one) for one in proof.path])
        if not merkle.holds(leaf.hash, path, bytes.fromhex(root.root)):
            return "the match is not under this root"
    except ValueError:
        return "it is not a proof"
    if ring is None:
        return None
    if root.key not in ring.ours or root.key in ring.revoked:
        return f"key {root.key} is none of this server's, or was revoked"
    if not ed25519.holds(ring.public[root.key], root.signature, root.statement):
        return f"the signature under the root is not that of key {root.key}"
    return None


def chain(found: list[Root]) -> str | None:
    """What is wrong with the roots of a server in their order; None if each names the one before."""
    prev = codec.ZERO
    for root in found:
        if root.prev != prev:
            return f"the root of {root.month} does not name the one before it"
        prev = codec.digest(root.statement)
    return None


def shown(found: Iterable[Root]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(root) for root in found]


def told(proof: Proof) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(proof)
    return found
