"""Handlers and store under whatever people do at once: one winner for each seq, no gap, no duplicate,
and a repeated command reads like its first answer.

Two processes (two memories, two connections) serve the same matches on a real server.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, NamedTuple

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import codec, registry
from engine.log import load
from engine.proof import verify
from service.basics.errors import Problem
from service.commands import actions, tables
from service.commands.records import Act, OpenMatch, Sit
from service.views import sight
from service.views.sight import Caller

numbers = itertools.count()  # examples share one server, so each opens matches of its own


class Wish(NamedTuple):
    process: int  # which of two
    seat: int
    lag: int  # how far behind (or ahead) the seq is that it was made for
    pick: float  # which of the legal actions
    key: str  # "" = none; the same one again is a retry
    again: bool  # send the same command twice at once


class Outcome(NamedTuple):
    command: Act
    answer: bytes | str  # the match after it, or the code of the refusal


wishes = st.builds(
    Wish,
    process=st.integers(0, 1),
    seat=st.integers(0, 1),
    lag=st.sampled_from([0, 0, 0, 0, 1, 2, -1]),
    pick=st.floats(0, 0.999),
    key=st.sampled_from(["", "", "k1", "k2", "k3", "k4"]),
    again=st.booleans(),
)
rounds = st.lists(st.lists(wishes, min_size=1, max_size=6), min_size=1, max_size=10)
games = st.sampled_from(registry.GAMES)


def who(seat: int) -> str:
    return f"account:p{seat}"


async def begin(deps: Any, key: str) -> str:
    """A table of as many people as the game needs; two of them do all the pushing."""
    rules = registry.game(key)
    people = next(n for n in rules.players if n >= 2)
    seats = ({"kind": "me"}, *[{"kind": "open"}] * (people - 1))
    match = await tables.open_match(deps, OpenMatch(who=who(0), game=key, seats=seats))
    for seat in range(1, people):
        match = await tables.sit(deps, Sit(who=who(seat), match=match.id, seat=seat))
    return match.id


def command(match: Any, wish: Wish) -> Act:
    """What this seat would ask for now; out of turn it asks for what the other one might."""
    rules, seat = match.rules, wish.seat
    legal = rules.legal(match.state, seat) or rules.legal(match.state, (match.to_act or [0])[0])
    action = legal[int(wish.pick * len(legal))] if legal else {"type": "play"}
    return Act(
        who=who(seat),
        match=match.id,
        seq=max(0, match.seq - wish.lag),
        action=codec.decode(codec.encode(action)),
        key=wish.key,
    )


async def attempt(deps: Any, asked: Act) -> Outcome:
    try:
        match = await actions.act(deps, asked)
    except Problem as refusal:
        return Outcome(asked, refusal.code)
    return Outcome(asked, rendered(match, asked.who))


def rendered(match: Any, person: str) -> bytes:
    names = [f"P{seat}" for seat in range(len(match.chairs))]
    return sight.encode(sight.match_answer(match, Caller(person), names))


async def play(processes: list[Any], key: str, plan: list[list[Wish]]) -> tuple[list[Outcome], list[bytes]]:
    ident = await begin(processes[0], key)
    outcomes: list[Outcome] = []
    for wanted in plan:
        # Each process asks on what it remembers, which may be old.
        jobs = []
        for wish in wanted:
            deps = processes[wish.process]
            match = deps.matches.peek(ident) or await deps.matches.now(ident)
            asked = command(match, wish)
            jobs += [attempt(processes[(wish.process + n) % 2], asked) for n in range(1 + wish.again)]
        outcomes += await asyncio.gather(*jobs)
    return outcomes, await processes[0].store.read(ident)


REFUSALS = {"stale_seq", "illegal_action", "not_your_turn", "command_reused", "not_your_seat"}


def check(outcomes: list[Outcome], lines: list[bytes]) -> None:
    match = load(lines)  # the chain holds: no gap, no duplicate, nothing out of order
    verify.verify(lines)
    events = [msgspec.json.decode(line) for line in lines]
    acted = {event["seq"]: event for event in events if event["kind"] == "acted"}
    assert {o.answer for o in outcomes if isinstance(o.answer, str)} <= REFUSALS
    done = [o for o in outcomes if isinstance(o.answer, bytes)]
    by_key = check_keys(done, lines)
    alone = [seq_of(o, acted) for o in done if not o.command.key]
    assert len(alone) == len(set(alone)), "one command, one event"
    assert sorted([*alone, *by_key.values()]) == sorted(acted), (
        "every event has its command and each only one"
    )
    for outcome in done:
        event = acted[seq_of(outcome, acted)]
        assert (event["by"], event["action"]) == (outcome.command.who, outcome.command.action)
    assert match.seq == len(lines)


def seq_of(outcome: Outcome, acted: dict[int, Any]) -> int:
    """The event of a command: its answer ends with it, or with the `finished` right after it."""
    seq = msgspec.json.decode(outcome.answer)["seq"]
    return seq if seq in acted else seq - 1


def check_keys(done: list[Outcome], lines: list[bytes]) -> dict[tuple[str, str], int]:
    """All answers to one key are the same bytes, and those of the log up to there."""
    first: dict[tuple[str, str], Outcome] = {}
    acted = {n for n, line in enumerate(lines, 1) if msgspec.json.decode(line)["kind"] == "acted"}
    for outcome in done:
        if outcome.command.key:
            known = first.setdefault((outcome.command.who, outcome.command.key), outcome)
            assert outcome.answer == known.answer
            assert outcome.command.action == known.command.action
    for (person, _), outcome in first.items():
        seq = msgspec.json.decode(outcome.answer)["seq"]
        assert outcome.answer == rendered(load(lines[:seq]), person)
    return {key: seq_of(outcome, dict.fromkeys(acted)) for key, outcome in first.items()}


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(key=games, plan=rounds)
def test_whatever_people_do_at_once(wired, key, plan):
    async def run():
        processes = [wired(), wired()]
        try:
            check(*await play(processes, key, plan))
        finally:
            for deps in processes:
                await deps.close()

    asyncio.run(run())
