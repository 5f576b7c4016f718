"""The public keys by which anybody can tell whose log it is."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from service.api.frame.auth import Here
from service.api.frame.body import JsonRoute, Model
from service.views import signatures

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["matches"])


class KeyOut(Model):
    id: str = Field(description="the first 32 hex digits of the SHA-256 of the public key")
    public: str = Field(description="an Ed25519 public key, 64 hex digits")
    created: int = Field(description="milliseconds since 1970")
    current: bool = Field(description="whether it signs now; old keys stay here for old logs")
    revoked: int | None = Field(
        description="since when its signatures count no longer, because somebody else may have the key; "
        "milliseconds since 1970"
    )


class ServerOut(Model):
    name: str
    keys: list[str]


class Keys(Model):
    keys: list[KeyOut]
    trusted: list[ServerOut] = Field(description="servers whose signatures are believed here")


@router.get("/keys")
async def keys(deps: Here) -> Keys:
    """Every key that ever signed logs here, and those of the servers that the operator trusts."""
    return Keys(**await signatures.shown(deps))
