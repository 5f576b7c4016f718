"""Commands about bots: the arena, remote bots, shadow seats."""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from bots.plot import Row, svg
from bots.registry import HELP, Choose, UnknownBot, resolve
from bots.sdk import cli as sdk
from bots.sdk import register
from bots.shadow import Summary, shadow, summary
from bots.tournament import Outcome, Standing, Table, run, schedule
from engine.game import AnyGame
from engine.proof.verify import read
from service.cli.common import (
    Commands,
    WrongUsage,
    command,
    game,
    options,
    print_json,
    read_bytes,
)
from service.cli.progress import progress


def add(commands: Commands) -> None:
    add_arena(commands)
    group = command(
        commands, "bot", _no_command, "Remote bots: write one, register it, run it, try it on old logs."
    )
    parts = group.add_subparsers(title="commands", metavar="COMMAND", required=True)
    sdk.add_run(
        command(
            parts,
            "run",
            run_bot,
            "Plays on a server with a bot written with the SDK, until it is stopped.\n\n"
            "Lost connections come back by themselves; every turn is answered once.\n"
            "docs/bots.md has the contract.",
            "turnlog bot run my_bot.py:MyBot --url http://127.0.0.1:8000 --token $TOKEN",
        )
    )
    register.add(
        command(
            parts,
            "register",
            register_bot,
            "Gives a bot its name on a server, and prints its token and secret for a shell to read.\n\n"
            "Without a token of yours a guest is made who owns the bot; its token is printed too.\n"
            "--against GAME opens a first match against the greedy bot: the bot plays it once it runs.",
            'eval "$(turnlog bot register my-bot --url http://127.0.0.1:8000 --against tides-of-time)"',
        )
    )
    sdk.add_new(
        command(parts, "new", new_bot, "Writes a starter for a bot of your own.", "turnlog bot new my_bot.py")
    )
    add_shadow(parts)


def add_arena(commands: Commands) -> None:
    run = command(
        commands,
        "arena",
        arena,
        "Bots against bots, with what it proves.\n\n"
        "Every deal is played with the seats moved on until everybody has sat everywhere; win rates come\n"
        "with 95 % intervals drawn by deal. Results depend on the seed alone (bots with a budget in time\n"
        "aside), however many processes play. With more bots than seats everybody meets everybody; with\n"
        "more seats than bots they sit down several times. CHECKOUT@BOT is a bot as it is in another\n"
        "checkout of this repository.",
        "turnlog arena tides-of-time --bots search:200,greedy --games 200",
    )
    run.add_argument("game", help="key of the game, see `turnlog games`")
    run.add_argument("--bots", required=True, help=f"names with commas: {HELP}")
    run.add_argument("--games", type=int, default=100, help="matches at most (default 100)")
    run.add_argument("--seats", type=int, help="how many play (default: as many as bots, else the minimum)")
    run.add_argument("--seed", type=int, default=0, help="a number (default 0)")
    run.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )
    run.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: every core)")
    run.add_argument(
        "--stop-when-clear",
        action="store_true",
        help="two bots: stop once it is clear who is better; wrong for equals in one series of 20 at most",
    )
    run.add_argument("--lines", metavar="FILE.ndjson", help="a line a match: deal, seats, scores, times")
    run.add_argument("--plot", metavar="FILE.svg", help="draw the ratings")
    run.add_argument("--json", action="store_true", help="one JSON document")


def add_shadow(commands: Commands) -> None:
    run = command(
        commands,
        "shadow",
        shadow_logs,
        "Gives a bot what a seat knew in finished matches, and compares what it would have played.\n\n"
        "Exit 1 if the bot ever answered something illegal.",
        "turnlog bot shadow match.ndjson --bot search:200 --seat 0",
    )
    run.add_argument("logs", nargs="+", metavar="LOG")
    run.add_argument("--bot", default="greedy", help=HELP)
    run.add_argument("--seat", type=int, help="only this seat (default: all)")
    run.add_argument("--json", action="store_true", help="one JSON document")


def _no_command(args: argparse.Namespace) -> int:
    raise WrongUsage("say which: new, register, run or shadow")


def found(name: str) -> Choose:
    try:
        return resolve(name)
    except UnknownBot as problem:
        reason = problem.args[0] if problem.args[0] != name else f"there is no bot {name!r}"
        raise WrongUsage(f"{reason}; choose from {HELP}") from None


def arena(args: argparse.Namespace) -> None:
    rules, names = game(args.game), [name.strip() for name in args.bots.split(",")]
    seats = _seats(rules, args.seats, len(names))
    _check(args, names, seats)
    table = Table(names, seats)
    tasks = list(schedule(rules, options(rules, args.option), names, seats, args.games, args.seed))

    def watch(results: Iterable[Outcome]) -> Iterable[Outcome]:
        return _written(progress(results, len(tasks), rules.key), args.lines)

    stopped = run(tasks, table, min(args.jobs, args.games), args.stop_when_clear, watch)
    standings = table.standings(args.seed)
    if args.plot:
        _plot(args.plot, rules, table, standings)
    report = _report(rules, args, table, standings, stopped)
    print_json(report) if args.json else _print(report)


def _written(outcomes: Iterable[Outcome], path: str | None) -> Iterator[Outcome]:
    """Passes outcomes on; each is a line of the file as soon as it is known."""
    if path is None:
        yield from outcomes
        return
    with Path(path).open("wb") as file:
        for outcome in outcomes:
            file.write(orjson.dumps(outcome._asdict()) + b"\n")
            file.flush()
            yield outcome


def _seats(rules: AnyGame, wanted: int | None, bots: int) -> int:
    seats = wanted or (bots if bots in rules.players else max(2, rules.players[0]))
    if seats not in rules.players:
        raise WrongUsage(f"{rules.key} is for {rules.players[0]} to {rules.players[-1]} players, not {seats}")
    return seats


def _check(args: argparse.Namespace, names: Sequence[str], seats: int) -> None:
    if len(names) < 2 or len(set(names)) < len(names):
        raise WrongUsage("--bots: name two or more different bots")
    if args.games < 1 or args.jobs < 1:
        raise WrongUsage("--games and --jobs must be at least 1")
    if args.stop_when_clear and len(names) != 2:
        raise WrongUsage("--stop-when-clear is for two bots")
    for name in names:
        found(name)


def _report(
    rules: AnyGame, args: argparse.Namespace, table: Table, standings: Sequence[Standing], stopped: bool
) -> dict[str, Any]:
    return {
        "game": rules.key,
        "seats": table.seats,
        "games": table.games,
        "seed": args.seed,
        "stopped": stopped,
        "actions": round(table.actions / table.games, 3),
        "bots": [_plain(standing) for standing in standings],
    }


def _plain(standing: Standing) -> dict[str, Any]:
    return {
        "bot": standing.bot,
        "games": standing.appearances,
        "wins": round(standing.wins, 6),
        "rate": round(standing.rate, 4),
        "interval": [round(x, 4) for x in standing.interval],
        "score": round(standing.score, 3),
        "rating": round(standing.rating),
        "rating_interval": [round(x) for x in standing.rating_interval],
        "ms": round(standing.ms, 2),
    }


def _print(report: dict[str, Any]) -> None:
    early = ", stopped early: the result is clear" if report["stopped"] else ""
    print(
        f"{report['game']}, {report['seats']} seats, {report['games']} matches, seed {report['seed']}{early}"
    )
    print(
        f"{'bot':<28}{'wins':>9}{'rate':>8}{'95 %':>17}{'rating':>8}{'95 %':>14}{'score':>9}{'ms a move':>11}"
    )
    for row in sorted(report["bots"], key=lambda row: -row["rating"]):
        low, high = row["interval"]
        span = "{} to {}".format(*row["rating_interval"])
        print(
            f"{row['bot']:<28}{row['wins']:>9g}{row['rate']:>8.1%}{f'{low:.1%} to {high:.1%}':>17}"
            f"{row['rating']:>8}{span:>14}{row['score']:>9.1f}{row['ms']:>11.1f}"
        )


def _plot(path: str, rules: AnyGame, table: Table, standings: Sequence[Standing]) -> None:
    title = (
        f"{rules.words.title('en')}, {table.seats} seats, {table.games} matches: ratings with 95 % intervals"
    )
    rows = [Row(one.bot, one.rating, one.rating_interval) for one in standings]
    Path(path).write_text(svg(title, rows), encoding="utf-8")


def run_bot(args: argparse.Namespace) -> int:
    try:
        return sdk.run(args)
    except sdk.WrongUse as problem:
        raise WrongUsage(str(problem)) from None


def register_bot(args: argparse.Namespace) -> int:
    return register.register(args)


def new_bot(args: argparse.Namespace) -> int:
    try:
        sdk.new(args)
    except sdk.WrongUse as problem:
        raise WrongUsage(str(problem)) from None
    print(f"{args.file} is a bot that plays at random. Try it:")
    print(f"    turnlog sim tides-of-time --bots {args.file}:MyBot,random --games 10")
    return 0


def shadow_logs(args: argparse.Namespace) -> int:
    choose = found(args.bot)
    logs = [(path, *read(read_bytes(path))) for path in args.logs]
    for path, match, _ in logs:
        if match.status != "finished":
            raise WrongUsage(f"{path}: the match is not over")
    reports = []
    answers = []
    for path, _, lines in progress(logs, len(logs), "shadow"):
        heard = list(shadow(lines, choose, args.seat))
        reports.append({"log": path, **_told(summary(heard))})
        answers += heard
    total = summary(answers)
    if args.json:
        print_json({"bot": args.bot, "seat": args.seat, "logs": reports, "total": _told(total)})
    else:
        _print_shadow(args.bot, reports, total)
    return 1 if total.illegal else 0


def _told(result: Summary) -> dict[str, Any]:
    return {key: round(value, 4) for key, value in result._asdict().items()}


def _print_shadow(bot: str, reports: Sequence[dict[str, Any]], total: Summary) -> None:
    for row in [*reports, {"log": "all", **_told(total)}] if len(reports) > 1 else reports:
        share = row["agreed"] / max(1, row["decisions"])
        print(
            f"{row['log']}: {bot} agrees with {row['agreed']} of {row['decisions']} decisions ({share:.0%}; "
            f"by chance {row['by_chance']:.0%}), {row['illegal']} illegal, "
            f"{row['median_ms']:.1f} ms median, {row['worst_ms']:.1f} ms worst"
        )
