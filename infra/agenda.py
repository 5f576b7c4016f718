"""When which notice is due, in the store: noted before anything else, so that nothing is lost on the way."""

from collections.abc import Iterable

from infra.redis import Client, ask

PLAN = "tl:notices"  # sorted set: notice -> when it is due


async def note(client: Client, due: Iterable[tuple[str, float]]) -> None:
    """Note what is due when, in seconds. An earlier moment wins.

    One that must wait (for another try, for a later deadline) is looked at when its time seems to have come,
    and put off again.
    """
    scored = [part for member, moment in due for part in (int(moment * 1000), member)]
    if scored:
        await ask(client, "ZADD", PLAN, "LT", *scored)


async def due_by(client: Client, moment: float, most: int) -> list[str]:
    """The first notices whose time has come."""
    found = await ask(client, "ZRANGE", PLAN, "-inf", int(moment * 1000), "BYSCORE", "LIMIT", 0, most)
    return [raw.decode() for raw in found]


async def put_off(client: Client, member: str, moment: float) -> None:
    await ask(client, "ZADD", PLAN, "XX", int(moment * 1000), member)


async def forget(client: Client, member: str) -> None:
    await ask(client, "ZREM", PLAN, member)
