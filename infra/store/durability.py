"""What an answer 200 promises of an append: on the disk of one server, with others too, or soon.

`local`       the server syncs every write before it answers, by its own configuration; nothing is asked here
`replicated`  besides, so many replicas have it: asked after the append on the same connection, because a
              server waits for what that connection wrote
`relaxed`     the server syncs once a second
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

from infra.process.settings import Settings
from infra.store.scripts import Command, Script

Level = Literal["local", "replicated", "relaxed"]

# A repeat writes too, the same again: else its connection has written nothing that could be waited for.
AGAIN = Script(
    "local found = redis.call('HGET', KEYS[1], ARGV[1])"
    " if found then redis.call('HSET', KEYS[1], ARGV[1], found) end"
    " return found"
)


class Durability(NamedTuple):
    level: Level = "local"
    replicas: int = 1
    timeout_ms: int = 2000

    @property
    def waits(self) -> bool:
        """Whether an append is followed by a question."""
        return self.level == "replicated"

    def question(self, fsync: bool) -> Command:
        """`fsync`: the server can say what is on disks, here and there, and not only what was received."""
        if fsync:
            return ("WAITAOF", 1, self.replicas, self.timeout_ms)
        return ("WAIT", self.replicas, self.timeout_ms)

    def is_enough(self, reply: Any) -> bool:
        if isinstance(reply, list):  # WAITAOF: here, and on how many replicas
            return int(reply[0]) >= 1 and int(reply[1]) >= self.replicas
        return isinstance(reply, int) and reply >= self.replicas


LOCAL = Durability()


def chosen(settings: Settings) -> Durability:
    return Durability(cast(Level, settings.durability), settings.replicas, settings.replica_patience)
