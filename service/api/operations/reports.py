"""What went wrong on a page, for the operator's log: a name and places in our own files, nothing else."""

from __future__ import annotations

import time
from typing import Annotated

import structlog
from fastapi import APIRouter, Request
from pydantic import Field

from service.api.frame.auth import refuse_foreign_pages
from service.api.frame.body import JsonRoute, Model

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["operation"])

KINDS = r"^[A-Za-z]{1,40}$"  # the name of an error: its message may quote what somebody typed
PLACES = r"^/static/[\w./-]{1,120}:\d{1,6}:\d{1,6}$"
A_MINUTE = 10
log = structlog.get_logger()


class Report(Model):
    error: Annotated[str, Field(pattern=KINDS, description="the name of the error")]
    places: Annotated[
        list[Annotated[str, Field(pattern=PLACES)]],
        Field(max_length=5, description="file, line and column, the innermost first"),
    ]


class Budget:
    """So many lines a minute, whoever asks for them: a broken page must not fill the log."""

    def __init__(self, most: int) -> None:
        self._most, self._minute, self._spent = most, 0, 0

    def spend(self) -> bool:
        minute = int(time.monotonic() / 60)
        if minute != self._minute:
            self._minute, self._spent = minute, 0
        self._spent += 1
        return self._spent <= self._most


budget = Budget(A_MINUTE)


@router.post("/reports", status_code=204)
async def report(body: Report, request: Request) -> None:
    """A page tells that drawing something failed."""
    refuse_foreign_pages(request)
    if budget.spend():
        log.warning("page failed", error=body.error, places=" < ".join(body.places))
