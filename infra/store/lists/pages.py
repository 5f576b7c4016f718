"""A page of an index that lies in many shards: a bounded read of each, merged.

Matches spread evenly, so of each shard a little more than its share of the page is asked for; where a shard
has more of the page than that, it is asked again. What a page costs depends on its length and on the number
of shards, never on how long the index is.
"""

from __future__ import annotations

from collections.abc import Sequence

from infra.store.redis import Client, many

BESIDE = 2  # more of each shard than its share: mostly the first read is then enough


async def newest(client: Client, where: Sequence[str], mark: bytes | None, count: int) -> list[bytes]:
    """The next `count` members of these sorted sets together, newest first, after `mark`."""
    found: list[bytes] = []
    marks = dict.fromkeys(where, mark)  # how far those were read that may have more
    step = -(-count // len(where)) + (BESIDE if len(where) > 1 else 0)
    while marks:
        replies = await many(client, [_read(key, after, step) for key, after in marks.items()])
        for key, members in zip([*marks], replies, strict=True):
            found += members
            if len(members) < step:
                del marks[key]
            else:
                marks[key] = members[-1]
        found = sorted(found, reverse=True)[:count]
        if len(found) == count:  # whoever was read as far as the page's end has nothing more for it
            marks = {key: after for key, after in marks.items() if after is None or after > found[-1]}
        step = min(count, 2 * step)
    return found


def _read(key: str, after: bytes | None, count: int) -> tuple[str | bytes | int, ...]:
    start = b"+" if after is None else b"(" + after
    return "ZRANGE", key, start, "-", "BYLEX", "REV", "LIMIT", 0, count
