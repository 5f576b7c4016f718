"""Asking what a bot would do: against bots alone, once a turn, and the match is assisted from then on."""

from random import Random

import pytest

from engine import advice, codec, registry
from engine.log import load
from engine.match import Match
from engine.proof.verify import verify
from engine.table import LogWriter, Refused
from engine.tenure import hand_over
from tests.tables import person, play_until, seated, step

every_game = pytest.mark.parametrize("key", registry.GAMES)


def is_mine(match: Match) -> bool:
    return 0 in match.to_act


def asked(writer: LogWriter) -> list[int]:
    return [n for n, line in enumerate(writer.lines, 1) if codec.decode(line)["kind"] == "advised"]


@every_game
def test_advice_is_asked_once_a_turn_and_marks_the_match(key: str) -> None:
    writer = seated(key, bots=(1,))
    play_until(writer, is_mine, Random(1))
    before = writer.match
    writer.by = person(0).id
    advice.ask(writer, 0)
    advice.ask(writer, 0)
    assert asked(writer) == [before.seq + 1]
    now = writer.match
    assert (now.advice, now.assisted) == ((0, now.seq), True)
    assert (now.state, now.since, now.run) == (before.state, before.since, before.run)
    assert load(writer.lines) == now
    while step(writer, Random(2)) != 0:
        assert writer.match.advice == (0, before.seq + 1), "what others do does not answer it"
    assert writer.match.advice is None
    assert writer.match.assisted


@every_game
def test_a_match_with_advice_verifies(key: str) -> None:
    writer, rng = seated(key, bots=(1,)), Random(3)
    while writer.match.status == "running":
        if is_mine(writer.match) and len(asked(writer)) < 3:
            writer.by = person(0).id
            advice.ask(writer, 0)
        step(writer, rng)
    assert len(asked(writer)) == 3
    verify(writer.lines, writer.match.head)


def test_nobody_elses_match_is_spoilt() -> None:
    writer = seated("machi-koro")
    assert not advice.may_ask(writer.match, writer.match.to_act[0])
    with pytest.raises(Refused) as refused:
        advice.ask(writer, writer.match.to_act[0])
    assert refused.value.code == "not_against_bots"
    writer.by = person(1).id
    hand_over(writer, 1, person(1).id)  # only away: they may return, and the result is theirs too
    assert not advice.may_ask(writer.match, 0)


def test_whoever_is_not_waited_for_is_not_advised() -> None:
    writer = seated("machi-koro", bots=(1,))
    play_until(writer, lambda match: 0 not in match.to_act, Random(4))
    assert not advice.may_ask(writer.match, 0)
    assert not advice.may_ask(writer.match, None)
    with pytest.raises(Refused) as refused:
        advice.ask(writer, 0)
    assert refused.value.code == "not_your_turn"
