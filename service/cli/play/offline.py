"""Commands that need no server: the catalogue, simulations, rule cases."""

import argparse
import os
from pathlib import Path
from typing import Any

import msgspec
import orjson

from bots.arena import Ending, Order, Tally, log_order, play_order, series
from bots.crew import results
from bots.registry import BOTS, HELP
from engine import registry
from engine.checks import cases
from engine.game import AnyGame
from service.cli.common import (
    Commands,
    WrongUsage,
    command,
    game,
    options,
    print_json,
    read_bytes,
)
from service.cli.play.bots import found
from service.cli.progress import progress


def add(commands: Commands) -> None:
    games = command(commands, "games", show_games, "The catalogue: which games there are and their options.")
    games.add_argument("--json", action="store_true", help="one JSON document")

    sim = command(
        commands,
        "sim",
        simulate,
        "Plays bots against each other, offline.\n\n"
        "Prints wins, mean scores and lengths. The bots' seats rotate from match to match. The same --seed\n"
        "gives the same output every time.",
        "turnlog sim machi-koro --bots greedy,random,random --games 100 --seed 1",
    )
    sim.add_argument("game", help="key of the game, see `turnlog games`")
    sim.add_argument("--seats", type=int, help="how many play (default: as many as bots, else the minimum)")
    sim.add_argument("--bots", default="", help=f"names with commas: {HELP}")
    sim.add_argument("--games", type=int, default=1, help="how many matches (default 1)")
    sim.add_argument("--seed", type=int, default=0, help="a number (default 0)")
    sim.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )
    sim.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: every core)")
    sim.add_argument("--log", metavar="FILE", help="write the event log of the last match")
    sim.add_argument("--logs", metavar="FOLDER", help="write the event log of every match")
    sim.add_argument("--json", action="store_true", help="one JSON document")

    run = command(
        commands,
        "cases",
        run_cases,
        "Runs rule cases and says which fail; exit 1 if any fails.\n\n"
        "The game is the file's `game`, or the name of its folder.",
        "turnlog cases tests/games/machi_koro/cases/*.json",
    )
    run.add_argument("paths", nargs="+", metavar="PATH", help="a file of cases, or a folder of such files")
    run.add_argument("--json", action="store_true", help="one JSON document")


def show_games(args: argparse.Namespace) -> None:
    if args.json:
        print_json([describe(rules) for rules in registry.games()])
        return
    for rules in registry.games():
        seats = (
            f"{rules.players[0]} to {rules.players[-1]}" if len(rules.players) > 1 else str(rules.players[0])
        )
        print(f"{rules.key}: {rules.words.title('en')}, {seats} players, rules version {rules.version}")
        defaults = msgspec.to_builtins(rules.Options())
        for name, meaning in rules.words.meanings("en").items():
            print(f"    {name} = {orjson.dumps(defaults[name]).decode()}: {meaning}")


def describe(rules: AnyGame) -> dict[str, Any]:
    return {
        "key": rules.key,
        "name": rules.words.name,
        "seats": {"min": rules.players[0], "max": rules.players[-1]},
        "version": rules.version,
        "options": rules.Options(),
        "bots": list(BOTS),
    }


def simulate(args: argparse.Namespace) -> None:
    rules = game(args.game)
    chosen = options(rules, args.option)
    names = _names(rules, args.bots, args.seats)
    if args.games < 1 or args.jobs < 1:
        raise WrongUsage("--games and --jobs must be at least 1")
    _check_start(rules, len(names), chosen)
    for name in names:
        found(name)
    orders = list(series(rules, chosen, names, args.games, args.seed))
    tally = Tally(len(names))
    with results(play_order, orders, args.jobs) as endings:
        for order, ending in zip(orders, progress(endings, args.games, rules.key), strict=True):
            tally.add(ending, order.entries)
    _write_logs(args, orders)
    report = _report(rules, args, names, tally, ending)
    print_json(report) if args.json else _print_sim(report)


def _write_logs(args: argparse.Namespace, orders: list[Order]) -> None:
    """The same matches once more, at a table that writes."""
    if args.log:
        Path(args.log).write_bytes(log_order(orders[-1]).export)
    if args.logs:
        folder = Path(args.logs)
        folder.mkdir(parents=True, exist_ok=True)
        with results(log_order, orders, args.jobs) as logs:
            for number, played in enumerate(progress(logs, args.games, "logs")):
                (folder / f"{number:06d}.ndjson").write_bytes(played.export)


def _names(rules: AnyGame, text: str, seats: int | None) -> list[str]:
    names = [name.strip() for name in text.split(",")] if text else []
    count = seats or len(names) or rules.players[0]
    if count not in rules.players:
        raise WrongUsage(f"{rules.key} is for {rules.players[0]} to {rules.players[-1]} players, not {count}")
    if names and len(names) != count:
        raise WrongUsage(f"{len(names)} bots for {count} seats")
    return names or ["random"] * count


def _check_start(rules: AnyGame, seats: int, chosen: Any) -> None:
    from engine.game import Illegal

    try:
        rules.start(seats, chosen)
    except Illegal as refusal:
        raise WrongUsage(rules.words.refusal(refusal.code, refusal.params, "en")) from None


def _report(
    rules: AnyGame, args: argparse.Namespace, names: list[str], tally: Tally, last: Ending
) -> dict[str, Any]:
    return {
        "game": rules.key,
        "seats": len(names),
        "games": args.games,
        "seed": args.seed,
        "bots": names,
        "wins": [round(wins, 6) for wins in tally.wins],
        "scores": [round(score / args.games, 6) for score in tally.scores],
        "actions": round(tally.actions / args.games, 6),
        "result": last.result,
    }


def _print_sim(report: dict[str, Any]) -> None:
    print(f"{report['game']}, {report['seats']} seats, {report['games']} matches, seed {report['seed']}")
    print(f"{'bot':<24}{'wins':>8}{'share':>9}{'mean score':>12}")
    for name, wins, score in zip(report["bots"], report["wins"], report["scores"], strict=True):
        print(f"{name:<24}{wins:>8g}{wins / report['games']:>9.1%}{score:>12.1f}")
    print(f"{report['actions']:.1f} actions a match on average")


def run_cases(args: argparse.Namespace) -> int:
    outcomes = [outcome for path in _files(args.paths) for outcome in _run_file(path)]
    failed = [outcome for outcome in outcomes if not outcome.passed and not outcome.skipped]
    skipped = [outcome for outcome in outcomes if outcome.skipped]
    passed = len(outcomes) - len(failed) - len(skipped)
    if args.json:
        print_json(
            {
                "passed": passed,
                "failed": len(failed),
                "skipped": len(skipped),
                "cases": [o._asdict() for o in outcomes],
            }
        )
        return 1 if failed else 0
    for outcome in failed:
        print(f"FAILED {outcome.name}")
        for problem in outcome.problems:
            print(f"    {problem}")
    print(f"{passed} passed, {len(failed)} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed else 0


def _files(paths: list[str]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.json")) if path.is_dir() else [path]
    return found


def _run_file(path: Path) -> list[cases.CaseOutcome]:
    try:
        data = msgspec.json.decode(read_bytes(str(path)))  # unlike orjson it keeps integers of any size
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise WrongUsage(f"{path} is not JSON: {problem}") from None
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise WrongUsage(f"{path} is not a file of cases: it needs a list `cases`")
    key = cases.game_of(data, path.resolve().parent.parts)
    if key not in registry.GAMES:
        raise WrongUsage(f"{path}: there is no game {key!r}: name it in `game`, or by the folder")
    name = path.parent.name if path.parent.name not in ("", ".", "cases") else key
    todo = progress(cases.run(key, data["cases"]), len(data["cases"]), key)
    return [outcome._replace(name=f"{name}: {outcome.name}") for outcome in todo]
