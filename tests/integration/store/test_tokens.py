"""The contract of tokens: shown once, stored hashed, revocable, and over when they are over."""

from __future__ import annotations

import pytest

from infra.people.tokens import Principal, Tokens

pytestmark = pytest.mark.anyio


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tokens(client, clock):
    return Tokens(client, clock)


async def test_a_secret_names_its_owner(tokens):
    id, secret = await tokens.issue("ann", "phone", ["play", "read"])
    assert await tokens.authenticate(secret) == Principal("ann", id, frozenset({"play", "read"}), "token")


async def test_only_a_digest_is_stored(tokens, client):
    _, secret = await tokens.issue("ann", "phone", [])
    stored = await client.hvals("tl:{a:ann}:tokens")
    assert not any(secret.rpartition(".")[2].encode() in value for value in stored)


async def test_strange_secrets_are_nobody(tokens):
    id, secret = await tokens.issue("ann", "phone", [])
    changed = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    foreign = secret.replace("tl.ann.", "tl.bob.")
    for wrong in (
        "",
        "x",
        changed,
        foreign,
        secret + "x",
        secret + "\n",
        f"tl.ann.{id}.",
        "tl.{}.x.y",
        "\ud800",
    ):
        assert await tokens.authenticate(wrong) is None


async def test_a_session_is_over_after_its_time(tokens, clock):
    await tokens.issue("ann", "phone", [])
    _, secret = await tokens.issue("ann", "browser", ["all"], kind="session", ttl=60)
    clock.now += 59
    assert (await tokens.authenticate(secret)).kind == "session"
    clock.now += 1
    assert await tokens.authenticate(secret) is None
    assert [token.label for token in await tokens.list("ann")] == ["phone"]


async def test_tokens_are_listed_newest_first_without_secrets(tokens, clock):
    await tokens.issue("ann", "old", ["play"])
    clock.now += 1
    await tokens.issue("ann", "new", ["read"], ttl=10)
    new, old = await tokens.list("ann")
    assert (new.label, new.created, new.expires) == ("new", 1001_000, 1011_000)
    assert (old.label, old.scopes, old.expires) == ("old", ["play"], None)
    assert await tokens.list("bob") == []


async def test_only_the_owner_revokes(tokens):
    id, secret = await tokens.issue("ann", "phone", [])
    assert not await tokens.revoke("bob", id)
    assert await tokens.authenticate(secret)
    assert await tokens.revoke("ann", id)
    assert not await tokens.revoke("ann", id)
    assert await tokens.authenticate(secret) is None


async def test_all_of_a_kind_are_revoked_together(tokens):
    _, kept = await tokens.issue("ann", "bot", [])
    _, ended = await tokens.issue("ann", "browser", [], kind="session")
    await tokens.revoke_all("ann", "session")
    assert await tokens.authenticate(kept)
    assert await tokens.authenticate(ended) is None
    await tokens.revoke_all("ann")
    assert await tokens.authenticate(kept) is None


async def test_an_id_that_would_break_the_secret_is_a_mistake(tokens):
    with pytest.raises(ValueError, match="cannot be the id"):
        await tokens.issue("a.b", "x", [])
