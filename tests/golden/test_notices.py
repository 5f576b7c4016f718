"""What people read in notices is kept; `make golden` writes it anew."""

import pytest

from engine import registry
from tests.golden.notices import LANGS, path, text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", registry.GAMES)
def test_notices_read_as_they_did(key: str, lang: str) -> None:
    assert path(key, lang).exists(), "run `make golden`"
    assert text(key, lang) == path(key, lang).read_text(encoding="utf-8")


@pytest.mark.parametrize("key", registry.GAMES)
def test_notices_are_in_both_languages(key: str) -> None:
    en, cs = (path(key, lang).read_text(encoding="utf-8") for lang in LANGS)
    assert "Since your last turn:" in en
    assert "Od tvého posledního tahu:" in cs
    assert "{" not in en + cs
