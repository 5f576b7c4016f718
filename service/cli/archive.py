"""The archive: how it stands, what is due now, and proofs that a match is the one it was."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from infra.process.files import write_private
from service.cli.common import Commands, WrongUsage, command, print_json, read_bytes
from service.cli.operate import no_command, sub
from service.cli.store import add_data

if TYPE_CHECKING:
    from service.archive.months import Proof
    from service.bootstrap import Tables

EVERYTHING = 2**53


def add(commands: Commands) -> None:
    text = "Finished matches outside the store: how many, archive what is due, prove and check."
    parser = command(commands, "archive", no_command, text)
    inner = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    sub(inner, "status", status, "Where the archive is, how much is in it, and what is to go there.")
    run = sub(inner, "run", run_now, "Archives what is due, without waiting for the relay.")
    run.add_argument("--all", action="store_true", help="every match that is over, however short ago")
    sub(inner, "roots", show_roots, "The published roots as JSON: what GET /api/archive/roots answers.")
    text = "The proof that a match lies under the root of its month, as JSON."
    run = sub(inner, "prove", prove, text, "match")
    run.add_argument("-o", "--output", metavar="FILE", help="instead of the terminal")
    run = command(
        inner,
        "check",
        check,
        "Checks a proof without any server: the match is under the root, and the log is that match.\n\n"
        "With --keys (what GET /api/keys answers) also who signed the root; with --roots (what\n"
        "GET /api/archive/roots answered once, the older the better) that it is still the same one.",
        "turnlog archive check proof.json match.ndjson --keys server.json",
    )
    run.add_argument("proof", metavar="PROOF")
    run.add_argument("log", nargs="?", metavar="LOG", help="an export of the match")
    run.add_argument("--keys", metavar="FILE", help="the public keys of the server")
    run.add_argument("--roots", metavar="FILE", help="roots that you have kept")
    add_data(run)


async def status(deps: Tables, args: argparse.Namespace) -> int:
    notes = deps.archive.notes
    segments, days = await notes.segments(), deps.settings.archive_days
    where = deps.archive.shelf.where if deps.archive.is_open else "nowhere: set TURNLOG_ARCHIVE"
    size = sum(size for _, size in segments.values())
    print(f"archive      {where}")
    print(f"matches      {await notes.count()} in {len(segments)} segments, {size} bytes")
    when = f"archived {days} days after their end" if days else "kept in the store: TURNLOG_ARCHIVE_DAYS is 0"
    print(f"waiting      {await notes.waiting()} that are over; {when}")
    begun = await notes.begun()
    if begun is not None:
        print(f"being written {begun}")
    print(f"roots        {', '.join(await notes.roots()) or 'none yet'}")
    return 0


async def run_now(deps: Tables, args: argparse.Namespace) -> int:
    from service.archive import months, moving
    from workers.archivist import LEASE_S, Archivist

    _ = deps.archive.shelf  # raises, if there is none
    if not await deps.archive.notes.take_over(LEASE_S):
        raise WrongUsage("a relay is archiving at this moment; try again later")
    try:
        moved = await moving.go_on(deps)
        await moving.fill(deps)
        before = EVERYTHING if args.all else Archivist(deps).before()
        while (some := await moving.move(deps, before)).matches:
            moved += some
            print(f"{moved.matches} matches, {moved.size} bytes", file=sys.stderr)
            await deps.archive.notes.take_over(LEASE_S)
        closed = await months.close(deps)
    finally:
        await deps.archive.notes.hand_back()
    print(f"{moved.matches} matches archived, {moved.stayed + some.stayed} stay where they are")
    for root in closed:
        print(f"root of {root.month}: {root.root} over {root.count} matches")
    return 0


async def show_roots(deps: Tables, args: argparse.Namespace) -> int:
    from service.archive import months

    print_json({"items": months.shown(await months.roots(deps))})
    return 0


async def prove(deps: Tables, args: argparse.Namespace) -> int:
    from service.archive import months

    found = await months.prove(deps, args.match)
    if args.output:
        write_private(Path(args.output), msgspec.json.encode(found) + b"\n")
    else:
        print_json(found)
    return 0


def check(args: argparse.Namespace) -> int:
    from service.archive import months
    from service.cli.keys import ring

    proof = _proof(args.proof)
    keys = None if args.keys is None and args.data is None else ring(args)
    wrong = months.check(proof, keys) or _kept(proof, args.roots) or _other(proof, args.log)
    if wrong is not None:
        print(f"{args.proof}: {wrong}")
        return 1
    signed = f", signed with key {proof.root.key}" if keys is not None else "; who signed it was not checked"
    print(f"{args.proof}: match {proof.match} is under the root of {proof.root.month}{signed}")
    return 0


def _proof(path: str) -> Proof:
    from service.archive.months import Proof

    try:
        return msgspec.json.decode(read_bytes(path), type=Proof)
    except msgspec.DecodeError as problem:
        raise WrongUsage(f"{path}: not a proof: {problem}") from None


def _kept(proof: Proof, path: str | None) -> str | None:
    """What differs from the roots that somebody has kept."""
    from service.archive import months

    if path is None:
        return None
    try:
        found = msgspec.json.decode(read_bytes(path), type=dict[str, list[months.Root]])["items"]
    except (msgspec.DecodeError, KeyError) as problem:
        raise WrongUsage(f"{path}: not the roots of a server: {problem}") from None
    known = {root.month: root for root in found}.get(proof.root.month)
    if known is None:
        return f"{path} has no root of {proof.root.month}"
    same = known.statement == proof.root.statement
    return months.chain(found) if same else f"the root of {proof.root.month} in {path} is another one"


def _other(proof: Proof, path: str | None) -> str | None:
    """What differs from an export of the match: its chain leads to its head, or it is another log."""
    from engine.log import BadLog
    from engine.proof.verify import read

    if path is None:
        return None
    try:
        match, lines = read(read_bytes(path))
    except BadLog as problem:
        return f"{path}: {problem}"
    if (match.id, len(lines), match.head) != (proof.match, proof.events, proof.head):
        return f"{path} is not the log that this proof is about"
    return None
