"""One value, one spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import codec

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-codec.SAFE, codec.SAFE) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
def test_encoding_is_canonical_and_reversible(value: object) -> None:
    line = codec.encode(value)
    assert codec.is_canonical(line)
    assert codec.decode(line) == value


@pytest.mark.parametrize(
    "line",
    [
        b'{"b":1,"a":2}',
        b'{"a": 1}',
        b"1.0",
        b"1e3",
        b"9007199254740992",
        b'"\\u0041"',
        b'{"a":1,"a":1}',
        b"[1,2",
        b"",
        b"\xff",
        b' {"a":1}',
        b'"\xff"',
        b"[" * 100_000,
    ],
)
def test_other_spellings_are_not_canonical(line: bytes) -> None:
    assert not codec.is_canonical(line)


def test_keys_are_sorted_by_code_point() -> None:
    assert codec.encode({"č": 1, "z": 2, "A": 3}) == '{"A":3,"z":2,"č":1}'.encode()


def test_big_integers_become_hex_in_a_packed_state() -> None:
    board = 1 << 174
    assert codec.pack({"board": board, "small": 5}) == {"board": hex(board), "small": 5}
    assert codec.unpack({"board": hex(board), "small": 5}, dict[str, int]) == {"board": board, "small": 5}
