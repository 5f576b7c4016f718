"""One hash over many leaves, and a short proof for each: a Merkle tree as in RFC 6962. Pure.

Whoever has the root can check a leaf with as many hashes as the tree has levels, and nobody can make up a
leaf that was not there when the root was published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

EMPTY = hashlib.sha256().digest()


class Proof(NamedTuple):
    """The hashes beside the way from a leaf to the root, the lowest first; `place` counts from 0."""

    place: int
    width: int
    path: list[bytes]


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """All levels of the tree over these hashes of leaves, the lowest first. One without a sibling rises."""
    found = [list(leaves)]
    while len(found[-1]) > 1:
        below = found[-1]
        above = [node(below[n], below[n + 1]) for n in range(0, len(below) - 1, 2)]
        found.append(above + below[len(above) * 2 :])
    return found


def root(tree: Sequence[Sequence[bytes]]) -> bytes:
    """
    >>> root(levels([])).hex()[:8]
    'e3b0c442'
    """
    return tree[-1][0] if tree[-1] else EMPTY


def prove(tree: Sequence[Sequence[bytes]], index: int) -> Proof:
    """
    >>> leaves = [leaf(text) for text in (b"a", b"b", b"c")]
    >>> [holds(one, prove(levels(leaves), n), root(levels(leaves))) for n, one in enumerate(leaves)]
    [True, True, True]
    """
    path, n = [], index
    for level in tree[:-1]:
        if n ^ 1 < len(level):
            path.append(level[n ^ 1])
        n //= 2
    return Proof(index, len(tree[0]), path)


def holds(found: bytes, proof: Proof, root: bytes) -> bool:
    """Whether this hash of a leaf is in the tree of that root, at that place.

    >>> holds(leaf(b"d"), Proof(0, 1, []), leaf(b"c"))
    False
    """
    n, width, rest = proof.place, proof.width, list(proof.path)
    if not 0 <= n < width:
        return False
    while width > 1:
        if n ^ 1 < width:
            if not rest:
                return False
            other = rest.pop(0)
            found = node(other, found) if n & 1 else node(found, other)
        n, width = n // 2, (width + 1) // 2
    return not rest and found == root
