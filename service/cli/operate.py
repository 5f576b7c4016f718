"""The operator's tools: accounts and tokens."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from service.cli.common import Commands, WrongUsage, command
from service.cli.store import add_data, with_store

if TYPE_CHECKING:
    from infra.people.accounts import Account
    from service.bootstrap import Deps, People


def add(commands: Commands) -> None:
    text = "Accounts: list them, add one, give a new password, delete one."
    account = command(commands, "account", no_command, text)
    inner = account.add_subparsers(title="commands", metavar="COMMAND", required=True)
    sub(inner, "list", list_accounts, "Every account: id, name, guest or not.")
    run = sub(inner, "add", add_account, "Adds an account. Without --password it is a guest.", "name")
    run.add_argument("--password", action="store_true", help="ask for a password (or read it from a pipe)")
    run = sub(inner, "reset", reset_account, "Gives an account a new password and signs it out.", "name")
    run.add_argument("--password", action="store_true", help="ask for it; else one is made up and printed")
    sub(
        inner,
        "delete",
        delete_account,
        "Deletes an account, or a bot; caretakers take its seats over and logs keep its opaque id.",
        "name",
    )

    token = command(commands, "token", no_command, "Tokens of an account: issue, list, revoke.")
    inner = token.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = sub(inner, "issue", issue_token, "Issues a token and prints it once.", "name")
    run.add_argument("--label", default="operator", help="what it is for")
    run.add_argument("--scopes", default="play,read", help="with commas (default play,read)")
    sub(inner, "list", list_tokens, "The tokens of an account.", "name")
    run = sub(inner, "revoke", revoke_token, "Revokes a token.", "name")
    run.add_argument("id")


def no_command(_: argparse.Namespace) -> int:
    raise WrongUsage("name a command; --help lists them")


def sub(
    commands: Commands,
    name: str,
    job: Callable[[Deps, argparse.Namespace], Awaitable[int]],
    text: str,
    *names: str,
) -> argparse.ArgumentParser:
    run = command(
        commands, name, lambda args: asyncio.run(with_store(args, lambda deps: job(deps, args))), text
    )
    for argument in names:
        run.add_argument(argument)
    add_data(run)
    return run


async def _account(deps: People, name: str) -> Account:
    account = await deps.accounts.find(name)
    if account is None:
        raise WrongUsage(f"there is no account {name!r}")
    return account


def _password(ask: bool) -> str:
    if not ask:
        return secrets.token_urlsafe(12)
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


async def list_accounts(deps: People, args: argparse.Namespace) -> int:
    async for account in deps.accounts.all():
        print(f"{account.id}  {account.name}{'  (guest)' if account.guest else ''}")
    return 0


async def add_account(deps: People, args: argparse.Namespace) -> int:
    account = await deps.accounts.create(args.name, _password(True) if args.password else None)
    print(f"{account.id}  {account.name}")
    return 0


async def reset_account(deps: People, args: argparse.Namespace) -> int:
    account = await _account(deps, args.name)
    password = _password(args.password)
    await deps.accounts.set_password(account.id, password)
    await deps.tokens.revoke_all(account.id, "session")
    print("password changed" if args.password else f"new password: {password}")
    return 0


async def delete_account(deps: Deps, args: argparse.Namespace) -> int:
    """All that a person's own deletion does: seats to caretakers, open tables and bots away."""
    from service.bots import registration
    from service.people import account_data

    account = await _account(deps, args.name)
    bot = await deps.bots.get(account.id) if account.bot else None
    await (account_data.delete(deps, account) if bot is None else registration.remove(deps, bot))
    print(f"{account.id} deleted")
    return 0


async def issue_token(deps: People, args: argparse.Namespace) -> int:
    account = await _account(deps, args.name)
    ident, secret = await deps.tokens.issue(account.id, args.label, args.scopes.split(","))
    print(f"{ident}  {secret}")
    return 0


async def list_tokens(deps: People, args: argparse.Namespace) -> int:
    account = await _account(deps, args.name)
    for token in await deps.tokens.list(account.id):
        print(f"{token.id}  {token.kind}  {','.join(token.scopes)}  {token.label}")
    return 0


async def revoke_token(deps: People, args: argparse.Namespace) -> int:
    account = await _account(deps, args.name)
    if not await deps.tokens.revoke(account.id, args.id):
        raise WrongUsage(f"{args.name} has no token {args.id}")
    print("revoked")
    return 0
