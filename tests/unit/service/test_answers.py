"""Costly answers: one caller's questions do not keep the others waiting, and nothing is worked out twice."""

import asyncio

import pytest

from service.basics.errors import Problem
from service.memory.answers import EACH, Answers, Turns

pytestmark = pytest.mark.anyio


class Work:
    """Answers that are worked out when the test lets them; `order` is the order in which they were begun."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.may = asyncio.Event()

    def on(self, what):
        async def work():
            self.order.append(what)
            await self.may.wait()
            return what.upper()

        return work


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


async def ask(answers, work, who, *whats):
    tasks = [asyncio.create_task(answers.of(what, who, work.on(what))) for what in whats]
    await settled()
    return tasks


async def test_callers_have_turns():
    answers, work = Answers(Turns(), 10), Work()
    greedy = await ask(answers, work, "a", "a1", "a2", "a3")
    others = [*await ask(answers, work, "b", "b1"), *await ask(answers, work, "c", "c1")]
    assert work.order == ["a1"]
    work.may.set()
    assert await asyncio.gather(*others) == ["B1", "C1"]
    assert await asyncio.gather(*greedy) == ["A1", "A2", "A3"]
    assert work.order == ["a1", "a2", "b1", "c1", "a3"]


async def test_a_caller_asks_a_few_things_at_a_time():
    answers, work = Answers(Turns(), 10), Work()
    tasks = await ask(answers, work, "a", *(f"a{n}" for n in range(EACH)))
    with pytest.raises(Problem, match="rate_limited"):
        await answers.of("one more", "a", work.on("one more"))
    work.may.set()
    await asyncio.gather(*tasks)
    assert await answers.of("one more", "a", work.on("one more")) == "ONE MORE"


async def test_what_is_worked_out_is_worked_out_once():
    answers, work = Answers(Turns(), 2), Work()
    tasks = [*await ask(answers, work, "a", "x"), *await ask(answers, work, "b", "x")]
    work.may.set()
    assert await asyncio.gather(*tasks) == ["X", "X"]
    assert await answers.of("x", "c", work.on("x")) == "X"
    assert work.order == ["x"]
    for what in ("y", "z", "x"):  # only so many are kept
        await answers.of(what, "c", work.on(what))
    assert work.order == ["x", "y", "z", "x"]


async def test_hanging_up_brings_nobody_another_place():
    answers, work = Answers(Turns(), 10), Work()
    (gone,) = await ask(answers, work, "a", "a1")
    gone.cancel()
    waiting = await ask(answers, work, "b", "b1")
    assert work.order == ["a1"], "it is still being worked out"
    work.may.set()
    assert await waiting[0] == "B1"
    assert await answers.of("a1", "b", work.on("a1")) == "A1"
    assert work.order == ["a1", "b1"]


async def test_whoever_waits_too_long_is_told_and_finds_the_answer_later():
    answers, work = Answers(Turns(), 10, patience_s=0.01), Work()
    with pytest.raises(Problem, match="rate_limited"):
        await answers.of("x", "a", work.on("x"))
    work.may.set()
    await settled()
    assert await answers.of("x", "a", work.on("x")) == "X"
    assert work.order == ["x"]


async def test_a_failure_is_told_and_not_kept():
    answers, work = Answers(Turns(), 10), Work()

    async def broken():
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        await answers.of("x", "a", broken)
    work.may.set()
    assert await answers.of("x", "a", work.on("x")) == "X"
