"""`turnlog learn`: bots play themselves, what their positions were worth is fitted, and what wins is kept."""

import argparse
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bots.crew import results
from bots.registry import HELP
from engine import registry
from service.cli.common import Commands, WrongUsage, command, game, print_json
from service.cli.play.bots import found
from service.cli.progress import progress

if TYPE_CHECKING:
    from bots.learning.matches import Record, Wanted
    from bots.learning.weights import Rows, Verdict

STRAY = 0.25


class Round(NamedTuple):
    bot: str
    matches: int


def add(commands: Commands) -> None:
    run = command(
        commands,
        "learn",
        learn,
        "Lets bots play themselves and learns from it what positions are worth.\n\n"
        "Each round plays its matches with the weights of the round before, and fits new ones that are\n"
        "drawn towards those. The first begins with the weights in use, --afresh with none. At the end\n"
        "the new weights play those in use, one step ahead; they are written if they win clearly, or with\n"
        "--force. Needs numpy: pip install 'turnlog[learn]'. The same command gives the same weights.",
        "turnlog learn tides-of-time --rounds random:4000,greedy:1500 --afresh --seed 1",
    )
    run.add_argument("game", help="key of a game with features")
    run.add_argument(
        "--rounds", required=True, metavar="BOT:MATCHES,…", help=f"who plays how much, round by round: {HELP}"
    )
    run.add_argument("--seats", type=int, help="how many play (default: two, or the minimum)")
    run.add_argument("--seed", type=int, default=1, help="a number (default 1)")
    run.add_argument("--ridge", type=float, default=30.0, help="how much weights are drawn back (default 30)")
    run.add_argument("--stray", type=float, default=STRAY, help="how often another good move is tried (0.25)")
    run.add_argument("--afresh", action="store_true", help="begin with no weights")
    run.add_argument("--deals", type=int, default=100, help="deals of the trial in the end (default 100)")
    run.add_argument("--data", metavar="FOLDER", help="keep matches here; a run that was stopped goes on")
    run.add_argument("--out", metavar="FILE", help="where to write (default: beside the game)")
    run.add_argument("--force", action="store_true", help="write the weights whether they win or not")
    run.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: every core)")
    run.add_argument("--json", action="store_true", help="one JSON document")


def learn(args: argparse.Namespace) -> int:
    rules, rounds = game(args.game), _rounds(args.rounds)
    seats = args.seats or max(2, rules.players[0])
    _check(args, rules, seats)
    with _folder(args.data) as folder:
        return _learn(args, rules.key, seats, rounds, folder)


@contextmanager
def _folder(given: str | None) -> Iterator[Path]:
    if given is not None:
        Path(given).mkdir(parents=True, exist_ok=True)
        yield Path(given)
        return
    with TemporaryDirectory() as made:
        yield Path(made)


def _learn(args: argparse.Namespace, key: str, seats: int, rounds: list[Round], folder: Path) -> int:
    from bots.learning import weights

    old = weights.file_of(key)
    now = folder / f"{key}.none.json" if args.afresh else old
    if args.afresh:
        weights.write(now, key, weights.nothing(key), {})
    told = []
    for number, one in enumerate(rounds):
        name = f"{key}-{seats}-{args.seed}-{number}"
        records = _played(args, seats, number, one, folder / f"{name}.ndjson", now)
        rows, line = _fitted(args, one, records, now)
        told.append(line)
        now = folder / f"{name}.weights.json"
        weights.write(now, key, rows, line)
    verdict = _tried(args, seats, now, old)
    kept = verdict.wins or args.force
    made = _provenance(args, seats, told, verdict)
    if kept:
        weights.write(Path(args.out) if args.out else old, key, weights.read(now), made)
    report = {"game": key, "kept": kept, **made}
    print_json(report) if args.json else _print(report)
    return 0 if kept else 1


def _rounds(text: str) -> list[Round]:
    rounds = []
    for part in text.split(","):
        name, _, matches = part.rpartition(":")
        if not name or not matches.isdigit() or int(matches) < 1:
            raise WrongUsage(f"--rounds {part}: write it as BOT:MATCHES, such as greedy:500")
        found(name)
        rounds.append(Round(name, int(matches)))
    return rounds


def _check(args: argparse.Namespace, rules: Any, seats: int) -> None:
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        raise WrongUsage("learning needs numpy: pip install 'turnlog[learn]'") from None
    if not hasattr(registry.part(rules.key, "hints"), "LEARNED"):
        raise WrongUsage(f"{rules.key} has no features to learn from")
    if seats not in rules.players:
        raise WrongUsage(f"{rules.key} is for {rules.players[0]} to {rules.players[-1]} players, not {seats}")
    if args.jobs < 1 or args.deals < 2 or not 0 <= args.stray <= 1 or args.ridge < 0:
        raise WrongUsage("--jobs is at least 1, --deals at least 2, --stray from 0 to 1, --ridge at least 0")


def _played(
    args: argparse.Namespace, seats: int, number: int, one: Round, path: Path, weights: Path
) -> "list[Record]":
    """The matches of a round; those that a stopped run has written already are not played again."""
    from bots.learning.matches import Wanted, play_wanted, wanted

    stray = 0.0 if one.bot == "random" else args.stray
    plan = Wanted(args.game, seats, one.bot, "", stray, str(weights))
    tasks = wanted(plan, one.matches, args.seed * 100 + number)
    done = _kept(path, tasks)
    left = tasks[len(done) :]
    with results(play_wanted, left, args.jobs) as records, path.open("ab") as file:
        for record in progress(records, len(left), f"round {number + 1}: {one.bot}"):
            done.append(record)
            file.write(msgspec.json.encode(record) + b"\n")
            file.flush()
    return done


def _kept(path: Path, tasks: "Sequence[Wanted]") -> "list[Record]":
    """What is there of this very round; a line that was being written when it was stopped does not count."""
    from bots.learning.matches import Record

    if not path.exists():
        return []
    whole = path.read_bytes().split(b"\n")[:-1]
    records = [msgspec.json.decode(line, type=Record) for line in whole[: len(tasks)]]
    if [record.seed for record in records] != [task.seed for task in tasks[: len(records)]]:
        raise WrongUsage(f"{path} holds other matches: name another folder")
    path.write_bytes(b"".join(line + b"\n" for line in whole[: len(tasks)]))
    return records


def _fitted(
    args: argparse.Namespace, one: Round, records: "list[Record]", before: Path
) -> "tuple[Rows, dict[str, Any]]":
    from bots.learning.fit import fit
    from bots.learning.weights import read

    todo = progress(records, len(records), "fit")
    found = fit(args.game, todo, args.ridge, read(before))
    line = {"bot": one.bot, "matches": one.matches, "positions": found.rows}
    return found.weights, {**line, "loss": round(found.loss, 3), "blind_loss": round(found.blind, 3)}


def _tried(args: argparse.Namespace, seats: int, new: Path, old: Path) -> "Verdict":
    from bots.learning.weights import Trial, judged, play_trial, trials

    tasks = trials(Trial(args.game, seats, "", str(new), str(old)), args.deals, args.seed)
    with results(play_trial, tasks, args.jobs) as deals:
        return judged(list(progress(deals, len(tasks), "trial")))


def _provenance(
    args: argparse.Namespace, seats: int, told: list[dict[str, Any]], verdict: "Verdict"
) -> dict[str, Any]:
    fresh = " --afresh" if args.afresh else ""
    return {
        "command": f"turnlog learn {args.game} --rounds {args.rounds} --seats {seats} --seed {args.seed} "
        f"--ridge {args.ridge:g} --stray {args.stray:g}{fresh}",
        "commit": _commit(),
        "rounds": told,
        "trial": {
            "deals": verdict.deals,
            "rate": round(verdict.rate, 4),
            "interval": [round(x, 4) for x in verdict.interval],
        },
    }


def _commit() -> str:
    """The commit that this was made with; with a + if files were changed since."""
    here = Path(__file__).parent
    try:
        asked = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"],
            cwd=here,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        return "unknown"
    return asked.stdout.strip() if asked.returncode == 0 else "unknown"


def _print(report: dict[str, Any]) -> None:
    for line in report["rounds"]:
        print(
            f"{line['bot']}: {line['matches']} matches, {line['positions']} positions, "
            f"loss {line['loss']:g} (without features {line['blind_loss']:g})"
        )
    trial = report["trial"]
    low, high = trial["interval"]
    print(
        f"new against old, one step ahead: {trial['rate']:.1%} ({low:.1%} to {high:.1%}), "
        f"{trial['deals']} deals"
    )
    print("kept" if report["kept"] else "not kept: they do not win clearly")
