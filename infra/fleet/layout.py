"""How a store is laid out: a number in it, so that an older Turnlog leaves what it does not know alone."""

from __future__ import annotations

from infra.store import keys
from infra.store.redis import Client, ask

FORMAT = 1  # rises with the first key that lies elsewhere, or means something else, than before


async def refusal(client: Client) -> str | None:
    """Why this version may not touch the store; None if it may. Raises StoreUnavailable."""
    found = await ask(client, "GET", keys.FORMAT)
    if found is None or (found.isdigit() and int(found) <= FORMAT):
        return None
    return (
        f"the store has format {found.decode(errors='replace')} and this version knows formats up to"
        f" {FORMAT}: start the version that wrote it, or a newer one"
    )


async def mark(client: Client) -> None:
    """Write the number into a store that has none: a new one, or one from before there were numbers."""
    if await ask(client, "GET", keys.FORMAT) is None:  # a full disk takes no writes, and may not end a start
        await ask(client, "SET", keys.FORMAT, FORMAT, "NX")
