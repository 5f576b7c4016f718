"""What lists have and should not: found in a walk over all of them, a page at a time, while everybody plays.

Only what lists say of themselves is compared: an index with the note of its match, an account's lists with
what it knows of each match, and that with the match's summary. Whoever derives summaries looks at the logs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, cast

from infra.store import keys
from infra.store.lists.places import MATCHES, Places, tell
from infra.store.redis import Client, ask, reaching, read_keys
from infra.store.scripts import Arg, Script

PAGE = 200

# KEYS 1 index, then the note of each member; ARGV 1 the index's name, then members: who is in no note goes.
UNNOTED = Script("""
local gone = 0
for i = 2, #KEYS do
  local note = redis.call('GET', KEYS[i]) or ''
  local lines, named = {}, false
  for line in string.gmatch(note, '([^\\n]*)\\n') do
    lines[#lines + 1] = line
  end
  for n = 5, 4 + (tonumber(lines[4]) or 0) do
    named = named or lines[n] == ARGV[1]
  end
  if not named or lines[2] ~= ARGV[i] then
    gone = gone + redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return gone
""")
# KEYS 1 list 2 what the account knows; ARGV 1 the list's name, then matches and members in turn.
UNKNOWN = Script("""
local gone = 0
for i = 2, #ARGV, 2 do
  local known, fits = redis.call('HGET', KEYS[2], ARGV[i]) or '', false
  local words = {}
  for word in string.gmatch(known, '%S+') do
    words[#words + 1] = word
  end
  for n = 3, #words do
    fits = fits or words[n] == ARGV[1]
  end
  if not fits or words[2] ~= ARGV[i + 1] then
    gone = gone + redis.call('ZREM', KEYS[1], ARGV[i + 1])
  end
end
return gone
""")
# KEYS 1 what the account knows; ARGV 1 match 2 what was known: nothing of it is needed any more.
FORGET = Script("""
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
""")


async def unnoted(client: Client) -> int:
    """Take out of the public indexes what does not belong there; returns how many that were."""
    gone = 0
    async for key in _scan(client, keys.INDEXES):
        name = key.partition(":i:")[2]
        async for members in _members(client, key):
            notes = [keys.placed(_match(member)) for member in members]
            if any(keys.tag(note) != keys.tag(key) for note in notes):
                members = await _strangers(client, key, members)
                notes = [keys.placed(_match(member)) for member in members]
            if members:
                with reaching():
                    gone += await UNNOTED.run(client, [key, *notes], [name, *members])
    return gone


async def _strangers(client: Client, key: str, members: list[bytes]) -> list[bytes]:
    """Matches of other shards have no business in this one's indexes."""
    ours = [one for one in members if keys.tag(keys.placed(_match(one))) == keys.tag(key)]
    await ask(client, "ZREM", key, *(one for one in members if one not in ours))
    return ours


async def unknown(client: Client, wanted: Callable[[bytes], Places | None]) -> None:
    """Set right what accounts know of matches, and then their lists; `wanted` reads a summary."""
    async for key in _scan(client, keys.MINE):
        await _known(client, keys.owner(key), wanted)
    async for key in _scan(client, keys.MY_LISTS):
        name = key.rpartition(":")[2]
        if name != MATCHES:
            async for members in _members(client, key):
                pairs = [part for one in members for part in (_match(one), one)]
                where: list[Arg] = [key, keys.mine(keys.owner(key), MATCHES)]
                with reaching():
                    await UNKNOWN.run(client, where, [name, *pairs])


async def _known(client: Client, who: str, wanted: Callable[[bytes], Places | None]) -> None:
    async for page in _fields(client, keys.mine(who, MATCHES)):
        shown = await read_keys(client, [keys.shown(match) for match, _ in page])
        for (match, known), raw in zip(page, shown, strict=True):
            places = (None if raw is None else wanted(raw)) or Places(match, 0, "")
            lists = places.accounts.get(who, ())
            if known.decode(errors="replace").split() != [str(places.seq), places.member, *lists]:
                with reaching():
                    await tell(client, who, places, lists, _seq(known))
            if not lists:
                now = " ".join([str(places.seq), places.member])
                with reaching():
                    await FORGET.run(client, [keys.mine(who, MATCHES)], [match, now])


def _seq(known: bytes) -> Arg:
    """Up to which event an account claims to know; read before the summary, so it may not be ahead of it."""
    first = known.partition(b" ")[0]
    return int(first) if first.isdigit() else ""


async def _scan(client: Client, pattern: str) -> AsyncIterator[str]:
    with reaching():
        async for key in client.scan_iter(match=pattern, count=1000):
            yield key.decode()


async def _members(client: Client, key: str) -> AsyncIterator[list[bytes]]:
    untyped, cursor = cast(Any, client), 0
    while True:
        with reaching():
            cursor, found = await untyped.zscan(key, cursor, count=PAGE)
        if found:
            yield [member for member, _ in found]
        if int(cursor) == 0:
            return


async def _fields(client: Client, key: str) -> AsyncIterator[Sequence[tuple[str, bytes]]]:
    untyped, cursor = cast(Any, client), 0
    while True:
        with reaching():
            cursor, found = await untyped.hscan(key, cursor, count=PAGE)
        if found:
            yield [(match.decode(), known) for match, known in found.items()]
        if int(cursor) == 0:
            return


def _match(member: bytes) -> str:
    return member.decode(errors="replace").partition(":")[2]
