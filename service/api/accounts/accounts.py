"""Accounts, sessions, and what is one's own: settings, tokens, turns."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from engine.kit.text import Locale
from infra.people.accounts import Account, AlreadyClaimed
from infra.people.tokens import Token, TooManyTokens
from service.api.frame import auth
from service.api.frame.auth import SCOPES, Authenticator, Door, Here, Owner, Reader, Scope, Session
from service.api.frame.body import JsonRoute, Model
from service.api.frame.render import Item, item, time
from service.api.frame.visit import address_of, visit_of
from service.basics.errors import Problem
from service.bootstrap import People
from service.people import profiles, quotas

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["accounts"])

SHORTEST, LONGEST = 8, 256  # of a password
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["22:00"])]
Day = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
Label = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]


class QuietHours(Model):
    """When not to be disturbed, in the account's own time zone."""

    from_: Clock = Field(alias="from")
    to: Clock


class Vacation(Model):
    from_: Day = Field(alias="from")
    to: Day


Share = Annotated[int, Field(ge=1, le=99)]


class Notify(Model):
    """How to be told of turns, on whatever channels there are."""

    mode: Literal["each", "digest", "off"] = "each"
    digest_at: Clock = Field("08:00", description="digest: when the daily letter comes, local time")
    reminders: list[Share] = Field([25], max_length=5, description="each: per cent of the time left")


class NewAccount(Model):
    name: str = Field(description="1 to 40 visible characters")
    password: str | None = Field(None, description="without one: a guest, who may claim the account later")
    locale: Locale | None = None
    tz: str | None = Field(None, examples=["Europe/Prague"])
    session: bool = Field(False, description="also start a cookie session, as the page does")


class SignIn(Model):
    name: str
    password: str


class Settings(Model):
    """Only what is given changes; null removes a setting."""

    locale: Locale | None = None
    tz: str | None = None
    quiet_hours: QuietHours | None = None
    vacation: Vacation | None = None
    notify: Notify | None = None


class NewToken(Model):
    label: Label
    scopes: list[Scope] = Field(min_length=1, max_length=len(SCOPES))


class NewName(Model):
    name: str = Field(description="1 to 40 visible characters")


class Claim(Model):
    password: str


class AccountOut(Model):
    id: str
    name: str
    guest: bool
    created: str
    locale: str | None
    tz: str | None
    quiet_hours: Any
    vacation: Any
    notify: Any


class SignedIn(Model):
    account: AccountOut
    token: str


class Me(AccountOut):
    csrf: str | None = Field(description="for the header X-CSRF-Token, if this is a cookie session")


class TokenOut(Model):
    id: str
    label: str
    scopes: list[str]
    kind: str
    created: str
    expires: str | None
    current: bool


class TokenList(Model):
    items: list[TokenOut]


class TokenMade(Model):
    id: str
    token: str = Field(description="shown only now")


class MyTurn(Model):
    match: Item
    seat: int
    since: int = Field(description="seq of the event that made it my turn")
    deadline: str | None


class Turns(Model):
    items: list[MyTurn]


@router.post("/accounts", status_code=201)
async def create(body: NewAccount, request: Request, response: Response, deps: Here, door: Door) -> SignedIn:
    """Make an account and sign in."""
    auth.refuse_foreign_pages(request)
    if body.password is not None:
        check_password(body.password)
    async with quotas.new_account(deps, address_of(request.scope)):
        account = await deps.accounts.create(body.name, body.password, body.locale, body.tz)
    await profiles.begin(deps, account)
    if body.session:
        return await _sign_in(response, deps, door, account)
    _, secret = await deps.tokens.issue(account.id, "first", SCOPES)
    return SignedIn(account=_account(account), token=secret)


@router.post("/sessions", status_code=201)
async def sign_in(body: SignIn, request: Request, response: Response, deps: Here, door: Door) -> SignedIn:
    """Sign in with name and password: a token, and the same as a cookie."""
    auth.refuse_foreign_pages(request)
    account = await _verified(body, request, deps, door) if len(body.password) <= LONGEST else None
    if account is None:
        raise Problem("wrong_password")
    return await _sign_in(response, deps, door, account)


@router.delete("/sessions", status_code=204)
async def sign_out(me: Reader, response: Response, deps: Here, door: Door) -> None:
    """End this session. A token that was made to last stays."""
    if me.principal.kind == "session":
        await deps.tokens.revoke(me.account.id, me.principal.token_id)
        door.forget(me.account.id, me.principal.token_id)
    auth.clear_cookies(response, deps)


@router.get("/me")
async def me(me: Reader, door: Door) -> Me:
    """One's own account."""
    return _me(me, me.account, door)


@router.patch("/me")
async def change(body: Settings, me: Owner, deps: Here, door: Door) -> Me:
    """Change settings."""
    given = body.model_dump(include=body.model_fields_set, by_alias=True)
    async with quotas.new_settings(deps, me.account.id):
        account = await profiles.change(deps, me.account, given)
    door.forget(account.id)
    return _me(me, account, door)


@router.post("/me/name")
async def rename(body: NewName, me: Owner, deps: Here, door: Door) -> Me:
    """A guest, who began with a hasty name, takes another. Whoever has a password keeps theirs."""
    if not me.account.guest:
        raise Problem("not_a_guest")
    async with quotas.new_settings(deps, me.account.id):
        account = await deps.accounts.rename(me.account.id, body.name)
    door.forget(account.id)
    deps.names.forget(me.who)
    return _me(me, account, door)


@router.post("/me/claim")
async def claim(body: Claim, me: Owner, deps: Here, door: Door) -> Me:
    """A guest sets a password and keeps the account."""
    check_password(body.password)
    try:
        account = await deps.accounts.claim(me.account.id, body.password)
    except AlreadyClaimed:
        raise Problem("not_a_guest") from None
    door.forget(account.id)
    return _me(me, account, door)


@router.get("/me/tokens")
async def tokens(me: Owner, deps: Here) -> TokenList:
    """All tokens and sessions that still count, newest first."""
    found = await deps.tokens.list(me.account.id)
    return TokenList(items=[token_out(token, me.principal.token_id) for token in found])


@router.post("/me/tokens", status_code=201)
async def make_token(body: NewToken, me: Owner, deps: Here) -> TokenMade:
    """A token for a script or a bot; it may do no more than whoever makes it."""
    if not set(body.scopes) <= me.principal.scopes:
        raise Problem("forbidden")
    most = deps.settings.bounds.tokens
    await deps.tokens.list(me.account.id)  # those that are over go, and do not count
    try:
        ident, secret = await deps.tokens.issue(me.account.id, body.label, body.scopes, most=most)
    except TooManyTokens:
        raise Problem("too_many", limit=most) from None
    return TokenMade(id=ident, token=secret)


@router.delete("/me/tokens/{token}", status_code=204)
async def revoke(token: str, me: Owner, deps: Here, door: Door) -> None:
    """End a token at once."""
    if not await deps.tokens.revoke(me.account.id, token):
        raise Problem("not_found")
    door.forget(me.account.id, token)


@router.get("/me/turns")
async def turns(me: Reader, request: Request, deps: Here) -> Turns:
    """Matches where I am to act, nearest deadline first: at most 500, of the newest."""
    lang = visit_of(request.scope).lang
    found = await deps.waiting.turns(me.who)
    return Turns(
        items=[
            MyTurn(
                match=await item(deps, mine.summary, lang),
                seat=mine.turn.seat,
                since=mine.turn.since,
                deadline=time(mine.turn.deadline) if mine.turn.deadline else None,
            )
            for mine in found
        ]
    )


async def _verified(body: SignIn, request: Request, deps: People, door: Authenticator) -> Account | None:
    """Whose name and password these are. Guessers wait; a browser the owner used before does not for them."""
    meant, where = await deps.accounts.find(body.name), address_of(request.scope)
    known = meant is not None and door.knows_device(request, meant.id)
    await quotas.guess(deps, body.name, where, known)
    account = await deps.accounts.verify(body.name, body.password, aside=known)
    if account is not None:
        await quotas.known_after_all(deps, body.name, where, known)
    return account


async def _sign_in(response: Response, deps: People, door: Authenticator, account: Account) -> SignedIn:
    await deps.tokens.make_room(account.id, "session", deps.settings.bounds.sessions)
    ident, secret = await deps.tokens.issue(account.id, "session", SCOPES, "session", auth.SESSION_S)
    door.forget(account.id)  # the oldest session may have ended
    auth.set_cookies(response, deps, door, account.id, ident, secret)
    return SignedIn(account=_account(account), token=secret)


def check_password(password: str) -> None:
    """Refuse what is too short to protect anything or too long to be one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Problem("bad_password", min=SHORTEST, max=LONGEST)


def _account(account: Account) -> AccountOut:
    return AccountOut(**_fields(account))


def _me(session: Session, account: Account, door: Authenticator) -> Me:
    csrf = door.csrf(session.principal.token_id) if session.principal.kind == "session" else None
    return Me(**_fields(account), csrf=csrf)


def _fields(account: Account) -> dict[str, Any]:
    return {
        "id": account.id,
        "name": account.name,
        "guest": account.guest,
        "created": time(account.created),
        "locale": account.locale,
        "tz": account.tz,
        "quiet_hours": account.quiet_hours,
        "vacation": account.vacation,
        "notify": account.notify,
    }


def token_out(token: Token, current: str) -> TokenOut:
    """A token as its owner may see it."""
    return TokenOut(
        id=token.id,
        label=token.label,
        scopes=token.scopes,
        kind=token.kind,
        created=time(token.created),
        expires=time(token.expires) if token.expires else None,
        current=token.id == current,
    )
