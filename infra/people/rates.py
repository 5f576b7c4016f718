"""How often somebody asked in this second, over all processes: kept for seconds, in the volatile server."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from infra.store import keys
from infra.store.redis import Client, reaching, send

KEPT_S = 3


class Rates:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, second: int, fresh: Mapping[str, int]) -> dict[str, int]:
        """Count these, and answer how many everybody together has counted."""
        pipe = self._client.pipeline(transaction=False)
        for who, n in fresh.items():
            digest = hashlib.sha256(who.encode()).hexdigest()[:24]
            pipe.execute_command("INCRBY", keys.rate(second, digest), n)
            pipe.execute_command("EXPIRE", keys.rate(second, digest), KEPT_S)
        with reaching():
            totals = (await send(pipe))[::2]
        return {who: int(total) for who, total in zip(fresh, totals, strict=True)}
