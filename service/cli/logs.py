"""Commands on logs: replay, verify, audit, export, import."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import undo
from engine.events import seen
from engine.game import Lang
from engine.identity import of_account
from engine.kit.text import LANGS
from engine.log import FORGED, UNKNOWN_VERSION, BadLog, Match, load
from engine.proof.report import HOLDS
from engine.proof.verify import Audit, audit, closing, ending, read, report, verify
from infra.process.files import write_private
from service.basics.errors import Problem
from service.cli import verdicts
from service.cli.common import Commands, WrongUsage, command, print_json, read_bytes
from service.cli.keys import KEYS, ring, ring_beside, said
from service.cli.progress import progress
from service.cli.store import add_data, with_store
from service.views import narration
from service.views.narration import Voice
from service.views.sight import sentences

if TYPE_CHECKING:
    from service.bootstrap import Deps, People, Tables
    from service.commands.importing import Importer


def add(commands: Commands) -> None:
    run = command(
        commands,
        "replay",
        replay,
        "Folds a log file without any server and shows what happened.\n\n"
        "Prints the log in words and the result; --json prints the view of every seat, or of one.",
        "turnlog replay match.ndjson --at 12 --seat 0 --json",
    )
    run.add_argument("log", metavar="LOG")
    run.add_argument("--at", type=int, metavar="SEQ", help="as it was after this event")
    run.add_argument("--seat", type=int, help="as this seat saw it")
    run.add_argument("--lang", choices=LANGS, default="en")
    run.add_argument("--json", action="store_true", help="one JSON document")

    run = command(
        commands,
        "verify",
        verify_logs,
        "Checks a log: hash chain, seal, salts, the order of events, who did them, every draw of chance,\n"
        "every decision, and the result. Exit 0 only if all hold, or if the rules were mended since and a\n"
        "trusted server has signed the log: then it is valid, decided under earlier rules. A log that\n"
        "names other rules and that nobody has signed cannot be checked, which does not mean forged.\n\n"
        "Says who signed it too, by the keys that you give, or else by a keys.json beside the log. A log\n"
        "that nobody signed may hold; one whose signature is wrong does not.",
        "turnlog verify match.ndjson --keys keys.json",
    )
    run.add_argument("logs", nargs="+", metavar="LOG")
    run.add_argument("--keys", metavar="FILE", help="the answer of GET /api/keys of the server")
    run.add_argument("--json", action="store_true", help="one JSON document for each log, check by check")
    add_data(run)

    run = command(
        commands,
        "audit",
        audit_logs,
        "Re-decides every event under the current rules: same, differs at n, or illegal at n.\n\n"
        "Without files it audits every stored match. Exit 1 unless all are the same.",
    )
    run.add_argument("logs", nargs="*", metavar="LOG")
    add_data(run)

    run = command(
        commands,
        "export",
        export,
        "Writes logs: of one match, or with --all of every match, with accounts, into a folder.\n\n"
        "Logs of running matches are complete here, secrets included: only their owner may read the files.\n"
        "A damaged log is named and written as it is, the rest follows, and the exit is 1.",
        "turnlog export --all backup/",
    )
    run.add_argument("match", nargs="?", metavar="MATCH")
    run.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    run.add_argument("--all", metavar="DIR", help="every match, one file each, and the accounts")
    add_data(run)

    run = command(
        commands,
        "import",
        import_logs,
        "Reads logs back in. Each is verified first; what is stored already is left alone.\n\n"
        "Matches that this server signed, and unsigned ones whose accounts.ndjson is among the files, come\n"
        "back as they were; if they were running, everybody keeps their seat and the dice get a new seal.\n"
        "Of all others the people are nobody here, and running ones go on with vacant seats.",
        "turnlog import backup/",
    )
    run.add_argument("files", nargs="+", metavar="FILE", help="also folders; - for logs from standard input")
    run.add_argument(
        "--for", dest="owner", metavar="NAME", help="whose account the matches from elsewhere get"
    )
    add_data(run)


def _open(path: str) -> tuple[Match, list[bytes]]:
    try:
        return read(read_bytes(path))
    except BadLog as problem:
        raise BadLog(problem.line, problem.code, f"{problem.reason} ({path})") from None


def replay(args: argparse.Namespace) -> None:
    match, lines = _open(args.log)
    if args.at is not None:
        if not 1 <= args.at <= match.seq:
            raise WrongUsage(f"--at: the log has events 1 to {match.seq}")
        lines = lines[: args.at]
        match = load(lines)
    if args.seat is not None and not 0 <= args.seat < len(match.chairs):
        raise WrongUsage(f"--seat: the match has seats 0 to {len(match.chairs) - 1}")
    if args.json:
        print_json(_replayed(match, args.seat))
        return
    _tell(match, lines, args.seat, args.lang)


def _replayed(match: Match, seat: int | None) -> dict[str, Any]:
    report: dict[str, Any] = {"match": match.id, "game": match.game, "seq": match.seq, "status": match.status}
    report |= {"to_act": match.to_act, "head": match.head, "result": match.result}
    if match.state is None:
        return report | {"view": None}
    if seat is not None:
        return report | {"view": match.rules.view(match.state, seat)}
    return report | {"views": [match.rules.view(match.state, n) for n in range(len(match.chairs))]}


def _tell(match: Match, lines: list[bytes], seat: int | None, lang: Lang) -> None:
    names = [f"P{n}" for n in range(len(match.chairs))]
    print(f"{match.rules.words.title(lang)}, match {match.id}, {match.seq} events, {match.status}")
    gone, voice = undo.taken_back(lines), Voice(seat, names, lang, _parts(match))
    for number, line in enumerate(lines, 1):
        for text in _in_words(match, line, voice):
            back = narration.TEXTS[lang]["taken_back"].format(text=text)
            print(f"{number:>5}  {back if number in gone else text}")
    if match.result is not None:
        _tell_result(match, names, lang)
    elif match.to_act:
        print(f"to act: {', '.join(names[n] for n in match.to_act)}")


def _in_words(match: Match, line: bytes, voice: Voice) -> list[str]:
    event = seen(match.rules, line, voice.seat, over=voice.seat is None)
    return sentences(match.rules, event.get("facts", ()), voice.names, voice.lang) or narration.other(
        event, voice
    )


def _parts(match: Match) -> list[list[dict[str, Any]]]:
    """Who played a seat when, without names: a log has none. A bot is not a substitute."""
    return [
        [{"from": part.seq, "kind": part.holder.kind, "why": part.why, "name": ""} for part in chair.parts]
        for chair in match.chairs
    ]


def _tell_result(match: Match, names: list[str], lang: Lang) -> None:
    """Places; and points, if there was an end to count them at."""
    result = match.result
    assert result is not None
    for seat, name in enumerate(names):
        won = " *" if seat in result.winners else ""
        points = f": {result.scores[seat]}" if result.how == "played" else ""
        print(f"{result.places[seat]}. {name}{points}{won}")
        for line in result.breakdown[seat]:
            print(f"      {line.points:>4}  {match.rules.words.line(line.what, lang)}")


def verify_logs(args: argparse.Namespace) -> int:
    """Exit 0 only if every log may be believed; each line says why."""
    from service.views.signatures import of_file

    failed, known = 0, ring(args)
    for path in progress(args.logs, len(args.logs), "verify"):
        data = read_bytes(path)
        found, signer = report(data), of_file(known or ring_beside(path), data)
        failed |= found.verdict(signer.counts) not in HOLDS or signer.by == "forged"
        events = max(0, data.count(b"\n") - 1)
        if args.json:
            print_json(verdicts.as_json(path, events, found, signer))
        else:
            print(verdicts.told(path, events, found, signer.counts))
            if verdicts.has_a_signer(found, signer):
                print(f"{path}: {said(signer)}")
    return int(failed)


def audit_logs(args: argparse.Namespace) -> int:
    if args.logs:
        return _report_audit((path, _audited(partial(_lines, path))) for path in args.logs)
    return asyncio.run(with_store(args, _audit_stored))


def _lines(path: str) -> list[bytes]:
    return _open(path)[1]


async def _audit_stored(deps: Tables) -> int:
    found = [(ident, _audited(partial(_readable, lines))) async for ident, lines in stored(deps)]
    return _report_audit(found)


def _readable(found: list[bytes] | BadLog) -> list[bytes]:
    if isinstance(found, BadLog):
        raise found
    return found


def _audited(lines: Callable[[], list[bytes]]) -> Audit:
    """One log's verdict; a damaged one has its own, and the next is looked at."""
    try:
        found = lines()
        load(found)
        return audit(found)
    except BadLog as problem:
        verdict = problem.code if problem.code == UNKNOWN_VERSION else "broken"
        return Audit(verdict, problem.line, problem.reason)
    except FORGED as problem:  # it folds, but nobody could have decided it
        return Audit("broken", 0, f"it cannot have happened: {problem!r}")


def _report_audit(found: Iterable[tuple[str, Audit]]) -> int:
    worst = count = 0
    for name, verdict in found:
        count += 1
        worst |= verdict.verdict != "same"
        where = "" if verdict.verdict == "same" else f" at {verdict.seq}: {verdict.detail}"
        print(f"{name}: {verdict.verdict}{where}")
    print(f"{count} logs")
    return worst


async def stored(deps: Tables) -> AsyncIterator[tuple[str, list[bytes] | BadLog]]:
    """Every log, or why it cannot even be read: a segment of the archive may be damaged."""
    async for ident in deps.store.matches():
        try:
            yield ident, await deps.store.read(ident)
        except BadLog as damage:
            yield ident, damage


def export(args: argparse.Namespace) -> int:
    if (args.match is None) == (args.all is None):
        raise WrongUsage("name one match, or --all DIR")
    return asyncio.run(with_store(args, lambda deps: _export(deps, args)))


async def _export(deps: Deps, args: argparse.Namespace) -> int:
    if args.all is not None:
        from service.cli.backups import export_all

        return await export_all(deps, Path(args.all), stored(deps), whole)
    data = await whole(deps, args.match, await deps.store.read(args.match))
    if args.output:
        write_private(Path(args.output), data)
    else:
        sys.stdout.buffer.write(data)
    return 0


async def whole(deps: Tables, ident: str, lines: list[bytes]) -> bytes:
    """A stored log as a file."""
    from service.memory.origins import dressed
    from service.views import signatures

    if not lines:
        raise Problem("not_found")
    match = dressed(load(lines), await deps.beside.origin(ident))
    return b"\n".join([*lines, closing(match, await signatures.signed(deps, match)), b""])


def import_logs(args: argparse.Namespace) -> int:
    return asyncio.run(with_store(args, lambda deps: _import(deps, args)))


async def _importer(deps: People, args: argparse.Namespace) -> Importer:
    """The operator, who vouches for logs that come with their accounts."""
    from infra.store import backup
    from service.commands.importing import OPERATOR, Importer

    vouches = any(Path(path).name == backup.FILE for path in args.files)
    if args.owner is None:
        return Importer(OPERATOR, vouches)
    account = await deps.accounts.find(args.owner)
    if account is None:
        raise WrongUsage(f"there is no account {args.owner!r}")
    return Importer(of_account(account.id), vouches)


async def _import(deps: Deps, args: argparse.Namespace) -> int:
    from infra.store import backup
    from service.cli.backups import given
    from service.cli.backups import logs as in_file

    worst, args.files = 0, given(args.files)
    importer = await _importer(deps, args)
    # Accounts come first: with them come the keys that say which logs are ours.
    logs = [path for path in args.files if Path(path).name != KEYS]  # public, and for people
    files = sorted(logs, key=lambda path: Path(path).name != backup.FILE)
    for path in progress(files, len(files), "import"):
        if Path(path).name == backup.FILE:
            count = await backup.restore(deps.client, read_bytes(path))
            print(f"{path}: {count} records of accounts restored")
            continue
        for name, data in in_file(path):
            worst |= await _import_one(deps, name, data, importer)
    return worst


async def _import_one(deps: Tables, name: str, data: bytes, importer: Importer) -> int:
    try:
        print(f"{name}: {await _import_log(deps, data, importer)}")
    except BadLog as problem:
        print(f"{name}: {problem.code}: {problem}")
        return 1
    except Problem as problem:
        print(f"{name}: {problem.sentence('en')}")
        return 1
    return 0


async def _import_log(deps: Tables, data: bytes, importer: Importer) -> str:
    from service.commands import importing
    from service.views.signatures import known, of_file

    match, lines = read(data)
    verify(lines, of_file(await known(deps), data).counts)
    _, new = await importing.import_log(deps, match, lines, ending(data), importer)
    return f"{match.seq} events of match {match.id} imported" if new else f"match {match.id} is here already"
