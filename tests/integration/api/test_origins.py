"""Whose log is it? Ours come back as they were; of all others the people are nobody here."""

import json
from random import Random

import pytest

from engine import codec, registry, table
from engine.events import Holder, Place
from engine.proof import verify
from engine.table import LogWriter, NewTable
from infra.outside import ed25519
from infra.store import keys
from infra.store.redis import connect_sync
from service.views.signatures import statement
from tests.integration.api.test_logs import exported
from workers.jobs import Jobs
from workers.relay import Relay

pytestmark = pytest.mark.anyio

PRIVATE = {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}], "listed": False}
OTHER = ed25519.make()


async def send(guest, log):
    return await guest.ask("POST", "/api/import", content=log)


async def log_of(guest, match):
    return (await guest.get(f"/api/matches/{match['id']}/log")).content


async def forget(house, *more):
    """A store that lost its matches, but not its accounts and keys."""
    async for key in house.deps.client.scan_iter("tl:{*}:m:*"):
        await house.deps.client.delete(key)
    house.deps.matches._kept.clear()


def signed_by(pair, log, **lies):
    """The same log, signed by another server."""
    *lines, end, _ = log.split(b"\n")
    end = json.loads(end)
    told = {"match": codec.decode(lines[0])["match"], "seq": end["end"], "head": end["head"]} | lies
    end |= {
        "key": ed25519.key_id(pair.public),
        "signature": ed25519.sign(pair.secret, statement(told["match"], told["seq"], told["head"])),
    }
    return b"\n".join([*lines, codec.encode(end), b""])


def made_up(*people, ident="imported", listed=True, most=1000):
    """A match that these people never played: a forger who knows everything writes what the engine would."""
    rng, writer = Random(5), LogWriter(None, "2026-11-16T09:00:00.000Z", people[0])
    places, rules = [Place("open")] * len(people), registry.game("tides-of-time")
    new = NewTable(ident, places, [None] * len(people), rng.randbytes(32), listed)
    table.open_match(writer, rules.key, rules.Options(), new)
    for seat, who in enumerate(people):
        writer.by = who
        table.sit(writer, seat, Holder("person", who))
    while writer.match.status == "running" and writer.match.seq < most:
        seat = rng.choice(writer.match.to_act)
        writer.by = people[seat]
        table.act(writer, seat, rng.choice(list(rules.legal(writer.match.state, seat))))
    return b"\n".join([*writer.lines, verify.closing(writer.match), b""])


async def mine(guest):
    return [item["id"] for item in (await guest.get("/api/matches?mine=1")).json()["items"]]


async def test_a_made_up_match_is_nobodys(house, guest):
    victim, other = await house.guest(), await house.guest()
    log = made_up(victim.who, other.who)
    answer = await send(guest, log)
    assert answer.status_code == 201
    match = answer.json()
    await house.list_it(match["id"])
    assert await mine(victim) == await mine(other) == await mine(guest) == []
    assert (await house.nobody.get("/api/matches")).json()["items"] == []
    assert (await victim.get(f"/api/matches/{match['id']}")).status_code == 404
    assert [seat["name"] for seat in match["seats"]] == ["Somebody", "Somebody 2"]
    assert all(seat["imported"] for seat in match["seats"])
    imported = match["imported"]
    assert (imported["by"], imported["signed"], imported["server"]) == (guest.account["name"], "nobody", None)
    assert victim.account["name"] not in answer.text
    assert await house.deps.ratings.is_left_out(match["id"])
    honest = (await guest.get(f"/api/matches/{match['id']}/verify")).json()
    assert honest["signature"] == {"by": "nobody", "server": None, "key": None}


async def test_what_we_did_not_write_we_do_not_sign(house, guest):
    """Else a made-up log would come back signed, and would be believed here and wherever we are trusted."""
    log = made_up("account:a", "account:b")
    match = (await send(guest, log)).json()
    assert await log_of(guest, match) == log
    match = (await send(guest, made_up("account:a", "account:b", ident="on", most=10))).json()
    end = json.loads((await log_of(guest, match)).splitlines()[-1])
    assert end.keys() == {"end", "head", "redacted"}


async def test_our_own_log_comes_back_as_it_was(house, guest, rng):
    match = await house.play_out(guest, await guest.open(), rng)
    log = await log_of(guest, match)
    stranger = await house.guest()
    await forget(house)
    answer = await send(stranger, log)
    assert answer.status_code == 201
    await house.list_it(match["id"])
    assert await mine(guest) == [match["id"]]
    again = await guest.look(match)
    assert (again["you"], again["imported"], again["seats"]) == (0, None, match["seats"])
    assert await log_of(guest, match) == log


async def test_a_signature_outlives_its_key(house, guest, rng):
    match = await house.play_out(guest, await guest.open(), rng)
    log = await log_of(guest, match)
    old = (await house.nobody.get("/api/keys")).json()["keys"]
    await house.deps.signing.rotate()
    assert await log_of(guest, match) == log
    new = (await house.nobody.get("/api/keys")).json()["keys"]
    assert [key["current"] for key in new] == [False, True]
    assert new[0]["public"] == old[0]["public"]
    assert "secret" not in json.dumps(new)
    verdict = (await guest.get(f"/api/matches/{match['id']}/verify")).json()["signature"]
    assert verdict == {"by": "here", "server": None, "key": old[0]["id"]}
    later = await guest.open()
    end = json.loads((await log_of(guest, later)).splitlines()[-1])
    assert end["key"] == new[1]["id"]


async def test_people_of_a_trusted_server_are_named_after_it(house, guest):
    await house.deps.signing.trust("The Lodge", [OTHER.public])
    victim = await house.guest()
    made = made_up(victim.who, "account:Zuzana1")
    log = signed_by(OTHER, made)
    match = (await send(guest, log)).json()
    short = victim.account["id"][:6]
    assert [seat["name"] for seat in match["seats"]] == [f"{short} at The Lodge", "Zuzana at The Lodge"]
    assert (match["imported"]["signed"], match["imported"]["server"], match["listed"]) == (
        "trusted",
        "The Lodge",
        True,
    )
    await house.list_it(match["id"])
    assert await mine(victim) == []
    listed = (await house.nobody.get("/api/matches")).json()["items"]
    assert [seat["name"] for seat in listed[0]["seats"]] == [f"{short} at The Lodge", "Zuzana at The Lodge"]
    honest = (await guest.get(f"/api/matches/{match['id']}/verify")).json()
    assert (honest["holds"], honest["signature"]["server"]) == (True, "The Lodge")
    assert await log_of(guest, match) == log


async def test_an_unknown_key_is_worth_nothing(house, guest):
    victim = await house.guest()
    log = signed_by(OTHER, made_up(victim.who, "account:b"))
    match = (await send(guest, log)).json()
    assert (match["imported"]["signed"], match["listed"]) == ("unknown", False)
    assert victim.account["name"] not in json.dumps(match)


@pytest.mark.parametrize("lie", [{"match": "another"}, {"seq": 3}, {"head": "0" * 64}])
async def test_a_signature_of_something_else_is_refused(house, guest, lie):
    await house.deps.signing.trust("The Lodge", [OTHER.public])
    answer = await send(guest, signed_by(OTHER, exported("tides-of-time"), **lie))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_signature")
    assert [match async for match in house.deps.store.matches()] == []


async def test_a_cut_log_has_no_signature_of_ours(house, guest, rng):
    """The redacted export of a running match is signed too: not as a log that ends there."""
    match = await guest.open()
    early = json.loads((await log_of(guest, match)).splitlines()[-1])
    match = await house.play_out(guest, match, rng)
    lines = (await log_of(guest, match)).splitlines()[: early["end"]]
    await forget(house)
    del early["redacted"]
    answer = await send(guest, b"\n".join([*lines, codec.encode(early), b""]))
    assert answer.json()["code"] == "bad_signature"


@pytest.mark.parametrize("most", [1000, 10])
async def test_a_made_up_log_does_not_keep_the_true_one_out(house, guest, relay, most):
    """Somebody was faster with the id of a match of another server; what they invented ends or goes on."""
    await house.deps.signing.trust("Lodge", [OTHER.public])
    lie = made_up("account:x", "account:y", most=most)
    assert (await send(guest, lie)).status_code == 201
    await relay.step()
    true = made_up("account:a", "account:b")
    assert (await send(guest, true)).json()["code"] == "log_differs", "unsigned, it is no better"
    host = await house.guest()
    answer = await send(host, signed_by(OTHER, true))
    assert answer.status_code == 201, answer.text
    assert answer.json()["imported"]["server"] == "Lodge"
    assert await log_of(host, answer.json()) == signed_by(OTHER, true)
    while await relay.step():
        pass
    listed = (await house.nobody.get("/api/matches?status=finished")).json()["items"]
    assert [item["id"] for item in listed] == ["imported"]
    assert (await send(guest, lie)).json()["code"] == "log_differs"
    assert (await send(guest, signed_by(OTHER, true))).status_code == 200


async def test_a_true_copy_that_went_on_here_stays(house, guest):
    await house.deps.signing.trust("Lodge", [OTHER.public])
    copy = (await send(guest, made_up("account:a", "account:b", most=10))).json()
    assert (await guest.post(f"/api/matches/{copy['id']}/seats/0")).status_code == 200
    whole = signed_by(OTHER, made_up("account:a", "account:b"))
    assert (await send(guest, whole)).json()["code"] == "log_differs"


async def test_what_a_revoked_key_signed_is_nobodys(house, guest, rng):
    match = await house.play_out(guest, await guest.open(), rng)
    log = await log_of(guest, match)
    stolen = (await house.nobody.get("/api/keys")).json()["keys"][0]
    assert (stolen["current"], stolen["revoked"]) == (True, None)
    await house.deps.signing.revoke(stolen["id"])
    first, second = (await house.nobody.get("/api/keys")).json()["keys"]
    assert (first["current"], second["current"], second["revoked"]) == (False, True, None)
    assert first["revoked"] > 0
    anew = (await house.nobody.get(f"/api/matches/{match['id']}/verify")).json()["signature"]
    assert anew == {"by": "here", "server": None, "key": second["id"]}
    assert (await log_of(guest, match)) != log
    await forget(house)
    imported = (await send(guest, log)).json()
    assert imported["imported"]["signed"] == "unknown"
    assert imported["seats"][0]["name"] == "Somebody"
    judged = (await guest.get(f"/api/matches/{match['id']}/verify")).json()
    assert (judged["signature"]["by"], judged["holds"]) == ("revoked", True)


async def test_a_private_match_that_goes_on_belongs_to_its_importer(house, guest):
    match = (await send(guest, made_up("account:x", "account:y", listed=False, most=10))).json()
    assert (match["status"], match["imported"]["signed"]) == ("running", "nobody")
    assert match["invite"]
    code = match["invite"].split("invite=")[1]
    path = f"/api/matches/{match['id']}/seats"
    assert (await guest.post(f"{path}/0")).json()["you"] == 0
    friend = await house.guest()
    assert (await friend.post(f"{path}/1")).status_code == 404
    sat = await friend.post(f"{path}/1", {"invite": code})
    assert (sat.status_code, sat.json()["you"], sat.json()["seats"][1]["imported"]) == (200, 1, False)
    await house.list_it(match["id"])
    assert await mine(guest) == await mine(friend) == [match["id"]]


async def test_an_import_that_loses_a_race_says_nothing_of_the_winner(house, guest):
    """What is noted of a log before it is stored counts only for whoever stores it."""
    log = exported("tides-of-time")
    match = (await send(guest, log)).json()
    origin = await house.deps.beside.origin(match["id"])
    await house.deps.beside.note_origin(match["id"], origin.__class__("account:late", "", 1, "here"))
    assert await house.deps.beside.origin(match["id"]) == origin
    assert keys.origin(match["id"]).startswith("tl:{")


async def test_nobody_is_told_of_what_came_from_a_file(house, guest, rng):
    from service.notices.plan import accounts

    victim = await house.guest()
    invented = (await send(guest, made_up(victim.who, "account:b"))).json()
    assert accounts(await house.deps.matches.now(invented["id"])) == []
    match = await house.play_out(guest, await guest.open(), rng)
    assert accounts(await house.deps.matches.now(match["id"])) == [guest.account["id"]]
    log = await log_of(guest, match)
    await forget(house)
    assert (await send(guest, log)).status_code == 201
    assert accounts(await house.deps.matches.now(match["id"])) == []


async def test_a_player_shares_a_private_match_with_readers(house, guest, rng):
    """Everybody at the table has a link for others; it lets them read and not sit down."""
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "open"}], listed=False)
    invite = match["invite"].split("invite=")[1]
    friend, stranger = await house.guest(), await house.guest()
    path = f"/api/matches/{match['id']}"
    code = match["share"].split("invite=")[1]
    assert code != invite
    for body in ({}, {"invite": code}):
        refused = await stranger.post(f"{path}/seats/1", body)
        assert (refused.status_code, refused.json()["code"]) in ((404, "not_found"), (403, "wrong_invite"))
    assert (await stranger.post(f"{path}/seats", {"invite": code})).status_code == 403
    sat = (await friend.post(f"{path}/seats/1", {"invite": invite})).json()
    assert (sat["invite"], sat["share"]) == (None, match["share"])
    assert (await stranger.get(path)).status_code == 404
    read = await stranger.get(f"{path}?invite={code}")
    assert (read.status_code, read.json()["you"], read.json()["share"]) == (200, None, None)
    assert (await house.nobody.get(f"{path}/log?invite={code}")).status_code == 200
    assert (await guest.open())["share"] is None  # a listed match needs no link


async def test_a_log_is_judged_offline(house, guest, rng):
    from service.views import signatures

    match = await house.play_out(guest, await guest.open(), rng)
    log = await log_of(guest, match)
    ring = signatures.published((await house.nobody.get("/api/keys")).content)
    assert ring.judge(match["id"], verify.ending(log)).by == "here"
    assert ring.judge("another", verify.ending(log)).by == "forged"
    assert signatures.keyring([], {}).judge(match["id"], verify.ending(log)).by == "unknown"
    with pytest.raises(ValueError, match="64 hex"):
        signatures.published(b'{"keys":[{"public":"zz"}]}')


@pytest.fixture
async def relay(deps, embedded):
    connection = connect_sync(embedded.url)
    relay = Relay(deps, Jobs(connection))
    await relay.step()  # from now on it is told of everything
    yield relay
    connection.close()


async def test_a_match_is_signed_when_it_ends(house, guest, rng, relay):
    """Not when somebody first asks for its log: by then another key may sign."""
    match = await house.play_out(guest, await guest.open(), rng)
    assert await house.deps.beside.signature(match["id"]) is None
    while await relay.step():
        pass
    kept = await house.deps.beside.signature(match["id"])
    await house.deps.signing.rotate()
    end = verify.ending(await log_of(guest, match))
    assert (end.key, end.signature) == kept


async def test_the_relay_plans_no_letter_for_a_made_up_match(house, guest, relay):
    victim = await house.guest()
    match = (await send(guest, made_up(victim.who, guest.who))).json()
    assert await relay.step() == 1
    assert await house.deps.client.zrange(keys.NOTICES, 0, -1) == []
    assert await mine(victim) == await mine(guest) == []
    assert await house.deps.beside.signature(match["id"]) is None
