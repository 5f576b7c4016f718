"""Guests who came once and never again: their names become free, and nothing of them is kept."""

import time

import structlog

from engine.identity import of_account
from infra.people.accounts import UnknownAccount
from service.bootstrap import Deps
from service.people import account_data

log = structlog.get_logger(__name__)

DAY_S = 24 * 3600
EVERY_S = 60.0  # of real time
AT_ONCE = 50  # a sweep is one of many things that a relay does
LEFT = ("running", "finished")  # what others share with them stays, and so do they


class Guests:
    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._at = 0.0

    async def sweep(self) -> None:
        """Now and then, a few at a time."""
        if time.monotonic() >= self._at:
            self._at = time.monotonic() + EVERY_S
            await self.expire()

    async def expire(self) -> int:
        """Let those go who were not seen for so long; returns how many that were."""
        before = self._deps.now().timestamp() - self._deps.settings.guest_days * DAY_S
        return sum([await self._look_at(one) for one in await self._deps.accounts.unseen(before, AT_ONCE)])

    async def _look_at(self, ident: str) -> bool:
        account = await self._deps.accounts.get(ident)
        if account is None or not account.guest:
            await self._deps.accounts.no_guest(ident)
            return False
        if await self._is_needed(ident):
            await self._deps.accounts.seen(ident)  # looked at again after as long
            return False
        try:
            await account_data.delete(self._deps, account)
        except UnknownAccount:  # another relay was faster
            return False
        log.info("a guest expired", account=ident)
        return True

    async def _is_needed(self, ident: str) -> bool:
        """Whoever has played, or owns a bot that may be playing, stays."""
        if await self._deps.bots.of(ident):
            return True
        for status in LEFT:
            found, _ = await self._deps.readmodel.list(status, None, of_account(ident), None, 1)
            if found:
                return True
        return False
