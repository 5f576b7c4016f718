"""The relay and a worker for notices, moved by hand, and tables at which somebody is waited for."""

import re
from datetime import UTC, datetime, timedelta

from service.bootstrap import Deps
from tests.letterbox import text_of
from workers.jobs import Jobs
from workers.notices import deliver
from workers.relay import Pace, Relay

START = datetime(2026, 11, 16, 9, tzinfo=UTC)
PEOPLE = {"game": "machi-koro", "seats": [{"kind": "me"}, {"kind": "open"}]}
DAY = {"kind": "per_move", "seconds": 86400}


class Hand:
    """The hand that moves the clock."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def on(self, **delta):
        self.now += timedelta(**delta)


class Inline(Jobs):
    """Runs notices at once instead of queueing them."""

    def __init__(self, connection, deps):
        super().__init__(connection)
        self.deps, self.asked = deps, []

    def notices(self, notices):
        self.asked += notices


class Post:
    """The relay and a worker for notices, moved by hand."""

    def __init__(self, deps: Deps, connection):
        self.deps = deps
        self.jobs = Inline(connection, deps)
        self.relay = Relay(deps, self.jobs, Pace(moved_s=0))

    async def run(self):
        while await self.relay.step():
            pass
        self.relay._notices._asked.clear()
        await self.relay.sweep()
        asked, self.jobs.asked = self.jobs.asked, []
        for notice in asked:
            await deliver.deliver(self.deps, notice.member, notice.channel)
        return asked


async def with_mail(house, box, guest, name="mail", to="anna@example.org"):
    """An e-mail channel whose address is confirmed."""
    address = {"kind": "email", "address": to}
    made = await guest.ask("PUT", f"/api/me/channels/{name}", json=address)
    assert made.status_code == 200, made.text
    assert made.json()["confirmed"] is False
    link = text_of(box.letters[-1]).split("/api/confirm/")[1].split()[0]
    assert (await guest.get(f"/api/confirm/{link}")).status_code == 200
    assert (await house.nobody.post(f"/api/confirm/{link}")).status_code == 200
    box.letters.clear()


def subjects(box, to=""):
    """What arrived (at an address), without the names of whom one plays with."""
    letters = [letter for letter in box.letters if to in letter["To"]]
    return [re.sub(r" (with|–) Guest .*$", "", letter["Subject"]) for letter in letters]


async def table(house, clock=DAY, **more):
    """Anna has a seat and Bert is to act; or the other way round. (who waits, who acts, match)"""
    anna, bert = await house.guest(**more), await house.guest()
    match = await anna.open(**PEOPLE, clock=clock)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    match = await anna.look(match)
    if match["to_act"] == [0]:
        while match["to_act"] == [0]:
            match = (await anna.act(match)).json()
    return anna, bert, match


async def until_turn(guest, match, seat):
    match = await guest.look(match)
    while match["to_act"] != [seat]:
        match = (await guest.act(match)).json()
    return match
