"""`register`: a bot's name on a server, from the command line, so that it plays a minute later."""

import argparse
import os
import secrets
import sys
from collections.abc import Iterator
from typing import Any

from bots.sdk.client import Client, Refused, Reply, Unreachable

LONGEST = 40  # characters of a name


class NotRegistered(Exception):
    """The service said no; the text says why."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="A-Z, a-z, 0-9, . _ -")
    parser.add_argument("--url", required=True, help="the service, e.g. http://127.0.0.1:8000")
    parser.add_argument(
        "--token", default="", help="the owner's token (default: $TURNLOG_TOKEN; without one a guest is made)"
    )
    parser.add_argument("--games", default="", help="with commas (default: every game of the service)")
    parser.add_argument("--delivery", choices=("stream", "poll", "webhook"), default="stream")
    parser.add_argument("--webhook-url", default="", help="webhook: where the bot listens")
    parser.add_argument("--capacity", type=int, default=1, help="turns that it takes at a time (default 1)")
    parser.add_argument(
        "--sandbox", action="store_true", help="only its owner may seat it, at unlisted tables"
    )
    parser.add_argument("--against", metavar="GAME", default="", help="open a first match against greedy")


def register(args: argparse.Namespace) -> int:
    """Prints what a shell can read: the bot's token and secret, and the owner's token if it is new."""
    try:
        for line in _register(args):  # what is made is shown only now, whatever goes wrong after it
            sys.stdout.write(f"export {line}\n")
    except (NotRegistered, Unreachable, Refused, ValueError) as problem:
        sys.stderr.write(f"{args.name}: {problem}\n")
        return 1
    return 0


def _register(args: argparse.Namespace) -> Iterator[str]:
    token = args.token or os.environ.get("TURNLOG_TOKEN", "")
    if not token:
        token = _guest(args.url, args.name)
        yield f"TURNLOG_TOKEN={token}"
    owner = Client(args.url, token)
    made = _post(owner, "/api/bots", _wanted(args, owner))
    yield f"TURNLOG_BOT_TOKEN={made['token']}"
    yield f"TURNLOG_BOT_SECRET={made['secret']}"
    if args.against:
        yield f"TURNLOG_MATCH={_first_match(owner, args)['id']}"


def _wanted(args: argparse.Namespace, owner: Client) -> dict[str, Any]:
    games = args.games.split(",") if args.games else _games(owner)
    delivery = {"kind": args.delivery} | ({"url": args.webhook_url} if args.webhook_url else {})
    wanted = {"name": args.name, "games": games, "delivery": delivery, "capacity": args.capacity}
    return {**wanted, "sandbox": args.sandbox}


def _games(owner: Client) -> list[str]:
    return [game["key"] for game in _checked(owner.get("/api/games"), 200)["items"]]


def _guest(url: str, name: str) -> str:
    """A bot needs an owner: the token is the only key to this account, so it is printed."""
    anybody, wanted = Client(url, ""), f"owner of {name}"[:LONGEST]
    reply = anybody.post("/api/accounts", {"name": wanted}, {})
    if reply.code == "name_taken":  # by an earlier try, say, whose token nobody has kept
        unlike = f"{wanted[: LONGEST - 7]} {secrets.token_hex(3)}"
        reply = anybody.post("/api/accounts", {"name": unlike}, {})
    token: str = _checked(reply, 201)["token"]
    return token


def _first_match(owner: Client, args: argparse.Namespace) -> Any:
    seats = [{"kind": "remote", "bot": args.name}, {"kind": "bot", "bot": "greedy"}]
    return _post(owner, "/api/matches", {"game": args.against, "seats": seats, "listed": not args.sandbox})


def _post(client: Client, path: str, body: Any) -> Any:
    return _checked(client.post(path, body, {}), 201)


def _checked(reply: Reply, wanted: int) -> Any:
    if reply.status != wanted:
        detail = reply.body.get("detail", "") if isinstance(reply.body, dict) else ""
        raise NotRegistered(f"{detail or 'refused'} ({reply.code or reply.status})")
    return reply.body
