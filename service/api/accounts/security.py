"""Passwords, sessions, and one's own data: to take along, or to delete."""

from __future__ import annotations

from typing import Any, Literal

import structlog
from fastapi import APIRouter, BackgroundTasks, Request, Response
from itsdangerous import BadSignature, URLSafeSerializer
from pydantic import Field
from starlette.responses import StreamingResponse

from service.api.accounts.accounts import TokenList, check_password, token_out
from service.api.frame import auth
from service.api.frame.auth import Door, Here, Owner, Session
from service.api.frame.body import JsonRoute, Model
from service.api.frame.visit import address_of
from service.basics.errors import Problem
from service.bootstrap import Deps, People, Process
from service.notices import messages, senders
from service.notices.senders import NotDelivered
from service.people import account_data, quotas

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["accounts"])
RECOVERY_S = 3600
OWN_DATA: dict[str, Any] = {
    "description": "settings, times, channels, notices, blocks, bots, tokens, and matches with their logs",
    "content": {"application/json": {"schema": {"type": "object"}}},
}

log = structlog.get_logger(__name__)


Lasting = Literal["end", "keep"]
LASTING = "tokens that were made to last: whoever knew the old password may have made one, so they end too"


class NewPassword(Model):
    password: str
    current: str = Field(description="the password so far")
    tokens: Lasting = Field("end", description=LASTING)


class Password(Model):
    password: str
    tokens: Lasting = Field("end", description=LASTING)


class Recover(Model):
    name: str = Field(max_length=200)


class Delete(Model):
    confirm: str = Field(description="the account's name, so that nothing is deleted by mistake")
    password: str | None = Field(None, description="needed if the account has one")


@router.post("/me/password", status_code=204)
async def change_password(body: NewPassword, me: Owner, deps: Here, door: Door) -> None:
    """A new password. Every other session ends, and every token that was made to last, unless it is kept."""
    check_password(body.password)
    await _check_own(deps, me, body.current)
    await deps.accounts.set_password(me.account.id, body.password)
    await _sign_out(deps, door, me.account.id, keep=me.principal.token_id, lasting=body.tokens == "end")


@router.get("/me/sessions")
async def sessions(me: Owner, deps: Here) -> TokenList:
    """Where one is signed in, newest first."""
    found = [token for token in await deps.tokens.list(me.account.id) if token.kind == "session"]
    return TokenList(items=[token_out(token, me.principal.token_id) for token in found])


@router.delete("/me/sessions", status_code=204)
async def sign_out_everywhere(me: Owner, response: Response, deps: Here, door: Door) -> None:
    """End every session, this one too. `GET /me/tokens` lists them."""
    await _sign_out(deps, door, me.account.id)
    auth.clear_cookies(response, deps)


@router.get("/me/export", response_class=Response, responses={200: OWN_DATA})
async def export(me: Owner, deps: Here) -> Response:
    """Everything that is kept about this account; its matches as they may be read."""
    await quotas.often(deps, "exports", me.account.id)
    return StreamingResponse(account_data.export(deps, me.account), media_type="application/json")


@router.delete("/me", status_code=204)
async def delete(body: Delete, me: Owner, response: Response, deps: Here, door: Door) -> None:
    """Delete the account. Logs keep its opaque id and nothing else; caretakers play on."""
    if body.confirm != me.account.name:
        raise Problem("bad_request", detail={"en": "the name does not match.", "cs": "jméno nesouhlasí."})
    if not me.account.guest:
        await _check_own(deps, me, body.password or "")
    await account_data.delete(deps, me.account)
    door.forget(me.account.id)
    auth.clear_cookies(response, deps)


@router.post("/recovery", status_code=202)
async def recover(body: Recover, request: Request, deps: Here, later: BackgroundTasks) -> dict[str, str]:
    """Mail a link to choose a new password. The answer is the same for names that nobody has."""
    auth.refuse_foreign_pages(request)
    if deps.mail is None:
        raise Problem("no_mail")
    await quotas.recovery(deps, body.name, address_of(request.scope))
    later.add_task(_mail_recovery, deps, body.name)
    return {"status": "sent if there is such an account with a confirmed address"}


async def _mail_recovery(deps: Deps, name: str) -> None:
    account = await deps.accounts.find(name)
    if account is None or account.guest:
        return
    expires = int(deps.now().timestamp()) + RECOVERY_S
    token = _signer(deps).dumps([account.id, await deps.accounts.password_mark(account.id), expires])
    link = f"{deps.settings.base}/recovery/{token}"
    message = messages.plain("recover", deps.new_id(), link, account.locale or "en")
    for channel in await deps.channels.of(account.id):
        if channel.kind == "email" and channel.confirmed:
            try:
                await quotas.letter_to(deps, channel.config["address"])
                await senders.send(deps, account.id, channel, message)
            except (NotDelivered, Problem) as problem:
                log.warning("recovery not delivered", account=account.id, reason=str(problem))


@router.post("/recovery/{token}", status_code=204)
async def choose_password(token: str, body: Password, request: Request, deps: Here, door: Door) -> None:
    """Choose a new password with a mailed link: once, within an hour. Sessions and tokens end."""
    auth.refuse_foreign_pages(request)
    check_password(body.password)
    try:
        ident, mark, expires = _signer(deps).loads(token)
    except (BadSignature, ValueError, TypeError):
        raise Problem("bad_link") from None
    if expires <= deps.now().timestamp():
        raise Problem("bad_link")
    if await deps.accounts.get(ident) is None or await deps.accounts.password_mark(ident) != mark:
        raise Problem("bad_link")  # used already, or the password was changed otherwise
    await deps.accounts.set_password(ident, body.password)
    await _sign_out(deps, door, ident, lasting=body.tokens == "end")


async def _check_own(deps: People, me: Session, password: str) -> None:
    """Whoever is signed in gives the password again; whoever found a session open guesses slowly."""
    await quotas.own_password(deps, me.account.id)
    known = await deps.accounts.verify(me.account.name, password, aside=True)
    if known is None or known.id != me.account.id:
        raise Problem("wrong_password")
    await quotas.own_password_known(deps, me.account.id)


async def _sign_out(
    deps: People, door: auth.Authenticator, account: str, keep: str | None = None, lasting: bool = False
) -> None:
    for token in await deps.tokens.list(account):
        if (lasting or token.kind == "session") and token.id != keep:
            await deps.tokens.revoke(account, token.id)
    door.forget(account)


def _signer(deps: Process) -> URLSafeSerializer:
    return URLSafeSerializer(deps.secret, salt="recovery")
