"""A week of play in a minute: fifty matches, six time zones, two who vanish, and roles that are killed.

The clock is ours, everything else is real: store, relay and worker processes, mail server, HTTP receiver.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
import pytest
from argon2 import PasswordHasher

from engine.log import load
from infra.accounts import Accounts
from infra.embedded import Embedded
from infra.settings import Settings
from service.history import History, history, seconds
from service.names import Names
from service.notices import SETTLE_S, Owed
from service.policy import deadlines, read_policy
from service.waking import in_force, is_awake, next_awake
from tests.letterbox import Letterbox, Receiver
from tests.roles import FileClock, Role, queue, wired
from tests.week import END, START, STRIKES, Week, make_matches, make_people
from workers.notify import ident_of

pytestmark = [pytest.mark.anyio, pytest.mark.fault]


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    clock = FileClock(tmp_path / "clock")
    clock.set(START)
    return clock


@pytest.fixture
def fast() -> Iterator[Path]:
    """A folder in memory where there is one: durability is tested elsewhere, here a week must pass."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.timeout(400)
async def test_a_week(tmp_path: Path, fast: Path, clock: FileClock) -> None:
    data = fast / "data"
    with Embedded(data) as store, queue(tmp_path) as jobs, Letterbox() as box, Receiver() as receiver:
        env = {
            "TURNLOG_REDIS_URL": store.url,
            "TURNLOG_QUEUE_URL": jobs,
            "TURNLOG_DATA": str(data),
            "TURNLOG_SMTP_URL": box.url,
            "TURNLOG_MAIL_FROM": "house@example.org",
            "TURNLOG_ALLOW_PRIVATE": "1",
            "TURNLOG_SECRET": "a secret of tests",
            "TESTS_CLOCK": str(tmp_path / "clock"),
        }
        deps = wired(Settings(data=data, given_secret="a secret of tests"), store.url, clock)
        accounts = Accounts(deps.client, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        deps = dataclasses.replace(deps, accounts=accounts, names=Names(accounts))
        roles = [Role(name, env, tmp_path / f"{name}.log") for name in ("relay", "worker")]
        week = Week(deps, clock, roles, Random(7))
        try:
            await week.outbox.ensure_groups()
            await make_people(week, receiver)
            await make_matches(week)
            await week.run()
            await check(week, box, receiver)
        finally:
            for role in roles:
                role.stop()
            await deps.close()


def sent_at(header: str) -> float:
    return parsedate_to_datetime(header).timestamp()


async def check(week: Week, box: Letterbox, receiver: Receiver) -> None:
    sent = [
        (
            one["Message-ID"].strip("<>").partition("@")[0],
            parsedate_to_datetime(one["Date"]).timestamp(),
            one["To"],
        )
        for one in box.letters
    ]
    sent += [
        (headers["webhook-id"], float(headers["webhook-timestamp"]), path.strip("/"))
        for path, headers, _ in receiver.requests
    ]
    by_address = {f"p{person.number}@example.org": person for person in week.people.values()}
    by_address |= {person.id: person for person in week.people.values()}
    for _, at, to in sent:
        person = by_address[to]
        assert is_awake(at, in_force(person.times, at)), (
            f"{to} was woken at {datetime.fromtimestamp(at, UTC)}"
        )
    counts = Counter(ident for ident, _, _ in sent)
    # Killed between sending and writing that down, a process sends the same letter, with the same id, again.
    assert sum(counts.values()) - len(counts) <= STRIKES
    first_notices = timeouts = 0
    for ident in week.matches:
        lines = await week.deps.store.read(ident)
        notices, fired = check_match(week, lines, counts)
        first_notices, timeouts = first_notices + notices, timeouts + fired
    assert first_notices > 300
    assert timeouts > 2


def check_match(week: Week, lines: list[bytes], counts: Counter[str]) -> tuple[int, int]:
    match, past = load(lines), history(lines)
    policy = read_policy(match.clock)
    notices = fired = 0
    for turn in past.turns:
        person = week.people.get(turn.who)
        if person is None:
            continue
        if not turn.own and turn.start + SETTLE_S < END.timestamp():
            due = next_awake(turn.start + SETTLE_S, in_force(person.times, turn.start))
            ident = ident_of(Owed("turn", match.id, turn.seat, turn.root).member, "one")
            if due < min(turn.end or END.timestamp(), END.timestamp()):
                assert counts[ident] >= 1, f"nobody told {turn}"
                notices += 1
        open_turn = msgspec.structs.replace(turn, end=None, timed_out=False)
        limit = deadlines(History((open_turn,), past.pauses), policy, {turn.seat: person.times})[turn.seat]
        ended = END.timestamp() if turn.end is None else turn.end
        assert ended <= limit + 60, f"not noticed within a minute: {turn}"
        if turn.timed_out:
            fired += 1
            assert limit <= turn.end <= limit + 60
    stuck = [s for s in match.to_act if not past.current(s)]
    assert not stuck
    assert match.status == "finished" or seconds(match.updated) > END.timestamp() - 4 * 86400
    return notices, fired


def test_the_week_begins_before_the_clocks_change() -> None:
    assert START.date() < date(2026, 10, 25) < END.date()
