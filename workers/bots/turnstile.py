"""Bots of one process think one after the other: those whom people wait for first.

One passes in each round of the event loop, so that between two of them everybody's answers from the store are
heard. Otherwise all tables that are ready would think before anybody's news is read.
"""

import asyncio
from collections import deque


class Turnstile:
    def __init__(self) -> None:
        self._lines: tuple[deque[asyncio.Future[None]], ...] = (deque(), deque())
        self._turning = False

    async def pass_through(self, waited_for: bool) -> None:
        """Wait for one's turn to think; `waited_for`: by people."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._lines[0 if waited_for else 1].append(turn)
        if not self._turning:
            self._turning = True
            loop.call_soon(self._let_one_through)
        await turn

    def _let_one_through(self) -> None:
        for line in self._lines:
            while line:
                turn = line.popleft()
                if not turn.done():  # whoever waited for it is still there
                    turn.set_result(None)
                    turn.get_loop().call_soon(self._let_one_through)
                    return
        self._turning = False
