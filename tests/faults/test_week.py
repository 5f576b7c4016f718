"""A week of play in a minute: fifty matches, six time zones, two who vanish, and everything is killed.

Only the clock is ours: store, API, relay and worker processes, mail server and HTTP receiver are real.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import pytest

from engine import codec
from engine.log import Match, load
from infra.embedded import Embedded
from infra.settings import Settings
from service.history import History, Turn, history, seconds
from service.notices import SETTLE_S, Owed
from service.policy import deadlines, read_policy
from service.waking import in_force, is_awake, next_awake
from tests.house import House, free_port
from tests.letterbox import Letterbox, Receiver
from tests.roles import FileClock, Role, wired
from tests.week import END, START, STRIKES, Person, Week, make_matches, make_people
from workers.notify import ident_of

pytestmark = [pytest.mark.anyio, pytest.mark.fault]
LAST = END.timestamp()


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


@pytest.mark.timeout(600)
async def test_a_week(tmp_path: Path, fast: Path, clock: FileClock) -> None:
    data, port = fast / "data", free_port()
    with Embedded(data) as store, Letterbox() as box, Receiver() as receiver:
        env = {
            "TURNLOG_REDIS_URL": store.url,
            "TURNLOG_DATA": str(data),
            "TURNLOG_PORT": str(port),
            "TURNLOG_SMTP_URL": box.url,
            "TURNLOG_MAIL_FROM": "house@example.org",
            "TURNLOG_ALLOW_PRIVATE": "1",
            "TURNLOG_SECRET": "a secret of tests",
            "TESTS_CLOCK": str(tmp_path / "clock"),
        }
        deps = wired(Settings(data=data, given_secret="a secret of tests"), store.url, clock)
        roles = [Role(name, env, tmp_path / f"{name}.log") for name in ("api", "relay", "worker")]
        week = Week(deps, House(data, port), store, clock, roles, Random(7))
        try:
            await week.outbox.ensure_groups()
            await make_people(week, box, receiver)
            await make_matches(week)
            await week.run()
            await check(week, [*letters(box), *requests(receiver)])
        finally:
            for role in roles:
                role.stop()
            await deps.close()


class Sent(NamedTuple):
    """Something that arrived somewhere."""

    ident: str
    at: float
    to: str


def letters(box: Letterbox) -> Iterator[Sent]:
    for letter in box.letters:
        ident = letter["Message-ID"].strip("<>").partition("@")[0]
        yield Sent(ident, parsedate_to_datetime(letter["Date"]).timestamp(), letter["To"])


def requests(receiver: Receiver) -> Iterator[Sent]:
    for path, headers, _ in receiver.requests:
        yield Sent(headers["webhook-id"], float(headers["webhook-timestamp"]), f"{receiver.url}{path}")


async def check(week: Week, sent: list[Sent]) -> None:
    people = {to: person for person in week.people.values() for to in person.channels.values()}
    for _, at, to in sent:
        awake = is_awake(at, in_force(people[to].times, at))
        assert awake, f"{to} was woken at {datetime.fromtimestamp(at, UTC)}"
    # Killed between sending and writing that down, a process sends the same, with the same id, again.
    assert len(sent) - len({one.ident for one in sent}) <= len(STRIKES)
    addresses = Counter(ident for ident, _ in {(one.ident, one.to) for one in sent})
    assert set(addresses.values()) == {1}, "an id went to two addresses"
    logs = [await week.deps.store.read(ident) for ident in week.matches]
    timeouts = sum(check_clocks(week, lines) for lines in logs)
    first = [told for lines in logs for told in check_first_notices(week, lines, sent)]
    others = {ident for lines in logs for ident in other_notices(week, lines)}
    assert {one.ident for one in sent} == {told.ident for told in first} | (
        others & {one.ident for one in sent}
    ), "something was told that nobody owed"
    assert len(first) > 300
    assert timeouts > 2


def check_first_notices(week: Week, lines: list[bytes], sent: list[Sent]) -> Iterator[Sent]:
    """Every turn that deserves a notice has one on each channel, when it was due; no other turn has any."""
    match, found = load(lines), {one.ident: one for one in sent}
    for turn in history(lines).turns:
        person = week.people.get(turn.who)
        if person is None:
            continue
        due, end = due_at(turn, person), min(turn.end or LAST, LAST)
        for name, address in person.channels.items():
            told = found.get(ident_of(Owed("turn", match.id, turn.seat, turn.root).member, name))
            if not turn.own and due < end:
                assert told is not None, f"nobody told {turn}"
                assert told.to == address
                assert int(due) <= told.at <= due + 60, f"told too late: {turn}"
                yield told
            elif turn.own or due > end:
                assert told is None, f"needlessly told: {turn}"


def due_at(turn: Turn, person: Person) -> float:
    return next_awake(turn.start + SETTLE_S, in_force(person.times, turn.start))


def other_notices(week: Week, lines: list[bytes]) -> Iterator[str]:
    """The ids of everything else that this match may have told: reminders, caretakers, the end."""
    match, past = load(lines), history(lines)
    parts = [(seat, part.seq) for seat, chair in enumerate(match.chairs) for part in chair.parts]
    owed = [Owed("remind-25", match.id, turn.seat, turn.root) for turn in past.turns]
    owed += [Owed("away", match.id, seat, seq) for seat, seq in parts]
    owed += [Owed("over", match.id, seat, match.seq) for seat in range(len(match.chairs))]
    owed += [Owed("turn", match.id, turn.seat, turn.root) for turn in past.turns if at_the_edge(week, turn)]
    return (ident_of(one.member, channel) for one in owed for channel in ("mail", "hook"))


def at_the_edge(week: Week, turn: Turn) -> bool:
    """Acted in the very millisecond in which the notice was due: told or not, both are right."""
    person = week.people.get(turn.who)
    return person is not None and not turn.own and due_at(turn, person) == turn.end


def check_clocks(week: Week, lines: list[bytes]) -> int:
    """Every deadline fired once and within a minute, and nobody waits for ever; how many fired."""
    match, past = load(lines), history(lines)
    for turn in past.turns:
        person = week.people.get(turn.who)
        if person is None:
            continue
        limit, ended = limit_of(match, past, turn, person), LAST if turn.end is None else turn.end
        assert ended <= limit + 60, f"not noticed within a minute: {turn}"
        assert turn.timed_out == (turn.end is not None and turn.end >= limit), turn
    fired = [turn for turn in past.turns if turn.timed_out]
    kinds = Counter(codec.decode(line)["kind"] for line in lines)
    assert kinds["timed_out"] == len(fired)
    if match.status != "finished":
        assert match.to_act, "nobody is waited for"
        assert all(match.chairs[seat].holder.kind == "person" for seat in match.to_act)
        assert seconds(match.updated) > LAST - 4 * 86400
    return len(fired)


def limit_of(match: Match, past: History, turn: Turn, person: Person) -> float:
    open_turn = msgspec.structs.replace(turn, end=None, timed_out=False)
    alone = History((open_turn,), past.pauses)
    return deadlines(alone, read_policy(match.clock), {turn.seat: person.times})[turn.seat]


def test_the_week_begins_before_the_clocks_change() -> None:
    assert START.date() < date(2026, 10, 25) < END.date()
