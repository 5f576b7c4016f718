"""Whom one does not want at one's tables."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from infra.people.accounts import Account
from service.api.frame.auth import Here, Owner
from service.api.frame.body import JsonRoute, Model
from service.basics.errors import Problem

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["accounts"])


class Block(Model):
    name: str = Field(max_length=200)


class Blocked(Model):
    id: str
    name: str | None = Field(description="null: the account does not exist any more")


class BlockList(Model):
    items: list[Blocked]


@router.get("/me/blocks")
async def blocks(me: Owner, deps: Here) -> BlockList:
    """Accounts that may not sit at one's tables."""
    found = await deps.blocks.of(me.account.id)
    return BlockList(items=[_blocked(ident, await deps.accounts.get(ident)) for ident in found])


@router.post("/me/blocks", status_code=201)
async def block(body: Block, me: Owner, deps: Here) -> Blocked:
    """Block an account by its name."""
    other = await deps.accounts.find(body.name)
    if other is None or other.id == me.account.id:
        raise Problem("no_such_player")
    if not await deps.blocks.add(me.account.id, other.id):
        raise Problem("too_many", limit=1000)
    return _blocked(other.id, other)


@router.delete("/me/blocks/{account}", status_code=204)
async def unblock(account: str, me: Owner, deps: Here) -> None:
    if not await deps.blocks.remove(me.account.id, account):
        raise Problem("not_found")


def _blocked(ident: str, account: Account | None) -> Blocked:
    return Blocked(id=ident, name=account.name if account else None)
