"""A week of play in a minute or two: many matches, six time zones, people who come and go, everything killed.

Only the clock is ours: store, API, relay and worker processes, mail server and HTTP receiver are real. What
arrives is recognised by what a reader sees (subject, link, address), and compared with what everybody
deserves by `tests.deserved`, which shares no reckoning of time with the service.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from infra.embedded.bundled import Embedded
from infra.process.settings import Settings
from tests.deserved import EDGE, Due, Story, daily
from tests.house import House, free_port
from tests.letterbox import Letterbox, Receiver, text_of
from tests.roles import FileClock, Role, wired
from tests.week import AUTUMN, SPRING, Span, Week, make_matches, make_people, make_plans

pytestmark = [pytest.mark.anyio, pytest.mark.fault]
SECOND = 1.0  # letters say when they were written in whole ones
SUBJECTS = {
    "turn": ("Your turn: ", "Jsi na tahu: "),
    "remind": ("Still your turn: ", "Stále jsi na tahu: "),
    "begun": ("The match has begun: ", "Partie začala: "),
    "over": ("The match is over: ", "Partie skončila: "),
    "asked": ("Take-back requested: ", "Smí se tah vrátit? "),
    "wish": ("Pause the match? ", "Dáme si přestávku? "),
    "away": ("A bot is playing for you: ", "Hraje za tebe bot: "),
}
MATCH = re.compile(r"/matches/([\w-]+)")
# How many of each must have been told for certain: a week without them would prove nothing.
LEAST = {
    AUTUMN: {"turn": 250, "remind": 40, "away": 6, "over": 6, "begun": 5, "asked": 2, "wish": 2, "digest": 8},
    SPRING: {"turn": 40, "remind": 5, "away": 1, "over": 1, "begun": 1, "digest": 3},
}
EVENTS = (
    "timed_out",
    "handed_over",
    "returned",
    "undone",
    "undo_asked",
    "agreed",
    "paused",
    "resumed",
    "finished",
)


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    return FileClock(tmp_path / "clock")


@pytest.fixture
def fast() -> Iterator[Path]:
    """A folder in memory where there is one: durability is tested elsewhere, here a week must pass."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("span", [AUTUMN, SPRING], ids=["autumn", "spring"])
async def test_a_week(span: Span, tmp_path: Path, fast: Path, clock: FileClock) -> None:
    data = fast / "data"
    clock.set(span.start)
    with Embedded(data) as store, Letterbox() as box, Receiver() as receiver:
        port = free_port()  # after the others have theirs
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
        week = Week(span, deps, House(data, port), store, clock, roles, Random(7))
        try:
            await week.outbox.ensure_groups()
            await make_people(week, box, receiver)
            await make_matches(week)
            make_plans(week)
            await week.run()
            logs = [await deps.store.read(ident) for ident in week.matches]
        finally:
            for role in roles:
                role.stop()
            await deps.close()
    check(week, logs, [*letters(box), *requests(receiver)])


class Sent(NamedTuple):
    """Something that arrived somewhere."""

    ident: str
    at: float
    to: str
    kind: str
    match: str


def letters(box: Letterbox) -> Iterator[Sent]:
    for letter in box.letters:
        at = parsedate_to_datetime(letter["Date"]).timestamp()
        kind, match = read(letter["Subject"], text_of(letter))
        yield Sent(letter["Message-ID"], at, letter["To"], kind, match)


def requests(receiver: Receiver) -> Iterator[Sent]:
    for path, headers, body in receiver.requests:
        told = json.loads(body)
        kind, match = read(told["subject"], told["text"])
        at = float(headers["webhook-timestamp"])
        yield Sent(headers["webhook-id"], at, f"{receiver.url}{path}", kind, match)


def read(subject: str, text: str) -> tuple[str, str]:
    """What it is about, as a person would tell: of one match, or a daily letter."""
    for kind, beginnings in SUBJECTS.items():
        if subject.startswith(beginnings):
            found = MATCH.search(text)
            assert found, text
            return kind, found[1]
    return "digest", ""


def check(week: Week, logs: list[list[bytes]], sent: list[Sent]) -> None:
    last = week.span.end.timestamp()
    stories = [Story(lines, week.people, last) for lines in logs]
    check_nobody_was_woken(week, sent)
    once = check_doubles(week, sent)
    due = [wanted for story in stories for wanted in story.deserved()]
    for person in week.people.values():
        if person.daily is not None:
            due += daily(stories, person, (week.span.start.timestamp(), last))
    check_told(due, once)
    for story in stories:
        check_clock(story)
    told = Counter(wanted.kind for wanted in due if wanted.must)
    assert all(told[kind] >= least for kind, least in LEAST[week.span].items()), told
    kinds = Counter(event["kind"] for story in stories for event in story.events)
    assert week.span is SPRING or all(kinds[kind] for kind in EVENTS), kinds
    assert any(len(story.match.chairs) > 2 for story in stories)


def check_nobody_was_woken(week: Week, sent: list[Sent]) -> None:
    people = {to: person for person in week.people.values() for to in person.channels.values()}
    for one in sent:
        moment = datetime.fromtimestamp(one.at, UTC)
        assert people[one.to].life.awake(one.at), f"{one.to} was woken at {moment}: {one}"


def check_doubles(week: Week, sent: list[Sent]) -> list[Sent]:
    """Killed between sending and writing that down, a process sends the same again, in the same moment of
    the simulated time, to the same address; nothing else is ever sent twice."""
    copies = defaultdict(list)
    for one in sent:
        copies[one.ident].append(one)
    for same in copies.values():
        assert len({one.to for one in same}) == 1, f"an id went to two addresses: {same}"
        for again in same[1:]:
            near = min(abs(again.at - struck) for struck in week.strikes)
            assert near <= SECOND, f"sent twice, and nobody was killed: {same}"
    return [same[0] for same in copies.values()]


def check_told(due: list[Due], sent: list[Sent]) -> None:
    """Whatever arrived was owed, whatever was owed arrived: once on each channel, in time."""
    wanted = defaultdict(list)
    for one in sorted(due, key=lambda one: (not one.must, one.first)):
        for address in one.person.channels.values():
            wanted[one.kind, one.match, address].append(one)
    for told in sent:
        owed = wanted[told.kind, told.match, told.to]
        fits = [one for one in owed if one.first - SECOND < told.at <= one.last]
        assert fits, f"told, but not owed then: {told}, {datetime.fromtimestamp(told.at, UTC)}; owed: {owed}"
        owed.remove(fits[0])
    missing = [one for owed in wanted.values() for one in owed if one.must]
    assert not missing, f"{len(missing)} never told, the first: {missing[0]}, {missing[0].person.number}"


def check_clock(story: Story) -> None:
    """Every deadline fired once and within a minute, and nobody waits for ever."""
    for wait in story.waits:
        ended, timed_out = min(wait.end, story.last), wait.parts[-1].timed_out
        assert ended <= wait.limit + 60, f"not noticed within a minute: {wait}"
        if abs(wait.end - wait.limit) > EDGE:  # a move in the very moment counts if it comes first
            assert not timed_out, wait
            assert wait.end < wait.limit or wait.end > story.last, wait
    fired = sum(wait.parts[-1].timed_out for wait in story.waits)
    assert fired == sum(event["kind"] == "timed_out" for event in story.events)
    if story.match.status != "finished":
        assert story.match.to_act, "nobody is waited for"
        assert all(story.match.chairs[seat].holder.kind == "person" for seat in story.match.to_act)


def test_the_weeks_cross_the_changes_of_clocks() -> None:
    assert AUTUMN.start.date() < date(2026, 10, 25) < AUTUMN.end.date()
    assert SPRING.start.date() < date(2027, 3, 28) < SPRING.end.date()
