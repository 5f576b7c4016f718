"""`turnlog game new`: the skeleton of a game, small and complete, that runs as it stands."""

import argparse
import keyword
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from engine import registry
from service.cli.common import Commands, WrongUsage, command

SKELETON = Path(__file__).parent / "skeleton"
ROOT = Path(registry.__file__).parents[1]
CASE = "first.json"  # goes to the tests; everything else to the game
KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NAME = re.compile(r"\w[\w '!&-]*")
LONGEST = 20
NEXT = """\
{game} and {cases} are there: a game that runs. Next:
  1. Put it on the list, one line in GAMES of engine/registry.py:  "{key}",
  2. turnlog sim {key} --bots greedy,random --games 20
     turnlog cases {cases}
     turnlog up, then open /new?game={key} and seat a Medium bot, which is greedy
  3. Make it yours: docs/games.md says what each file owes.
  4. make golden GAME={key} && make test"""


def add(commands: Commands) -> None:
    group = command(commands, "game", _no_command, "Games of your own: begin one.")
    parts = group.add_subparsers(title="commands", metavar="COMMAND", required=True)
    new = command(
        parts,
        "new",
        new_game,
        "Writes the skeleton of a game: every file it owes, with rules that can be played at once.\n\n"
        "Then it says what to do next. Nothing that exists is overwritten. docs/games.md has the contract.",
        'turnlog game new nine-holes --name "Nine Holes"',
    )
    new.add_argument("key", metavar="KEY", help="small letters, digits and hyphens: nine-holes")
    new.add_argument("--name", help="what people call it (default: from the key)")
    new.add_argument("--into", metavar="DIR", default=ROOT, help="another copy of Turnlog than this")


def _no_command(args: argparse.Namespace) -> int:
    raise WrongUsage("`turnlog game new KEY` begins a game")


def new_game(args: argparse.Namespace) -> int:
    words = _words(args.key, args.name or args.key.replace("-", " ").title())
    game = Path(args.into) / "engine" / "games" / words["FOLDER"]
    cases = Path(args.into) / "tests" / "games" / words["FOLDER"] / "cases"
    for place in (game, cases):
        if place.exists():
            raise WrongUsage(f"{place} exists already; nothing was written")
    files = {path.name.removesuffix(".txt"): _filled(path, words) for path in sorted(SKELETON.glob("*.txt"))}
    _write(cases, {CASE: files.pop(CASE)})
    _write(game, files)
    shown = {"game": _short(game), "cases": _short(cases), "key": args.key}
    print(NEXT.format(**shown))
    return 0


def _words(key: str, name: str) -> dict[str, str]:
    """What stands for the gaps of the skeleton."""
    folder = key.replace("-", "_")
    if not KEY.fullmatch(key) or len(key) > LONGEST or keyword.iskeyword(folder):
        raise WrongUsage(
            f"{key!r} cannot be a key: at most {LONGEST} small letters, digits and hyphens, no Python keyword"
        )
    if key in registry.GAMES:
        raise WrongUsage(f"there is a game {key!r} already")
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise WrongUsage(f"{name!r} cannot be a name: at most {LONGEST} letters, digits, spaces and ' ! & -")
    return {"KEY": key, "FOLDER": folder, "NAME": name, "ID": rule_id(key)}


def rule_id(key: str) -> str:
    """The two letters before the numbers of the rules.

    >>> rule_id("nine-holes"), rule_id("pig"), rule_id("x")
    ('NH', 'PI', 'XX')
    """
    initials = [part[0] for part in key.split("-")]
    letters = [letter for letter in (*initials, *key[1:], key[0]) if letter.isalpha()]
    return "".join(letters[:2]).upper()


def _filled(path: Path, words: Mapping[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for gap, word in words.items():
        text = text.replace(f"@{gap}@", word)
    return text


def _write(place: Path, files: Mapping[str, str]) -> None:
    """The folder appears with everything in it, or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        for name, text in files.items():
            (scratch / name).write_text(text, encoding="utf-8")
        scratch.chmod(0o755)
        scratch.rename(place)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _short(path: Path) -> str:
    """From here, if it is below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
