"""Who is asking: a bearer token, or the page's cookie session with its CSRF token."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from engine.game import Lang
from engine.identity import of_account
from infra.people.accounts import Account
from infra.people.tokens import Principal
from service.api.frame.visit import Visit, visit_of
from service.basics.bounded import Bounded
from service.basics.errors import Problem
from service.bootstrap import Deps, Process
from service.views.sight import Caller

Scope = Literal["play", "read", "account"]
SCOPES: tuple[Scope, ...] = ("play", "read", "account")
BOT = "bot"  # a remote bot's own: its turns, and acting in the seats it holds; nobody can ask for it
SESSION_COOKIE = "turnlog_session"
CSRF_COOKIE = "turnlog_csrf"
DEVICE_COOKIE = "turnlog_device"
DEVICE_S = 365 * 24 * 3600
CSRF_HEADER = "x-csrf-token"
SESSION_S = 30 * 24 * 3600
FRESH_S = 5.0  # how long another process may still accept what was revoked here
MAX_KNOWN = 20_000
SAFE = ("GET", "HEAD", "OPTIONS")


class Session(NamedTuple):
    """Somebody who showed a valid token, as a header or as a cookie."""

    principal: Principal
    account: Account
    cookie: bool = False

    @property
    def who(self) -> str:
        return who(self.account)

    def may(self, *scopes: str) -> bool:
        """Whether one of these scopes was given."""
        return not self.principal.scopes.isdisjoint(scopes)


def who(account: Account) -> str:
    """How the log names a person."""
    return of_account(account.id)


class Authenticator:
    """Recognises people; whom it has just seen it knows for a moment."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._known: Bounded[str, tuple[float, Session]] = Bounded(MAX_KNOWN)
        self._seen: Bounded[str, int] = Bounded(MAX_KNOWN)  # guest -> the day on which that was noted

    def known(self, visit: Visit) -> str | None:
        """The token of somebody recognised a moment ago, without asking anybody."""
        found = self._fresh(_bearer(visit.credentials)) if visit.credentials else None
        return found.principal.token_id if found else None

    async def recognise(self, visit: Visit) -> Session | None:
        """Who is asking; None if nobody says who they are. An invalid token is refused."""
        if visit.credentials is not None:
            session = await self._by_secret(_bearer(visit.credentials))
            if session is None:
                raise Problem("unauthenticated")
        else:
            session = await self._by_cookie(visit.cookie)
        if session is not None and session.account.locale:
            visit.lang = session.account.locale
        return session

    async def require(self, request: Request, *scopes: str) -> Session:
        """Somebody who may do this, or a refusal."""
        session = await self.recognise(visit_of(request.scope))
        if session is None:
            raise Problem("unauthenticated")
        if not session.may(*scopes):
            raise Problem("forbidden")
        if session.cookie and request.method not in SAFE:
            self._check_csrf(request, session)
        return session

    async def reader(self, request: Request) -> Caller:
        """Whoever reads: a person or a bot with the right to, or a stranger."""
        visit = visit_of(request.scope)
        session = await self.recognise(visit)
        if session is None:
            return Caller(None, visit.lang)
        if not session.may("read", "play", BOT):
            raise Problem("forbidden")
        return Caller(session.who, visit.lang)

    def device(self, account: str) -> str:
        """What a browser keeps after a sign-in: it opens nothing, it only says that it was used before."""
        return f"{account}.{hmac.digest(self._deps.secret, f'device:{account}'.encode(), 'sha256').hex()}"

    def knows_device(self, request: Request, account: str) -> bool:
        """Whether this account has signed in from this browser before."""
        given = request.cookies.get(DEVICE_COOKIE, "")
        return hmac.compare_digest(given.encode(), self.device(account).encode())

    def csrf(self, token_id: str) -> str:
        """What the page must send with every command; only our own pages can read it."""
        return hmac.digest(self._deps.secret, f"csrf:{token_id}".encode(), "sha256")[:16].hex()

    def forget(self, account: str, token_id: str | None = None) -> None:
        """A token was revoked, or an account changed: the next request looks again."""
        for secret, (_, session) in list(self._known.items()):
            if session.account.id == account and token_id in (None, session.principal.token_id):
                del self._known[secret]

    def _check_csrf(self, request: Request, session: Session) -> None:
        given = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(given.encode(), self.csrf(session.principal.token_id).encode()):
            raise Problem("csrf")

    async def _by_cookie(self, header: bytes) -> Session | None:
        """A cookie that has expired is nobody: browsers keep sending it."""
        secret = _cookie(header) if header else None
        session = await self._by_secret(secret) if secret else None
        return session._replace(cookie=True) if session else None

    async def _by_secret(self, secret: str) -> Session | None:
        found = self._fresh(secret)
        if found is not None:
            return found
        principal = await self._deps.tokens.authenticate(secret)
        account = await self._deps.accounts.get(principal.account) if principal else None
        if principal is None or account is None:
            return None
        if account.guest:
            await self._note(account.id)
        return self._remember(secret, Session(principal, account))

    async def _note(self, guest: str) -> None:
        """Guests expire unless they are seen: written down once a day."""
        today = int(self._deps.now().timestamp()) // (24 * 3600)
        if self._seen.get(guest) != today:
            self._seen.keep(guest, today)
            await self._deps.accounts.seen(guest)

    def _fresh(self, secret: str) -> Session | None:
        until, session = self._known.get(secret, (0.0, None))
        return session if monotonic() < until else None

    def _remember(self, secret: str, session: Session) -> Session:
        self._known.keep(secret, (monotonic() + FRESH_S, session))
        return session


def _bearer(credentials: bytes) -> str:
    scheme, _, secret = credentials.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("unauthenticated")
    return secret.strip()


def _cookie(header: bytes) -> str | None:
    try:
        found = SimpleCookie(header.decode("latin-1")).get(SESSION_COOKIE)
    except CookieError:
        return None
    return found.value if found else None


def set_cookies(
    response: Response, deps: Process, authenticator: Authenticator, account: str, token_id: str, secret: str
) -> None:
    """Start the page's session: one cookie that scripts cannot read, one that ours must."""
    shared: dict[str, Any] = {"max_age": SESSION_S, "secure": _is_https(deps), "samesite": "lax", "path": "/"}
    response.set_cookie(SESSION_COOKIE, secret, httponly=True, **shared)
    response.set_cookie(CSRF_COOKIE, authenticator.csrf(token_id), httponly=False, **shared)
    lasting = shared | {"max_age": DEVICE_S, "path": "/api/sessions"}
    response.set_cookie(DEVICE_COOKIE, authenticator.device(account), httponly=True, **lasting)


def clear_cookies(response: Response, deps: Process) -> None:
    for name in (SESSION_COOKIE, CSRF_COOKIE):
        response.delete_cookie(name, path="/", secure=_is_https(deps), samesite="lax")


def _is_https(deps: Process) -> bool:
    return (deps.settings.public_url or "").startswith("https://")


def refuse_foreign_pages(request: Request) -> None:
    """Signing in needs no CSRF token, so a browser's own word on where a request comes from is heard."""
    if request.headers.get("sec-fetch-site", "") == "cross-site":
        raise Problem("csrf")


# What routes ask for: `me: Player`, `deps: Here`. All are coroutines: the framework sends others to a thread.


async def _deps(request: Request) -> Deps:
    deps: Deps = request.app.deps
    return deps


async def _authenticator(request: Request) -> Authenticator:
    authenticator: Authenticator = request.app.authenticator
    return authenticator


async def _lang(request: Request) -> Lang:
    return visit_of(request.scope).lang


class Need:
    """A dependency: somebody with one of these scopes."""

    def __init__(self, *scopes: Scope) -> None:
        self._scopes = scopes

    async def __call__(self, request: Request) -> Session:
        return await (await _authenticator(request)).require(request, *self._scopes)


async def _reads(request: Request) -> Caller:
    return await (await _authenticator(request)).reader(request)


Here = Annotated[Deps, Depends(_deps)]
Door = Annotated[Authenticator, Depends(_authenticator)]
Player = Annotated[Session, Depends(Need("play"))]
Sitter = Annotated[Session, Depends(Need("play", BOT))]
Reader = Annotated[Session, Depends(Need("read", "play"))]
Owner = Annotated[Session, Depends(Need("account"))]
Anyone = Annotated[Caller, Depends(_reads)]
Language = Annotated[Lang, Depends(_lang)]
