"""After a fix of the rules: earlier logs are neither forged nor true on their own word."""

from dataclasses import replace

import pytest

from bots.arena import Played, play_match
from bots.registry import bot
from engine import codec, registry
from engine.log import load
from engine.proof.verify import Unchecked, audit, examine, verify
from tests.forging import rehashed
from tests.mended import KEY, WHAT, mend, mended


@pytest.fixture
def before() -> Played:
    game = registry.game(KEY)
    return play_match(game, game.Options(), ["random"] * 2, [bot("random")] * 2, "before a fix")


def test_a_match_names_the_rules_that_decide_it(before: Played) -> None:
    assert codec.decode(before.lines[0])["revision"] == registry.game(KEY).revision == before.match.revision


def test_a_log_from_before_a_fix_holds_only_by_a_signature(
    before: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend(monkeypatch)
    report = examine(before.lines)
    assert (report.verdict(), report.verdict(signed=True)) == ("cannot_be_checked", "earlier_rules")
    assert verify(before.lines, signed=True).checks.keys() == report.checks.keys()
    with pytest.raises(Unchecked, match="decided under other rules") as problem:
        verify(before.lines)
    assert problem.value.code == "cannot_be_checked"
    assert audit(before.lines).verdict == "differs"
    assert load(before.lines) == before.match  # and it folds as it always did


def test_a_log_that_the_fix_does_not_concern_is_simply_valid(
    before: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend(monkeypatch, lambda game: replace(game, revisions=(*game.revisions, WHAT)))
    assert examine(before.lines).verdict() == "valid"


def test_rules_that_this_build_does_not_know_cannot_be_checked(
    before: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of a newer release: whoever has signed it, nobody here can say what its rules are."""
    with monkeypatch.context() as later:
        mend(later)
        game = registry.game(KEY)
        after = play_match(game, game.Options(), ["random"] * 2, [bot("random")] * 2, "after the fix")
        assert examine(after.lines).verdict() == "valid"
    report = examine(after.lines)
    assert (report.verdict(), report.verdict(signed=True)) == ("cannot_be_checked", "cannot_be_checked")


def test_earlier_rules_excuse_nothing_else(before: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    mend(monkeypatch)
    log = [codec.decode(line) for line in before.lines]
    log[6]["by"] = "account:mallory"
    assert examine(rehashed(log)).verdict(signed=True) == "forged"


def test_rules_that_decide_otherwise_under_the_same_name_make_it_forged(
    before: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is why a changed decision must raise the revision."""
    mend(monkeypatch, lambda game: replace(mended(game), revisions=game.revisions))
    assert examine(before.lines).verdict(signed=True) == "forged"


def test_a_log_from_before_revisions_had_names_is_of_the_earliest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.golden.decisions import EARLIER

    lines = (EARLIER / "tides_of_time.ndjson").read_bytes().splitlines()[:-1]
    assert examine(lines).verdict() == "valid"
    mend(monkeypatch)
    report = examine(lines)
    assert (report.revision, report.verdict(), report.verdict(signed=True)) == (
        0,
        "cannot_be_checked",
        "earlier_rules",
    )
