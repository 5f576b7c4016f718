"""Where the links in letters lead: a question with one button, and a confirmation afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine.game import Lang
from infra.people.channels import Channel
from service.api.frame.auth import Here
from service.api.frame.body import JsonRoute
from service.api.frame.visit import visit_of
from service.basics.errors import Problem
from service.bootstrap import People
from service.notices import channels

router = APIRouter(prefix="/api", route_class=JsonRoute, tags=["notices"])

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "confirm": "Send notices to {to}?",
        "confirm_why": "Turnlog will write to this address when it is your turn.",
        "confirm_do": "Confirm the address",
        "confirmed": "The address is confirmed",
        "confirmed_why": "Notices will be sent to {to} from now on.",
        "unsubscribe": "Stop sending mail to {to}?",
        "unsubscribe_why": "Your matches go on; you just will not get any more mail about them.",
        "unsubscribe_do": "Unsubscribe",
        "unsubscribed": "You are unsubscribed",
        "unsubscribed_why": "No more mail will be sent to {to}. You can add it again in the settings.",
        "bad_link": "This link does not work",
        "settings": "Go to the settings",
    },
    "cs": {
        "confirm": "Posílat upozornění na {to}?",
        "confirm_why": "Turnlog tam pak napíše, když budeš na tahu.",
        "confirm_do": "Potvrdit adresu",
        "confirmed": "Adresa je potvrzená",
        "confirmed_why": "Upozornění teď chodí na {to}.",
        "unsubscribe": "Už neposílat dopisy na {to}?",
        "unsubscribe_why": "Partie běží dál, skončí jen dopisy.",
        "unsubscribe_do": "Už neposílat",
        "unsubscribed": "Dopisy skončily",
        "unsubscribed_why": "Na {to} už nic nepřijde. V nastavení se dá adresa přidat znovu.",
        "bad_link": "Tento odkaz nefunguje",
        "settings": "Do nastavení",
    },
}
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>{title} · Turnlog</title>
<link rel="icon" href="/static/icon.svg"><script src="/static/theme.js"></script>
<link rel="stylesheet" href="/static/style.css"></head>
<body><header class="top">
<a class="brand" href="/"><img src="/static/icon.svg" alt="" width="26" height="26"> Turnlog</a></header>
<main class="page narrow"><section class="card"><h1>{title}</h1><p>{why}</p>{after}</section></main>
</body></html>
"""


@router.get("/confirm/{token}", response_class=HTMLResponse)
async def ask_confirm(token: str, request: Request, deps: Here) -> Response:
    """For people: a button, because programs open links on their own."""
    return await _ask(request, deps, "confirm", token)


@router.post("/confirm/{token}", response_class=Response)
async def confirm(token: str, request: Request, deps: Here) -> Response:
    """The owner of an address wants letters there."""
    return await _do(request, deps, "confirm", "confirmed", token)


@router.get("/unsubscribe/{token}", response_class=HTMLResponse)
async def ask_unsubscribe(token: str, request: Request, deps: Here) -> Response:
    """For people: a button, because programs open links on their own."""
    return await _ask(request, deps, "unsubscribe", token)


@router.post("/unsubscribe/{token}", response_class=Response)
async def unsubscribe(token: str, request: Request, deps: Here) -> Response:
    """One click in a mail program: no more letters to this address."""
    return await _do(request, deps, "unsubscribe", "unsubscribed", token)


async def _ask(request: Request, deps: People, purpose: str, token: str) -> Response:
    try:
        account, channel = await channels.linked(deps, purpose, token)
    except Problem as problem:
        return _refusal(request, problem)
    lang = await _language(request, deps, account)
    button = f'<form method="post"><button class="main">{TEXTS[lang][purpose + "_do"]}</button></form>'
    return _page(lang, purpose, channel, button)


async def _do(request: Request, deps: People, purpose: str, done: str, token: str) -> Response:
    """A mail program reads a word, a person a page."""
    try:
        account, channel = await channels.linked(deps, purpose, token)
    except Problem as problem:
        return _refusal(request, problem)
    if purpose == "confirm":
        await deps.channels.put(account, Channel(channel.name, channel.kind, channel.config, channel.created))
    else:
        await deps.channels.remove(account, channel.name)
    if not _by_person(request):
        return JSONResponse({"status": done})
    lang = await _language(request, deps, account)
    return _page(lang, done, channel, _settings(lang))


def _refusal(request: Request, problem: Problem) -> Response:
    if not _by_person(request):
        raise problem
    lang = visit_of(request.scope).lang
    why = str(problem.body(lang)["detail"])
    return _filled(lang, TEXTS[lang]["bad_link"], why, _settings(lang), problem.status)


def _by_person(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


async def _language(request: Request, deps: People, account: str) -> Lang:
    """That of the letter: whoever reads it may have a browser in another one."""
    found = await deps.accounts.get(account)
    return (found and found.locale) or visit_of(request.scope).lang


def _settings(lang: Lang) -> str:
    return f'<p><a class="button main" href="/settings#channels">{TEXTS[lang]["settings"]}</a></p>'


def _page(lang: Lang, what: str, channel: Channel, after: str) -> Response:
    to = channel.config.get("address", channel.name)
    title, why = (TEXTS[lang][key].format(to=to) for key in (what, f"{what}_why"))
    return _filled(lang, title, why, after)


def _filled(lang: Lang, title: str, why: str, after: str, status: int = 200) -> Response:
    page = PAGE.format(lang=lang, title=escape(title), why=escape(why), after=after)
    return HTMLResponse(page, status, {"Cache-Control": "no-store"})
