"""Golden logs replay to what was recorded, whatever the code has become since."""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.verify import audit, read, verify
from tests.golden.make import describe, endings, folder, specs

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
    assert {path.stem for path in folder(game).glob("*.ndjson")} == wanted
