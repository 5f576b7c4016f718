"""Sealed dice: the formula, its fairness, and that the order of the odds is all that matters."""

import hashlib
import hmac
from collections import Counter
from random import Random

import pytest

from engine.chance import dice, prepared, private, quick, salt, seal
from engine.game import Odds

SEED = bytes(range(32))


def test_a_draw_follows_the_published_formula() -> None:
    key = hmac.new(SEED, b"anna,bert", hashlib.sha256).digest()
    pick = dice(SEED, ["anna", "bert"])
    for n in range(60):
        x = _number(key, n, 0)
        assert pick(Odds(["a", "b", "c"], [1, 2, 3]), n) == "abbccc"[x % 6]
        assert pick(Odds(["a", "b", "c", "d", "e", "f"]), n) == "abcdef"[x % 6]


def test_numbers_beyond_the_last_multiple_are_rolled_again() -> None:
    key = hmac.new(SEED, b"", hashlib.sha256).digest()
    total = 2**63 + 1  # nearly every second number falls outside
    odds = Odds(["low", "high"], [2**62, total - 2**62])
    tries = []
    for n in range(20):
        k = 0
        while (x := _number(key, n, k)) >= total:
            k += 1
        tries.append((k, _number(key, n, 0) % total < 2**62, x < 2**62))
        assert dice(SEED, [""])(odds, n) == ("low" if x < 2**62 else "high")
    assert any(k > 0 and first != last for k, first, last in tries), (
        "none that a first number would get wrong"
    )


def _number(key: bytes, n: int, k: int) -> int:
    return int.from_bytes(hmac.new(key, b"%d:%d" % (n, k), hashlib.sha256).digest()[:8], "big")


def test_private_choices_fall_alike_for_who_knows_the_seed() -> None:
    assert private(SEED, "bot:4:1:0").random() == private(SEED, "bot:4:1:0").random()
    assert private(SEED, "bot:4:1:0").random() != private(SEED, "bot:4:1:1").random()
    assert private(SEED, "bot:4:1:0").random() != private(bytes(32), "bot:4:1:0").random()


def test_the_seal_and_salts_show_nothing_of_the_seed() -> None:
    assert seal(SEED) == hashlib.sha256(SEED).hexdigest()
    assert salt(SEED, 3) == hmac.new(SEED, b"salt:3", hashlib.sha256).digest()[:16].hex()
    assert salt(SEED, 3) != salt(SEED, 4)


def test_dice_are_fair() -> None:
    pick = dice(SEED, ["x"])
    counts = Counter(pick(Odds([1, 2, 3, 4, 5, 6]), n) for n in range(6000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(850 < count < 1150 for count in counts.values())


def test_weights_are_kept_by_quick_dice_too() -> None:
    pick = quick(Random(1))
    counts = Counter(pick(Odds("ab", [1, 3]), n) for n in range(4000))
    assert 850 < counts["a"] < 1150


def test_prepared_dice_refuse_what_cannot_happen() -> None:
    pick = prepared(["x", "z"])
    assert pick(Odds(["x", "y"]), 0) == "x"
    with pytest.raises(ValueError, match="not among the outcomes"):
        pick(Odds(["x", "y"]), 1)
    with pytest.raises(ValueError, match="no prepared outcome left"):
        pick(Odds(["x", "y"]), 2)
