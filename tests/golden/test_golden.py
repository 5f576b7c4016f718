"""Golden logs replay to what was recorded, whatever the code has become since."""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.events import head, kinds
from engine.verify import audit, read, verify
from tests.golden.make import describe, endings, folder, logs, specs, write
from tests.golden.stories import STORIES

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
    (tmp_path / "old.ndjson").write_bytes(b"kept until the others are there")
    with pytest.raises(AttributeError):
        write(tmp_path, {**made, "broken": None})  # type: ignore[dict-item]
    assert (tmp_path / "old.ndjson").exists()
    write(tmp_path, made)
    assert {path.stem for path in tmp_path.glob("*.ndjson")} == set(made)
