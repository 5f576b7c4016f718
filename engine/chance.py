"""Sealed dice: every outcome follows from a seed that is sealed before play and opened afterwards.

key = HMAC-SHA256(seed, the seats' nonces and the bond joined by ","). The bond is the hash of the last event
before the start (of a fork: before its first action), so that nobody changes who sits at a table, or on which
terms, and keeps its dice; logs that name no revision of their rules have none. Draw number n takes the first
8 bytes of HMAC-SHA256(key, "n:k") for k = 0, 1, … until the number falls below the largest multiple of the
total weight (no outcome is favoured), and walks along the odds.
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from engine.game import Odds, Pick

SPAN = 2**64
BLOCK = 64  # bytes that SHA-256 takes at a time
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))  # as RFC 2104 has it


def seal(seed: bytes) -> str:
    """What everybody sees before the match starts."""
    return hashlib.sha256(seed).hexdigest()


def salt(seed: bytes, seq: int) -> str:
    """Makes an event's hash useless for guessing what the event hides."""
    return _hmac(seed, f"salt:{seq}")[:16].hex()


def private(seed: bytes, purpose: str) -> Random:
    """A generator for choices that nobody may foretell before the seed is opened: those of bots."""
    return Random(_hmac(seed, f"private:{purpose}"))


def dice(seed: bytes, nonces: Sequence[str]) -> Pick:
    """The dice of a stored match."""
    return _dice(seed, ",".join(nonces))


@lru_cache(maxsize=4096)  # a match in play asks for its dice at every action
def _dice(seed: bytes, nonces: str) -> Pick:
    inner, outer = _halves(_hmac(seed, nonces))

    def pick(odds: Odds[Any], n: int) -> Any:
        outcomes, even = odds.outcomes, odds.weights is None
        total = len(outcomes) if even else odds.total
        limit = SPAN - SPAN % total
        k, x = -1, SPAN
        while x >= limit:
            k += 1
            one, two = inner.copy(), outer.copy()
            one.update(b"%d:%d" % (n, k))
            two.update(one.digest())
            x = int.from_bytes(two.digest()[:8], "big")
        return outcomes[x % total] if even else odds.at(x % total)

    return pick


def _halves(key: bytes) -> "tuple[hashlib._Hash, hashlib._Hash]":
    """HMAC's two hashes with the key already in them: a draw need not begin with the key each time."""
    padded = key.ljust(BLOCK, b"\0")
    return hashlib.sha256(padded.translate(INNER)), hashlib.sha256(padded.translate(OUTER))


def quick(rng: Random) -> Pick:
    """Fast dice for simulations and search; a stored log never uses them."""
    random = rng.random

    def pick(odds: Odds[Any], _n: int) -> Any:
        outcomes = odds.outcomes
        if odds.weights is None:
            return outcomes[int(random() * len(outcomes))]
        return odds.at(int(random() * odds.total))

    return pick


def prepared(outcomes: Sequence[Any]) -> Pick:
    """Dice that fall as told: audits feed the stored outcomes, rule cases their decks."""
    queue = iter(outcomes)

    def pick(odds: Odds[Any], n: int) -> Any:
        outcome = next(queue, None)
        if outcome is None:
            raise ValueError(f"draw {n}: no prepared outcome left")
        if outcome not in odds.outcomes:
            raise ValueError(f"draw {n}: {outcome!r} is not among the outcomes")
        return outcome

    return pick


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
