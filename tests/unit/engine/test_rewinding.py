"""Undos in one pass: whatever is remembered on the way, a log means what it plainly says."""

from random import Random

import pytest
from msgspec.structs import replace

from engine import codec, registry
from engine.events import Acted, Undone, reader
from engine.log import BadLog, Match, Rewound, load, steps
from engine.proof.redecide import differences, otherwise
from engine.proof.verify import audit, examine
from tests.rewinding import plain_steps, plainly, rewinding
from tests.tables import play_until, seated, step

LOGS = 12
seeds = pytest.mark.parametrize("seed", range(LOGS))
every_game = pytest.mark.parametrize("key", registry.GAMES)


def headless(match: Match) -> Match:
    """`head` belongs to whoever has the bytes."""
    return replace(match, head="")


@every_game
@seeds
def test_a_log_is_loaded_as_it_plainly_reads(key: str, seed: int) -> None:
    lines = rewinding(key, Random(seed))
    for end in range(1, len(lines) + 1):
        assert headless(load(lines[:end])) == headless(plainly(lines[:end]))


@every_game
@seeds
def test_each_step_is_as_it_plainly_reads(key: str, seed: int) -> None:
    lines = rewinding(key, Random(seed))
    found = [(event, headless(match)) for event, match in steps(lines)]
    assert found == [(event, headless(match)) for event, match in plain_steps(lines)]


@every_game
@seeds
def test_a_match_in_memory_is_caught_up_as_it_plainly_reads(key: str, seed: int) -> None:
    """From any moment on, with the positions that are known there; without them an undo says so."""
    lines, rng = rewinding(key, Random(seed)), Random(seed)
    known = {match.seq: match for _, match in steps(lines)}
    for _ in range(4):
        cut = rng.randrange(1, len(lines))
        assert load(lines[cut:], load(lines[:cut]), known) == load(lines)
        returns = [e.to for e in map(reader(key).decode, lines[cut:]) if isinstance(e, Undone)]
        if any(to < cut for to in returns):
            with pytest.raises(Rewound):
                load(lines[cut:], load(lines[:cut]))
        else:
            assert load(lines[cut:], load(lines[:cut])) == load(lines)


def plain_problems(lines: list[bytes]) -> list[tuple[int, str]]:
    found, before = [], None
    for event, match in plain_steps(lines):
        problem = None if before is None else otherwise(before, event)
        found += [] if problem is None else [(problem.line, problem.code)]
        before = match
    return found


def forged(lines: list[bytes], rng: Random) -> list[bytes]:
    """One action now says that another one was wished for: the facts no longer follow from it."""
    decode = reader(load(lines[:1]).game).decode
    actions = [n for n, line in enumerate(lines) if isinstance(decode(line), Acted)]
    one, other = rng.sample(actions, 2)
    changed = replace(decode(lines[one]), action=decode(lines[other]).action)
    return [*lines[:one], codec.encode(changed), *lines[one + 1 :]]


def held(lines: list[bytes]) -> bool:
    """By the dice and by the rules; whether anybody agreed to all these undos is another question."""
    checks = examine(lines).checks
    return [checks[what] for what in ("chain", "seal", "salts", "draws", "decisions")] == [None] * 5


@every_game
@seeds
def test_decisions_are_judged_as_the_log_plainly_reads(key: str, seed: int) -> None:
    lines, rng = rewinding(key, Random(seed)), Random(seed)
    assert [*differences(lines)] == [] == plain_problems(lines)
    assert held(lines)
    bad = forged(lines, rng)
    assert [(p.line, p.code) for p in differences(bad)] == plain_problems(bad)


@every_game
def test_a_thousand_undos_one_behind_the_other_hold(key: str) -> None:
    """Each goes back to right before its action, behind all the others: by folding anew, 2^1000 folds."""
    writer = seated(key)
    rng = Random(1)
    play_until(writer, lambda match: match.seq >= 4, rng)
    for _ in range(1000):
        before = writer.match
        step(writer, rng)
        if writer.match.status != "running":
            break
        writer.write(Undone, seat=0, to=before.seq, past=before)
    assert load(writer.lines) == writer.match
    assert held(writer.lines)
    assert audit(writer.lines).verdict == "same"


@pytest.mark.parametrize("to", [-1, 0, 1, 3, 6, 7, 99])
def test_an_undo_that_goes_nowhere_is_not_folded(to: int) -> None:
    """Ahead of itself, or to before anything was played."""
    writer = seated("tides-of-time")
    play_until(writer, lambda match: match.seq == 5, Random(1))
    event = Undone(v=1, match="m1", seq=6, at="", by="account:a", prev=writer.match.head, seat=0, to=to)
    with pytest.raises(BadLog, match="line 6: it cannot have happened"):
        load([*writer.lines, codec.encode(event)])


def test_an_undo_is_a_pens_like_any_other() -> None:
    """What a writer writes and what is loaded agree on which event led to the position."""
    writer = seated("machi-koro")
    play_until(writer, lambda match: match.seq == 6, Random(1))
    then = load(writer.lines[:5])
    writer.write(Undone, seat=0, to=5, past=then)
    assert (writer.match.seq, writer.match.position) == (7, 5)
    assert load(writer.lines) == writer.match
