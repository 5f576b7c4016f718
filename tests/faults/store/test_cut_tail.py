"""A house whose machine lost power: its next start says what was cut off, and goes on."""

import pytest

from tests.house import house

pytestmark = pytest.mark.fault

CUT = b"*5\r\n$4\r\nXADD\r\n$15\r\ntl:{40}:m:m:log\r\n$3\r\n1-0\r\n$1\r\ne\r\n$9"


def test_the_next_start_says_what_was_lost(tmp_path):
    data, said = tmp_path / "data", tmp_path / "said.log"
    with house(data) as here:
        token = here.guest("Anna")
    (file,) = (data / "store/appendonlydir").glob("*.incr.aof")
    with file.open("ab") as out:
        out.write(CUT)
    with house(data, said) as again:
        assert again.call("GET", "/api/me", token=token).json["name"] == "Anna"
    text = said.read_text(encoding="utf-8")
    assert (
        "appendonly.aof.1.incr.aof is damaged at its end: 54 bytes cannot be read (match m event 1)" in text
    )
    (kept,) = (data / "store").glob("*.tail-*")
    assert kept.read_bytes() == CUT
