"""Every route with every kind of caller, from one table. A route that is missing from it fails the walk.

A row says who is let through (its rule) and what then happens to its owner and to a stranger; everything
else follows from the rule. Whoever changes something does so in a world of their own: order means nothing.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, NamedTuple

import pytest

from infra.people.channels import Channel
from service.api.app import ORDINARY
from tests.integration.api.conftest import Guest

pytestmark = pytest.mark.anyio
GOOD = "a good password"
numbers = itertools.count(1)


class Row(NamedTuple):
    """`mine`: the status for whom it belongs to; `stranger`: for others who are let through; `seat`: for the
    other player of the match, if that differs from a stranger.
    """

    method: str
    path: str
    rule: str
    mine: int
    stranger: int = 0
    seat: int = 0
    body: Any = None


WISH = {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
BOT = {"games": ["akropolis"], "delivery": {"kind": "poll"}}
M = "/api/matches/{match}"  # of Anna against Bert, running, not listed
O = "/api/matches/{open}"  # noqa: E741 - Anna's, listed, nobody else there yet
F = "/api/matches/{over}"  # of Anna against Bert, not listed; Bert has resigned
TABLE = [
    Row("POST", f"{M}/actions", "actor", 200, 404, 200, {"seq": 0, "action": {}}),
    Row("GET", M, "anyone", 200, 404, 200),
    Row("GET", f"{M}/events", "anyone", 200, 404, 200),
    Row("GET", f"{M}/stream", "anyone", 200, 404, 200),
    Row("GET", f"{M}/log", "anyone", 200, 404, 200),
    Row("GET", f"{M}/views", "anyone", 200, 404, 200),
    Row("GET", f"{F}/draws", "anyone", 200, 404, 200),
    Row("GET", "/api/keys", "free", 200),
    Row("GET", "/api/archive/roots", "free", 200),
    Row("GET", f"{F}/proof", "anyone", 409, 404, 409),
    Row("GET", "/api/bot/stream", "bot", 200),
    Row("GET", "/api/bot/turns", "bot", 200),
    Row("GET", "/api/games", "anyone", 200, 200),
    Row("GET", "/api/games/akropolis", "anyone", 200, 200),
    Row("GET", "/api/games/akropolis/guide", "anyone", 200, 200),
    Row("POST", "/api/accounts", "free", 201, body={"name": "{fresh}"}),
    Row("POST", "/api/sessions", "free", 201, body={"name": "{name}", "password": GOOD}),
    Row("DELETE", "/api/sessions", "reader", 204, 204),
    Row("GET", "/api/me", "reader", 200, 200),
    Row("PATCH", "/api/me", "owner", 200, 200, body={"locale": "en"}),
    Row("POST", "/api/me/name", "owner", 409, 200, body={"name": "{fresh}"}),
    Row("POST", "/api/me/claim", "owner", 409, 200, body={"password": GOOD}),
    Row("GET", "/api/me/tokens", "owner", 200, 200),
    Row("POST", "/api/me/tokens", "owner", 201, 201, body={"label": "x", "scopes": ["account"]}),
    Row("DELETE", "/api/me/tokens/{token}", "owner", 204, 404),
    Row("GET", "/api/me/turns", "reader", 200, 200),
    Row("POST", "/api/me/password", "owner", 204, 401, body={"password": GOOD, "current": GOOD}),
    Row("GET", "/api/me/sessions", "owner", 200, 200),
    Row("DELETE", "/api/me/sessions", "owner", 204, 204),
    Row("GET", "/api/me/export", "owner", 200, 200),
    Row("DELETE", "/api/me", "owner", 204, 400, body={"confirm": "{name}", "password": GOOD}),
    Row("POST", "/api/recovery", "free", 409, body={"name": "{name}"}),  # no mail here
    Row("POST", "/api/recovery/x", "free", 404, body={"password": GOOD}),
    Row("GET", "/api/me/channels", "owner", 200, 200),
    Row("GET", "/api/me/channels/mail", "owner", 200, 404),
    Row("PUT", "/api/me/channels/more", "owner", 400, 400, body={"kind": "webhook", "url": "http://x"}),
    Row("DELETE", "/api/me/channels/mail", "owner", 204, 404),
    Row("POST", "/api/me/channels/mail/test", "owner", 502, 404),  # no mail here
    Row("GET", "/api/me/notifications", "owner", 200, 200),
    Row("GET", "/api/confirm/x", "free", 404),
    Row("POST", "/api/confirm/x", "free", 404),
    Row("GET", "/api/unsubscribe/x", "free", 404),
    Row("POST", "/api/unsubscribe/x", "free", 404),
    Row("GET", "/api/me/blocks", "owner", 200, 200),
    Row("POST", "/api/me/blocks", "owner", 404, 201, body={"name": "{name}"}),  # nobody blocks themselves
    Row("DELETE", "/api/me/blocks/{blocked}", "owner", 204, 404),
    Row("POST", "/api/bots", "owner", 201, 201, body={"name": "{fresh}", **BOT}),
    Row("GET", "/api/bots", "anyone", 200, 200),
    Row("GET", "/api/bots/{bot}", "anyone", 200, 404),  # in the sandbox
    Row("PATCH", "/api/bots/{bot}", "owner", 200, 404, body={"enabled": False}),
    Row("DELETE", "/api/bots/{bot}", "owner", 204, 404),
    Row("POST", "/api/matches", "player", 201, 201, body=WISH),
    Row("GET", "/api/matches", "anyone", 200, 200),
    Row("POST", f"{O}/seats/1", "player", 409, 200),  # Anna sits there already
    Row("DELETE", f"{M}/seats/0", "player", 200, 404, 403),
    Row("POST", f"{O}/cancel", "player", 200, 403),
    Row("POST", f"{O}/seats", "player", 409, 200),
    Row("POST", f"{M}/seats/0/leave", "player", 200, 404, 403),
    Row("POST", f"{M}/seats/0/invite", "player", 409, 404, 403),  # who sits there steps out first
    Row("POST", f"{M}/undo", "player", 409, 404, 409, {"seq": 4, "to": 3}),
    Row("POST", f"{M}/undo/answer", "player", 409, 404, 409, {"agree": True}),
    Row("POST", f"{M}/pause", "player", 202, 404, 202),
    Row("POST", f"{M}/resume", "player", 409, 404, 409),
    Row("POST", f"{M}/abandon", "player", 202, 404, 202),
    Row("POST", f"{F}/rematch", "player", 200, 404, 200),
    Row("POST", f"{M}/fork", "player", 201, 404, 201, {"at": 4, "seats": WISH["seats"]}),
    Row("GET", "/api/leaderboard?game=akropolis", "free", 200),
    Row("GET", "/api/players/bot:greedy", "anyone", 200, 200),
    Row("GET", f"{M}/chat", "anyone", 200, 404, 200),
    Row("POST", f"{M}/chat", "player", 201, 404, 201, {"text": "hello"}),
    Row("POST", f"{M}/why", "player", 200, 404, 200, {"action": {}}),
    Row("POST", f"{M}/preview", "player", 200, 404, 200, {"action": {}}),
    Row("POST", f"{M}/hint", "player", 409, 404, 409),  # two people
    Row("GET", f"{M}/hint", "player", 200, 404, 200),
    Row("GET", f"{M}/verify", "anyone", 409, 404, 409),  # it is not over
    Row("POST", "/api/import", "player", 400, 400),
    Row("GET", "/api/openapi.json", "free", 200),
    Row("GET", "/api/docs", "free", 200),
    Row("GET", "/api/docs/page.js", "free", 200),
    Row("GET", "/api/docs/page.css", "free", 200),
    Row("GET", "/docs/errors", "free", 200),
    Row("POST", "/api/reports", "free", 204, body={"error": "TypeError", "places": ["/static/app.js:1:2"]}),
    Row("GET", "/health", "free", 200),
    Row("GET", "/ready", "free", 503),  # no relay and no worker here
    Row("GET", "/metrics", "free", 200),
    Row("GET", "/", "free", 200),
    Row("GET", "/new", "free", 200),
    Row("GET", "/sign-in", "free", 200),
    Row("GET", "/recovery/x", "free", 200),
    Row("GET", "/settings", "free", 200),
    Row("GET", "/leaderboard", "free", 200),
    Row("GET", "/archive", "free", 200),
    Row("GET", "/players/x", "free", 200),
    Row("GET", "/rules", "free", 200),
    Row("GET", "/rules/akropolis", "free", 200),
    Row("GET", "/guide/akropolis", "free", 200),
    Row("GET", "/matches/x", "free", 200),
    Row("GET", "/matches/x/replay", "free", 200),
    Row("GET", "/embed/matches/x", "free", 200),
    Row("GET", "/matches/{open}/picture.png", "free", 200),
    Row("GET", "/matches/x/seats/0", "free", 200),
    Row("GET", "/sw.js", "free", 200),
    Row("GET", "/favicon.ico", "free", 200),
    Row("GET", "/static/app.js", "free", 200),
]
# Which scopes open a rule; None is nobody in particular. What does not open it gets 401 without an identity
# that holds, else 403.
OPENS: dict[str, set[str | None]] = {
    "free": {None, "read", "play", "account", "bot"},
    "anyone": {None, "read", "play", "bot"},
    "reader": {"read", "play"},
    "player": {"play"},
    "actor": {"play", "bot"},
    "owner": {"account"},
    "bot": {"bot"},
}
INVALID = ("revoked", "deleted", "forged", "garbage")
NARROW = ("read", "play", "account")
STRANGERS = ("guest", "account holder")
KINDS = ("nobody", *INVALID, *NARROW, "bot", "cookie", "cookie with csrf", *STRANGERS, "other seat", "owner")


class World:
    """Anna with all that one can have, Bert at her table, and everybody else."""

    def __init__(self, house):
        self.house, self.words, self.callers = house, {}, {"nobody": house.nobody}

    async def made(self):
        house, number = self.house, next(numbers)
        anna = await house.guest(name=f"Anna {number}", password=GOOD)
        bert, eve, carl = await house.guest(), await house.guest(), await house.guest(password=GOOD)
        self.callers |= {"owner": anna, "other seat": bert, "guest": eve, "account holder": carl}
        self.words |= {"name": anna.account["name"], "fresh": f"fresh{number}", "bot": f"robo{number}"}
        await self._tokens(anna)
        await self._sessions(anna)
        await self._matches(anna, bert)
        mail = {"kind": "email", "address": "a@example.org"}
        await house.deps.channels.put(anna.account["id"], channel(mail))
        await house.deps.blocks.add(anna.account["id"], "somebody")
        self.words["blocked"] = "somebody"
        return self

    async def _tokens(self, anna):
        for scope in NARROW:
            made = await anna.post("/api/me/tokens", {"label": scope, "scopes": [scope]})
            self.callers[scope] = Guest(self.house.client, anna.account, made.json()["token"])
        spare = (await anna.post("/api/me/tokens", {"label": "spare", "scopes": ["read"]})).json()
        self.words["token"] = spare["id"]
        gone = (await anna.post("/api/me/tokens", {"label": "gone", "scopes": list(NARROW)})).json()
        await anna.ask("DELETE", f"/api/me/tokens/{gone['id']}")
        left = await self.house.guest()
        await left.ask("DELETE", "/api/me", json={"confirm": left.account["name"]})
        bot = await anna.post("/api/bots", {"name": self.words["bot"], "sandbox": True, **BOT})
        client = self.house.client
        self.callers |= {
            "revoked": Guest(client, None, gone["token"]),
            "deleted": Guest(client, None, left.token),
            "forged": Guest(client, None, f"{anna.token[:-6]}AAAAAA"),
            "garbage": Guest(client, None, "no token at all"),
            "bot": Guest(client, None, bot.json()["token"]),
        }

    async def _sessions(self, anna):
        known = {"name": anna.account["name"], "password": GOOD}
        answer = await self.house.client.post("/api/sessions", json=known)
        self.house.client.cookies.clear()
        plain, safe = Guest(self.house.client, anna.account), Guest(self.house.client, anna.account)
        plain.headers = {"Cookie": f"turnlog_session={answer.cookies['turnlog_session']}"}
        safe.headers = {**plain.headers, "X-CSRF-Token": answer.cookies["turnlog_csrf"]}
        self.callers |= {"cookie": plain, "cookie with csrf": safe}

    async def _matches(self, anna, bert):
        for word in ("match", "over"):
            opened = await anna.open(**WISH, listed=False)
            code = opened["invite"].split("invite=")[1]
            sat = await bert.post(f"/api/matches/{opened['id']}/seats/1", {"invite": code})
            assert sat.status_code == 200, sat.text
            self.words[word] = opened["id"]
        resigned = await bert.ask("DELETE", f"/api/matches/{self.words['over']}/seats/1")
        assert resigned.json()["status"] == "finished"
        self.words["open"] = (await anna.open(**WISH))["id"]

    async def ask(self, row, kind):
        self.house.app.streams.stop()  # streams end at once instead of never
        self.house.app.bot_streams.stop()
        caller, body = self.callers[kind], filled(row.body, self.words)
        if row.path.endswith("/actions"):
            body = await self.action(caller)
        answer = await caller.ask(row.method, filled(row.path, self.words), json=body)
        self.house.client.cookies.clear()
        return answer

    async def action(self, caller):
        """A legal one for whoever asks, else Anna's."""
        path = f"/api/matches/{self.words['match']}"
        seen = (await caller.get(path)).json()
        legal = seen.get("legal") or (await self.callers["owner"].get(path)).json()["legal"]
        return {"seq": seen.get("seq", 4), "action": legal[0]}


def channel(config):
    return Channel("mail", config["kind"], {"address": config["address"]}, 0)


def filled(value, words):
    if isinstance(value, str):
        return value.format(**words) if "{" in value else value
    if isinstance(value, dict):
        return {name: filled(part, words) for name, part in value.items()}
    return [filled(part, words) for part in value] if isinstance(value, list) else value


def expected(row, kind):
    """The status that the table demands, and whether the caller is let through at all."""
    opens = OPENS[row.rule]
    if row.rule == "free":
        return row.mine, True
    if kind in INVALID:
        return 401, False
    if kind == "nobody":
        return (row.stranger, True) if None in opens else (401, False)
    if kind in (*NARROW, "bot"):
        if kind not in opens:
            return 403, False
        return (row.mine if kind != "bot" or row.rule == "bot" else row.stranger), True
    if not opens & set(NARROW):
        return 403, False
    if kind == "cookie" and row.method not in ("GET", "HEAD"):
        return 403, False
    if kind in STRANGERS:
        return row.stranger, True
    return (row.seat or row.stranger if kind == "other seat" else row.mine), True


# Where two who are let through differ in more than what is theirs.
SPECIAL = {
    ("POST", "/api/me/name", "account holder"): 409,  # has a password, and keeps its name
    ("POST", "/api/me/claim", "account holder"): 409,  # has a password already
    ("POST", "/api/me/password", "account holder"): 204,  # it is the same one
    ("POST", f"{M}/actions", "bot"): 404,
}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} {row.path}")
async def test_every_caller_gets_what_the_table_says(house, row):
    refused_in = await World(house).made()
    for kind in KINDS:
        status, through = expected(row, kind)
        status = SPECIAL.get((row.method, row.path, kind), status)
        changes = through and row.rule != "free" and row.method != "GET" and status < 300
        world = await World(house).made() if changes else refused_in
        if row.rule == "free":
            world.words["fresh"] = f"free{next(numbers)}"
        answer = await world.ask(row, kind)
        assert answer.status_code == status, f"{kind}: {answer.text[:300]}"
        if not through:
            assert answer.json()["code"] in ("unauthenticated", "forbidden", "csrf"), kind
    owner = expected(row, "owner")
    if owner[1] and row.rule != "free":  # nobody who was refused has changed anything
        assert (await refused_in.ask(row, "owner")).status_code == owner[0]


def routes(app):
    """Every route of the application: (method, path)."""
    found = [route for route in app.router.routes if getattr(route, "path", None)]
    found += [route for module in ORDINARY for route in module.router.routes]
    return {(method, route.path) for route in found for method in route.methods if method != "HEAD"}


def matching(template):
    """A pattern for the paths of a route; a parameter is one part of the path unless it says otherwise."""
    parts = re.split(r"(\{[^}]*\})", template)
    found = [part if "{" in part else re.escape(part) for part in parts]
    found = [".+" if ":path}" in part else "[^/?]+" if "{" in part else part for part in found]
    return re.compile("".join(found) + r"(\?.*)?")


async def test_the_table_has_every_route(house):
    missing = []
    for method, path in sorted(routes(house.app)):
        pattern = matching(path)
        exact = "{" not in path
        rows = [r for r in TABLE if r.method == method and pattern.fullmatch(r.path)]
        if not rows or (exact and not any(r.path.partition("?")[0] == path for r in rows)):
            missing.append(f"{method} {path}")
    assert missing == []
    documented = {
        (method.upper(), path) for path, methods in house.app.openapi()["paths"].items() for method in methods
    }
    assert documented <= routes(house.app)  # nothing is promised that was not walked
