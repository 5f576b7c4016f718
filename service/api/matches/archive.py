"""What proves that an archived match is the one it was: the roots of the months, and the way to them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from infra.people.quotas import network
from service.api.frame.auth import Anyone, Here
from service.api.frame.body import JsonRoute, Model
from service.api.frame.queries import match_id
from service.api.frame.visit import address_of
from service.api.matches.lobby import Ident
from service.archive import months
from service.views.access import readable

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["matches"])
HASH = "a SHA-256, 64 hex digits"


class RootOut(Model):
    month: str = Field(description="in which the matches were archived, such as 2026-11")
    count: int = Field(description="how many matches that were")
    root: str = Field(description=f"of the Merkle tree (RFC 6962) over them, sorted by id; {HASH}")
    prev: str = Field(description=f"of the statement of the root before this one; {HASH}")
    key: str = Field(description="the id of the key that signed the statement; `/api/keys` has it")
    signature: str = Field(description="Ed25519, in hex")


class Roots(Model):
    items: list[RootOut]


class ProofOut(Model):
    match: str
    events: int
    head: str = Field(description=f"the hash of its last event; {HASH}")
    index: int = Field(description="its place among the matches of the month, from 0")
    path: list[str] = Field(description="the hashes beside the way to the root, the lowest first")
    root: RootOut


@router.get("/archive/roots")
async def roots(deps: Here) -> Roots:
    """The root of every month, the earliest first. Who keeps one can tell whether a match was changed."""
    return Roots(items=[RootOut(**root) for root in months.shown(await months.roots(deps))])


@router.get("/matches/{match}/proof")
async def proof(
    match: Ident,
    caller: Anyone,
    request: Request,
    deps: Here,
    invite: Annotated[str, Query(max_length=64)] = "",
) -> ProofOut:
    """That this match is the one it was when its month was over; `turnlog archive check` checks it."""
    found = await readable(deps, match_id(match), caller.who, invite)
    where = network(address_of(request.scope))
    return ProofOut(**months.told(await months.prove(deps, found.id, where)))
