"""Golden logs replay to what was recorded, whatever the code has become since."""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.events import head, kinds
from engine.proof.verify import audit, read, verify
from tests.golden.make import describe, endings, folder, logs, specs, write
from tests.golden.stories import STORIES
from tests.golden.swap import asked, replaced

HERE = Path(__file__).parent
EARLIER = HERE / "earlier"  # written by earlier releases, and never written anew
LOGS = sorted(path for path in HERE.glob("*/*.ndjson") if path.parent != EARLIER)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_log_replays_to_the_recorded_result(path: Path) -> None:
    match, lines = read(path.read_bytes())
    verify(lines)
    assert audit(lines).verdict == "same"
    recorded = json.loads((path.parent / "index.json").read_text(encoding="utf-8"))[path.stem]
    assert json.loads(json.dumps(describe(match))) == recorded


@pytest.mark.parametrize("path", sorted(EARLIER.glob("*.ndjson")), ids=lambda path: path.stem)
def test_a_log_of_an_earlier_release_holds(path: Path) -> None:
    match, lines = read(path.read_bytes())
    assert match.status == "finished"
    assert verify(lines).verdict() == "valid"
    assert audit(lines).verdict == "same"


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_option_and_ending_has_a_golden_log(key: str) -> None:
    game = registry.game(key)
    wanted = {name for name, _, _ in specs(game)} | set(endings(game)) | {"resigned"}
    wanted |= {f"story-{name}" for name in STORIES if name != "crowd" or 3 in game.players}
    assert {path.stem for path in folder(game).glob("*.ndjson")} == wanted


@pytest.mark.parametrize("key", registry.GAMES)
def test_every_kind_of_event_is_in_a_golden_log(key: str) -> None:
    lines = [
        line
        for path in folder(registry.game(key)).glob("*.ndjson")
        for line in path.read_bytes().splitlines()
    ]
    missing = kinds() - {head(line).kind for line in lines if b'"kind"' in line}
    assert not missing, f"no golden log of {key} has {missing}"


def test_golden_logs_are_written_before_old_ones_go(tmp_path: Path) -> None:
    made = dict(list(logs(registry.game("tides-of-time")))[:2])
    place = tmp_path / "game"
    write(place, {"old": made.popitem()[1]})
    with pytest.raises(AttributeError):
        write(place, {**made, "broken": None})  # type: ignore[dict-item]
    assert {path.name for path in place.iterdir()} == {"old.ndjson", "index.json"}
    write(place, made)
    assert {path.stem for path in place.glob("*.ndjson")} == set(made)
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


def test_a_swap_that_was_cut_off_is_mended(tmp_path: Path) -> None:
    (tmp_path / ".game.old").mkdir()
    (tmp_path / ".game.old" / "old.ndjson").write_bytes(b"the old one had gone, the new one had not come")
    with pytest.raises(KeyboardInterrupt), replaced(tmp_path / "game"):
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / "game").iterdir()] == ["old.ndjson"]


def test_one_game_is_asked_for_by_its_key() -> None:
    assert asked(["akropolis"]) == ["akropolis"]
    assert asked([]) == list(registry.GAMES)
    with pytest.raises(SystemExit, match="there is no game 'go'"):
        asked(["go"])
