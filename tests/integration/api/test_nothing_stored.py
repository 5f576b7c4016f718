"""Bad input around time, seats and notices: a clear refusal, and not one byte of the store changes."""

import dataclasses

import pytest

from infra.outside.mail import Mail
from infra.outside.outward import GuardedHttp
from infra.people.channels import Channel
from service.notices import channels

pytestmark = pytest.mark.anyio
TWO = [{"kind": "me"}, {"kind": "open"}]
SEEN = b"tl:guests"


async def contents(house):
    """Everything in the store, byte for byte; but when a guest was last seen, every request changes."""
    keys = sorted([key async for key in house.deps.client.scan_iter(count=1000) if key != SEEN])
    return {key: await house.deps.client.dump(key) for key in keys}


@pytest.fixture
async def house(deps, open_another):
    """A house that could send mail, and has the guard of every house."""
    mail = Mail("smtp://127.0.0.1:9", "house@example.org")  # nobody listens there
    async with open_another(dataclasses.replace(deps, mail=mail, outward=GuardedHttp())) as house:
        yield house


async def refused(house, guest, method, path, body, status, code):
    before = await contents(house)
    answer = await guest.ask(method, path, json=body)
    assert (answer.status_code, answer.json().get("code")) == (status, code), answer.text
    assert answer.json()["detail"].strip()
    assert await contents(house) == before


ZONES = ["Europe/Nowhere", "", "../../etc/passwd", "Europe/Prague\n", "localtime", "right/UTC", "x" * 500]


@pytest.mark.parametrize("zone", ZONES)
async def test_an_unknown_time_zone(house, zone):
    anna = await house.guest()
    await refused(house, anna, "PATCH", "/api/me", {"tz": zone}, 400, "bad_setting")
    newcomer = {"name": "Zoe", "tz": zone}
    await refused(house, house.nobody, "POST", "/api/accounts", newcomer, 400, "bad_setting")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"quiet_hours": {"from": "22:00", "to": "22:00"}}, "bad_setting"),
        ({"quiet_hours": {"from": "08:00", "to": "07:00"}}, "bad_setting"),
        ({"quiet_hours": {"from": "24:00", "to": "07:00"}}, "bad_request"),
        ({"quiet_hours": {"from": "22:00"}}, "bad_request"),
        ({"vacation": {"from": "2026-02-30", "to": "2026-03-01"}}, "bad_setting"),
        ({"vacation": {"from": "2999-01-02", "to": "2999-01-01"}}, "bad_setting"),
        ({"notify": {"mode": "each", "reminders": [0]}}, "bad_request"),
        ({"notify": {"mode": "shout"}}, "bad_request"),
        ({"notify": {"mode": "digest", "digest_at": "25:00"}}, "bad_request"),
        # One that makes sense and one that does not: neither is kept.
        ({"locale": "cs", "quiet_hours": {"from": "22:00", "to": "22:00"}}, "bad_setting"),
    ],
)
async def test_hours_and_wishes_that_make_no_sense(house, settings, code):
    anna = await house.guest()
    await refused(house, anna, "PATCH", "/api/me", settings, 400, code)


@pytest.mark.parametrize(
    ("clock", "code"),
    [
        ({"kind": "per_move", "seconds": 0}, "bad_request"),
        ({"kind": "per_move", "seconds": -60}, "bad_request"),
        ({"kind": "per_move", "seconds": 10**15}, "bad_request"),
        ({"kind": "per_move", "seconds": 1.5}, "bad_request"),
        ({"kind": "bank", "seconds": 60, "increment": 10**12}, "bad_request"),
        ({"kind": "bank", "seconds": 600, "cap": 60}, "bad_clock"),
        ({"kind": "hourglass"}, "bad_request"),
    ],
)
async def test_absurd_durations(house, clock, code):
    anna = await house.guest()
    wanted = {"game": "machi-koro", "seats": TWO, "clock": clock}
    await refused(house, anna, "POST", "/api/matches", wanted, 400, code)


async def test_an_invitation_used_twice_or_after_the_start(house):
    anna, bert, eve = await house.guest(), await house.guest(), await house.guest()
    seats = [{"kind": "me"}, {"kind": "invite"}]
    match = await anna.open(game="machi-koro", seats=seats, listed=False)
    invite = {"invite": match["invite"].partition("invite=")[2]}
    seat, join = f"/api/matches/{match['id']}/seats/1", f"/api/matches/{match['id']}/seats"
    await refused(house, bert, "POST", seat, {"invite": "0" * 24}, 404, "not_found")
    assert (await bert.post(seat, invite)).status_code == 200
    await refused(house, bert, "POST", join, invite, 409, "already_seated")
    await refused(house, eve, "POST", join, invite, 409, "not_open")
    await refused(house, eve, "POST", seat, invite, 409, "not_open")


async def test_a_substitutes_link_used_twice(house):
    anna, bert, eve, mia = [await house.guest() for _ in range(4)]
    match = await anna.open(game="machi-koro", seats=TWO)
    seat = f"/api/matches/{match['id']}/seats/1"
    await bert.post(seat)
    await bert.post(f"{seat}/leave")
    code = {"invite": (await bert.post(f"{seat}/invite")).json()["code"]}
    assert (await eve.post(seat, code)).status_code == 200
    await refused(house, mia, "POST", seat, code, 403, "wrong_invite")


@pytest.mark.parametrize("nonce", ["n" * 65, "a,b", "a\nb", "ž" * 65])
async def test_a_nonce_that_cannot_be(house, nonce):
    anna, bert = await house.guest(), await house.guest()
    match = await anna.open(game="machi-koro", seats=TWO)
    for path in ("seats/1", "seats"):
        answer = await bert.post(f"/api/matches/{match['id']}/{path}", {"nonce": nonce})
        assert answer.json()["code"] in ("bad_nonce", "bad_request")
        assert await house.length(match) == match["seq"]


def mail_of(guest):
    return Channel("mail", "email", {"address": f"{guest.account['id']}@example.org"}, 0)


def token_for(house, purpose, guest, channel):
    return channels.link(house.deps, purpose, guest.account["id"], channel).rpartition("/")[2]


async def test_an_unsubscribe_link_of_somebody_else(house):
    """It says whose channel it is, signed for that one purpose: nobody makes one up from their own."""
    anna, eve = await house.guest(), await house.guest()
    for who in (anna, eve):
        await house.deps.channels.put(who.account["id"], mail_of(who))
    own = token_for(house, "unsubscribe", eve, mail_of(eve))
    wanted = token_for(house, "confirm", anna, mail_of(anna))  # says the same of Anna, for another purpose
    payload, signature = wanted.rpartition(".")[0], own.rpartition(".")[2]
    old = token_for(house, "unsubscribe", anna, mail_of(eve))  # an address that Anna's channel does not have
    for forged in (wanted, f"{payload}.{signature}", payload, old, own[:-1], "x", "%00"):
        await refused(house, eve, "POST", f"/api/unsubscribe/{forged}", None, 404, "bad_link")
    assert (await eve.post(f"/api/unsubscribe/{own}")).status_code == 200
    assert len(await house.deps.channels.of(anna.account["id"])) == 1


@pytest.mark.parametrize(
    "channel",
    [
        {"kind": "email", "address": "anna@example.org\r\nBcc: eve@example.org"},
        {"kind": "email", "address": "anna@example.org\nSubject: hello"},
        {"kind": "email", "address": "anna@example.org%0aBcc:eve@example.org"},
        {"kind": "email", "address": "Anna <anna@example.org>"},
        {"kind": "email", "address": "a@example.org, b@example.org"},
        {"kind": "webhook", "url": "https://127.0.0.1/"},
        {"kind": "webhook", "url": "https://10.0.0.8/"},
        {"kind": "webhook", "url": "https://[::ffff:192.168.1.1]/"},
        {"kind": "webhook", "url": "https://169.254.169.254/latest/meta-data"},
        {"kind": "webhook", "url": "http://93.184.216.34/"},
        {"kind": "ntfy", "url": "https://192.168.0.1/topic"},
        {"kind": "matrix", "url": "https://[fd00::1]", "room": "!a:b", "token": "t"},
        {
            "kind": "webpush",
            "subscription": {
                "endpoint": "https://127.0.0.1/",
                "keys": {"p256dh": "B" + "A" * 86, "auth": "A" * 22},
            },
        },
    ],
)
async def test_channels_that_lead_astray(house, channel):
    anna = await house.guest()
    await refused(house, anna, "PUT", "/api/me/channels/one", channel, 400, "bad_channel")
