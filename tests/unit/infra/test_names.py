"""Which names are allowed, and which read the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.people.names import fold
from infra.process.errors import BadName


@pytest.mark.parametrize("name", ["Ann", "Jiří Novák", "李", "🎲", "x" * 40, "o'Neil-3"])
def test_ordinary_names_are_allowed(name):
    assert fold(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "aNN"),
        ("Straße", "STRASSE"),
        ("ﬁn", "fin"),
        ("Ａｎｎ", "ann"),
        ("Jir\u030ci", "Jiři"),
        ("a  b", "a b"),
    ],
)
def test_names_that_read_the_same_are_the_same(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("x" * 41, "too_long"),
        (" Ann", "space"),
        ("Ann ", "space"),
        ("\u00a0Ann", "space"),
        ("   ", "space"),
        ("An\nn", "invisible"),
        ("An\x00n", "invisible"),
        ("An\u200bn", "invisible"),
        ("\u202eAnn", "invisible"),
        ("An\u2028n", "invisible"),
        ("\ud800", "invisible"),
        ("\u3164", "invisible"),
    ],
)
def test_other_names_are_refused_with_a_reason(name, reason):
    with pytest.raises(BadName) as refused:
        fold(name)
    assert refused.value.reason == reason


@given(st.text(max_size=45))
def test_folding_is_total_and_stable(name):
    try:
        folded = fold(name)
    except BadName:
        return
    assert folded
    assert folded == folded.strip()
    assert len(folded) > 40 or fold(folded) == folded
