"""A match in words: all that happened at the table, and what was taken back not as if it counted."""

from random import Random

import pytest

from engine import accord, tenure, undo
from engine.events import Holder, Undone
from engine.log import load
from engine.proof.verify import closing
from engine.table import LogWriter, resign
from engine.undo import taken_back
from service.cli import main
from tests.tables import person, play_until, seated, step

LANGS = ("en", "cs")


def own_run(writer: LogWriter, rng: Random) -> int:
    """Until somebody could take something back freely; the event it would go back to."""
    play_until(writer, lambda match: bool(match.run), rng)
    return writer.match.run[-1] - 1


def test_what_was_taken_back_does_not_count_and_may_come_back() -> None:
    writer, rng = seated("akropolis"), Random(3)
    to = own_run(writer, rng)
    seat, taken = writer.match.runner, writer.match.seq
    assert seat is not None
    assert taken_back(writer.lines) == set()
    undo.undo(writer, seat, to, load(writer.lines[:to]))
    assert taken_back(writer.lines) == {taken}
    writer.write(Undone, seat=seat, to=taken, past=load(writer.lines[:taken]))  # as older logs have it
    assert taken_back(writer.lines) == set()


@pytest.fixture
def eventful() -> LogWriter:
    """A match in which everything happens that is no action."""
    writer, rng = seated("akropolis", seats=3), Random(4)
    to = own_run(writer, rng)
    assert writer.match.runner is not None
    undo.undo(writer, writer.match.runner, to, load(writer.lines[:to]))
    for _ in range(3):
        step(writer, rng)
    undo.undo(writer, 0, writer.match.seq - 3, load(writer.lines[: writer.match.seq - 3]))
    undo.answer(writer, 1, False, writer.match)
    for seat in (0, 1, 2):
        accord.agree(writer, seat, "pause")
    accord.resume(writer, 1)
    accord.agree(writer, 2, "abandon")
    accord.agree(writer, 2, "abandon", False)
    tenure.time_out(writer, 0, "caretaker")
    tenure.substitute(writer, 0, Holder("person", "account:x"))
    tenure.time_out(writer, 0, "caretaker")
    tenure.return_to(writer, 0, person(0).id)
    resign(writer, 1, person(1).id)
    resign(writer, 2, person(2).id)
    return writer


TOLD = {
    "en": """P0 asks to take|does not want anything taken back|would like to pause|is paused|P1 ends the pause
        |P2 would like to give the match up|P2 no longer wants to give|P0 has run out of time
        |A bot plays for P0
        |A substitute plays on for P0|A substitute, playing for P0, has run out|P0 is back|P1 resigns
        |A bot plays on for P1|P2 resigns|The match is over""",
    "cs": """P0 žádá o vrácení|nesouhlasí|navrhuje partii pozastavit|je pozastavena|P1 ukončuje přestávku
        |P2 navrhuje partii společně|P2 už partii ukončit nechce|P0: vypršel čas|Za hráče P0 hraje bot
        |Náhradník hraje dál za hráče P0|Náhradník (místo hráče P0): vypršel čas|P0 je zpět|P1 se vzdává
        |Za hráče P1 dál hraje bot|P2 se vzdává|Partie skončila""",
}


@pytest.mark.parametrize("lang", LANGS)
def test_replay_tells_of_everything_at_the_table(eventful, lang, tmp_path, capsys):
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"\n".join([*eventful.lines, closing(eventful.match), b""]))
    assert main(["replay", str(path), "--lang", lang]) == 0
    told = capsys.readouterr().out
    found = [told.find(part.strip()) for part in TOLD[lang].split("|")]
    assert -1 not in found, told
    assert found == sorted(found)
    assert told.count({"en": "(taken back)", "cs": "(vzato zpět)"}[lang]) >= 1
    assert told.rstrip().splitlines()[-3:] == ["1. P0 *", "2. P1", "2. P2"]  # nobody counted points
