"""The root of a month: published once, signed, chained, with a proof for every match."""

import asyncio
import json

import msgspec
import pytest

from engine import codec
from engine.proof.verify import read
from infra.store import keys
from service.archive import months, moving
from service.archive.months import Leaf, Proof, Root
from service.cli import main
from service.memory.answers import IN_HAND
from service.views import signatures
from tests.integration.archive.test_archive import EVERYTHING, archive_all, play
from workers.archivist import Archivist

pytestmark = pytest.mark.anyio


@pytest.fixture
async def two_months(archived_house, calendar, rng):
    """Five matches archived in November and two in December; then it is January."""
    house, guest = archived_house, await archived_house.guest()
    first = [await play(house, guest, rng) for _ in range(5)]
    await archive_all(house.deps)
    calendar.on(days=30)
    second = [await play(house, guest, rng) for _ in range(2)]
    for match in second:
        await moving.over(house.deps, match["id"])
    await moving.move(house.deps, EVERYTHING)
    calendar.on(days=20)
    return house, guest, first, second


async def test_roots_are_published_when_their_month_is_over(two_months, calendar):
    house, guest, first, second = two_months
    early = await guest.get(f"/api/matches/{first[0]['id']}/proof")
    assert (early.status_code, early.json()["code"]) == (409, "not_proven")
    calendar.on(days=-20)  # December: only November is over
    assert [root.month for root in await months.close(house.deps)] == ["2026-11"]
    calendar.on(days=20)
    await Archivist(house.deps).step()
    answer = await house.nobody.get("/api/archive/roots")
    november, december = (Root(**item) for item in answer.json()["items"])
    assert (november.month, november.count, november.prev) == ("2026-11", 5, codec.ZERO)
    assert (december.month, december.count) == ("2026-12", 2)
    assert december.prev == codec.digest(november.statement)
    assert await months.close(house.deps) == [], "what was said stays"
    ring = await signatures.known(house.deps)
    for match in (*first, *second):
        proof = msgspec.convert((await guest.get(f"/api/matches/{match['id']}/proof")).json(), Proof)
        assert months.check(proof, ring) is None
        _, lines = read((await guest.get(f"/api/matches/{match['id']}/log")).content)
        assert (proof.head, proof.events) == (codec.digest(lines[-1]), len(lines))
        assert proof.root in (november, december)


async def test_whoever_waits_for_a_proof_has_no_month_in_memory_yet(two_months, monkeypatch):
    house, _, first, _ = two_months
    await months.close(house.deps)
    path, got, shelf = f"/api/matches/{first[0]['id']}/proof", [], house.deps.archive.shelf
    assert (await house.nobody.get(path)).status_code == 200
    get = shelf.get

    async def noted(name):
        got.append(name)
        return await get(name)

    monkeypatch.setattr(shelf, "get", noted)
    turns = house.deps.matches.turns
    await turns.enter("somebody else")
    asked = [asyncio.create_task(house.nobody.get(path)) for _ in range(IN_HAND + 1)]
    for _ in range(500):
        if sum(map(len, turns._lines.values())) == IN_HAND:
            break
        await asyncio.sleep(0.01)
    assert got == []
    turns.leave()
    statuses = sorted([(await one).status_code for one in asked])
    assert (statuses, len(got)) == ([200] * IN_HAND + [429], IN_HAND)


async def test_no_changed_proof_holds(two_months):
    house, _, first, _ = two_months
    await months.close(house.deps)
    ring = await signatures.known(house.deps)
    good = await months.prove(house.deps, first[2]["id"])
    change = msgspec.structs.replace
    root = good.root
    other = (await house.deps.signing.rotate()).id
    forged = [
        change(good, head=codec.ZERO),
        change(good, events=good.events + 1),
        change(good, match="another"),
        change(good, index=(good.index + 1) % 5),
        change(good, index=99),
        change(good, path=good.path[:-1]),
        change(good, path=[*good.path, codec.ZERO]),
        change(good, path=["zz"]),
        change(good, root=change(root, root=codec.ZERO)),
        change(good, root=change(root, count=4)),
        change(good, root=change(root, prev="0" * 63 + "1")),
        change(good, root=change(root, month="2026-10")),
        change(good, root=change(root, signature="00" * 64)),
        change(good, root=change(root, key=other)),
    ]
    assert months.check(good, ring) is None
    for proof in forged:
        assert months.check(proof, ring) is not None, proof
    assert await house.deps.signing.revoke(root.key)
    assert "revoked" in months.check(good, await signatures.known(house.deps))


async def test_a_rewritten_match_is_not_under_the_root(two_months):
    """The operator forges note and head: the published root says otherwise."""
    house, _, first, _ = two_months
    deps, ident = house.deps, first[0]["id"]
    await months.close(deps)
    proof = await months.prove(deps, ident)
    fake = msgspec.structs.replace(proof, head=codec.digest(b"another end"))
    assert months.check(fake, None) == "the match is not under this root"
    tree = [Leaf(ident, fake.events, fake.head)]
    remade = Root("2026-11", 5, months._root(tree).hex(), codec.ZERO)
    assert remade.root != proof.root.root, "and another root is another statement"


async def test_a_chain_with_a_changed_month_is_noticed(two_months):
    house = two_months[0]
    await months.close(house.deps)
    found = await months.roots(house.deps)
    assert months.chain(found) is None
    changed = [msgspec.structs.replace(found[0], root=codec.ZERO), found[1]]
    assert "2026-12" in months.chain(changed)
    assert "2026-12" in months.chain(found[1:])


async def test_damage_delays_a_root_instead_of_forging_it(two_months, shelf):
    house, deps = two_months[0], two_months[0].deps
    name, (_, size) = next(iter((await deps.archive.notes.segments()).items()))
    data = await shelf.get(name)
    for broken in (data[:-1], data[:-40] + b"x" * 40, b""):
        await shelf.put(name, broken)
        with pytest.raises(Exception, match="cannot be read"):
            await months.close(deps)
        assert await months.roots(deps) == []
    await shelf.put(name, data)
    assert len(await months.close(deps)) == 2
    assert size == len(data)
    assert (await house.nobody.get("/api/archive/roots")).status_code == 200


async def test_anybody_can_check_at_home(two_months, tmp_path, capsys):
    house, guest, first, _ = two_months
    await months.close(house.deps)
    ident = first[1]["id"]
    for path, name in (
        (f"/api/matches/{ident}/proof", "proof.json"),
        (f"/api/matches/{ident}/log", "match.ndjson"),
        (f"/api/matches/{first[0]['id']}/log", "other.ndjson"),
        ("/api/keys", "keys.json"),
        ("/api/archive/roots", "roots.json"),
    ):
        (tmp_path / name).write_bytes((await guest.get(path)).content)
    proof, log, other, kept = (
        str(tmp_path / name) for name in ("proof.json", "match.ndjson", "other.ndjson", "roots.json")
    )
    keys_of = ["--keys", str(tmp_path / "keys.json"), "--roots", kept]
    assert main(["archive", "check", proof, log, *keys_of]) == 0
    assert f"match {ident} is under the root of 2026-11, signed with key" in capsys.readouterr().out
    assert main(["archive", "check", proof]) == 0
    assert "was not checked" in capsys.readouterr().out
    assert main(["archive", "check", proof, other]) == 1
    roots = json.loads((tmp_path / "roots.json").read_bytes())
    roots["items"][0]["root"] = codec.ZERO
    (tmp_path / "roots.json").write_text(json.dumps(roots))
    assert main(["archive", "check", proof, log, *keys_of]) == 1
    (tmp_path / "proof.json").write_text("{}")
    assert main(["archive", "check", proof]) == 2


async def test_private_matches_are_proven_to_those_who_may_read_them(two_months, rng):
    house, guest, first, _ = two_months
    await months.close(house.deps)
    private = await house.play_out(guest, await guest.open(listed=False), rng)
    assert (await house.nobody.get(f"/api/matches/{first[0]['id']}/proof")).status_code == 200
    assert (await house.nobody.get(f"/api/matches/{private['id']}/proof")).status_code == 404
    assert (await guest.get(f"/api/matches/{private['id']}/proof")).status_code == 409
    assert await house.deps.client.hlen(keys.ROOTS) == 2
