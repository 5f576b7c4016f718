"""Lua scripts: sent by their digest, in full only to a server that does not know them yet."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redis.exceptions import NoScriptError

from infra.store.redis import Client, call

Arg = str | bytes | int
Command = tuple[Arg, ...]


class Script:
    """One script, given as text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def beside(cls, *names: str, then: str = "") -> Script:
        """Read a script from files in this folder, one behind the other."""
        texts = [(Path(__file__).parent / name).read_text(encoding="utf-8") for name in names]
        return cls("\n".join([*texts, then]) if then or len(texts) > 1 else texts[0])

    def short(self, keys: Sequence[Arg], args: Sequence[Arg]) -> Command:
        """The call by digest."""
        return ("EVALSHA", self.sha, len(keys), *keys, *args)

    def full(self, command: Command) -> Command:
        """The same call with the text, from which the server learns it."""
        return ("EVAL", self.text, *command[2:])

    async def run(self, client: Client, keys: Sequence[Arg], args: Sequence[Arg]) -> Any:
        """Call it, on whichever server holds the keys."""
        return await self.send(client, self.short(keys, args))

    async def send(self, client: Client, command: Command) -> Any:
        """Send a call that is made up already."""
        try:
            return await call(client, *command)
        except NoScriptError:
            return await call(client, *self.full(command))
