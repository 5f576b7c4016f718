"""What a house says of itself when it starts."""

from __future__ import annotations

import pytest

from infra.process.settings import Settings
from service.cli.house.fitting import links

MAIL, HOME = "smtp://mail.example.org", "https://play.example.org"


@pytest.mark.parametrize(
    ("host", "mail", "public", "warned"),
    [
        ("0.0.0.0", None, None, True),
        ("::", MAIL, None, True),
        ("127.0.0.1", MAIL, None, True),
        ("localhost", MAIL, None, True),
        ("127.0.0.1", None, None, False),  # a house for its own machine, and nobody gets letters
        ("play.example.org", MAIL, None, False),
        ("0.0.0.0", MAIL, HOME, False),
    ],
)
def test_an_operator_is_told_of_links_that_nobody_can_open(host, mail, public, warned):
    chosen = Settings(host=host, smtp_url=mail, public_url=public)
    said = links(chosen)
    assert (said is not None) is warned
    assert said is None or chosen.base in said
