"""Ids go into addresses, keys and command lines as they are."""

from __future__ import annotations

import secrets

from infra.process.ids import new_id


def test_no_id_begins_with_a_dash(monkeypatch):
    drawn = iter(["-looks-like-an-option", "--too", "a-b_c"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn))
    assert new_id() == "a-b_c"


def test_ids_differ():
    assert len({new_id(9) for _ in range(1000)}) == 1000
