"""Remote bots for tests of the API: registered, seated, and told as the relay would."""

from service.views.summary import summary
from tests.integration.api.conftest import Guest
from workers.webhooks.schedule import Calls

WANTED = {"games": ["tides-of-time"], "delivery": {"kind": "stream"}, "capacity": 2}


class NoJobs:
    """Nobody works here: what a bot is told by hand needs no queue."""

    def calls(self, calls): ...

    def stand_ins(self, turns): ...


async def register(guest, name="robo", **more):
    answer = await guest.post("/api/bots", {"name": name, **WANTED, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def code(answer):
    return answer.status_code, answer.json()["code"]


def robot(house, made):
    return Guest(house.client, None, made["token"])


async def seated(house, guest, name="robo", **more):
    """A match of a guest with a bot, as the relay would have passed it on."""
    match = await guest.open(seats=[{"kind": "me"}, {"kind": "remote", "bot": name}], **more)
    await passed_on(house, match["id"])
    return match


async def passed_on(house, ident, first=1):
    match = await house.deps.matches.now(ident)
    starts = await house.deps.clocks.starts(match)
    await house.deps.readmodel.put(summary(match, await house.deps.clocks.deadlines(match), starts))
    await Calls(house.deps, NoJobs()).plan(match, first)
