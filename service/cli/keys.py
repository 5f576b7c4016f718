"""The keys that sign logs: this server's own, and those of servers that the operator trusts."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from service.cli.common import Commands, WrongUsage, command, read_bytes
from service.cli.operate import no_command, sub
from service.cli.store import with_store

if TYPE_CHECKING:
    from service.bootstrap import Tables
    from service.views.signatures import Keyring, Verdict

KEYS = "keys.json"  # the public keys, beside the logs of a backup


def add(commands: Commands) -> None:
    text = "The keys that sign this server's logs: list them, sign with a new one, revoke a stolen one."
    inner = _group(commands, "keys", text)
    sub(inner, "list", list_keys, "Every key, the one that signs now last.")
    sub(
        inner,
        "rotate",
        rotate,
        "Makes a new key. Logs that ended keep their signatures; old keys stay known.",
    )
    text = "Believes a key no longer: somebody else may have it. Matches that ended here are signed anew."
    sub(inner, "revoke", revoke, text, "id")
    sub(inner, "show", show, "The public keys as JSON, for `trust add` elsewhere and `verify --keys`.")

    text = "Servers whose signatures are believed here: list them, add one, remove one."
    inner = _group(commands, "trust", text)
    sub(inner, "list", list_trusted, "Every trusted server with its keys.")
    text = "Trusts a server under a name of your own. KEYS: what its GET /api/keys answers, or keys in hex."
    run = sub(inner, "add", trust, text, "name")
    run.add_argument("keys", nargs="+", metavar="KEYS")
    sub(inner, "remove", distrust, "Trusts a server no longer; what was imported stays.", "name")


def _group(commands: Commands, name: str, text: str) -> Commands:
    parser = command(commands, name, no_command, text)
    return parser.add_subparsers(title="commands", metavar="COMMAND", required=True)


async def list_keys(deps: Tables, args: argparse.Namespace) -> int:
    keys, revoked = await deps.signing.keys(), await deps.signing.revoked()
    for key in keys:
        what = "  revoked" if key.id in revoked else "  signs" if key is keys[-1] else ""
        print(f"{key.id}  {key.public}{what}")
    return 0


async def rotate(deps: Tables, args: argparse.Namespace) -> int:
    print(f"{(await deps.signing.rotate()).id} signs from now on")
    return 0


async def revoke(deps: Tables, args: argparse.Namespace) -> int:
    if not await deps.signing.revoke(args.id):
        raise WrongUsage(f"{args.id!r} is no key of this server: `turnlog keys list` names them")
    print(f"{args.id} is revoked; {(await deps.signing.keys())[-1].id} signs from now on")
    return 0


async def show(deps: Tables, args: argparse.Namespace) -> int:
    print((await public_keys(deps)).decode(), end="")
    return 0


async def public_keys(deps: Tables) -> bytes:
    """What `GET /api/keys` returns."""
    from service.views import signatures

    return orjson.dumps(await signatures.shown(deps), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


async def list_trusted(deps: Tables, args: argparse.Namespace) -> int:
    for name, keys in (await deps.signing.trusted()).items():
        print(f"{name}  {' '.join(keys)}")
    return 0


async def trust(deps: Tables, args: argparse.Namespace) -> int:
    keys = [key for given in args.keys for key in _given(given)]
    await deps.signing.trust(args.name, keys)
    print(f"{args.name} is trusted, {len(keys)} keys")
    return 0


def _given(text: str) -> list[str]:
    """A key in hex, or the own keys of a file."""
    from infra.outside.ed25519 import is_public_key

    if is_public_key(text):
        return [text]
    found = _read(text)
    return [found.public[ident] for ident in sorted(found.ours - found.revoked)]


async def distrust(deps: Tables, args: argparse.Namespace) -> int:
    if not await deps.signing.distrust(args.name):
        raise WrongUsage(f"{args.name!r} is not trusted")
    print(f"{args.name} is trusted no longer")
    return 0


def ring(args: argparse.Namespace) -> Keyring | None:
    """The keys to judge signatures by: of a file, or of the store that is named."""
    from service.views import signatures

    if args.keys is not None:
        return _read(args.keys)
    return asyncio.run(with_store(args, signatures.known)) if args.data is not None else None


def ring_beside(log: str) -> Keyring:
    """The keys that lie beside a log; none if there are none."""
    from service.views import signatures

    beside = Path(log).with_name(KEYS)
    return _read(str(beside)) if beside.is_file() else signatures.keyring([], {})


def _read(path: str) -> Keyring:
    from service.views import signatures

    try:
        return signatures.published(read_bytes(path))
    except ValueError as problem:
        raise WrongUsage(f"{path}: not the keys of a server: {problem}") from None


def said(verdict: Verdict) -> str:
    """A verdict in words."""
    match verdict.by:
        case "here":
            return f"signed by the server of these keys, with key {verdict.key}"
        case "trusted":
            return f"signed by {verdict.server}, with key {verdict.key}"
        case "unknown":
            return f"signed with key {verdict.key}, which is not known here: who that is cannot be said"
        case "revoked":
            return f"signed with key {verdict.key}, which its server has revoked: anybody may have made it up"
        case "nobody":
            return "signed by nobody: it is valid, but anybody may have made it up"
        case "forged":
            return f"bad_signature: the signature is not that of key {verdict.key}"
