"""One house for a run; a browser for each file, since its loop must be gone before async tests run."""

from __future__ import annotations

from itertools import count

import pytest

from tests.e2e import browser as surf
from tests.house import house as run_house
from tests.letterbox import Letterbox, Receiver

NUMBERS = count(1)


def pytest_collection_modifyitems(items):
    why = surf.missing()
    for item in items:
        if item.get_closest_marker("browser") and why and not surf.needed():
            item.add_marker(pytest.mark.skip(reason=f"no browser: {why}"))


@pytest.fixture(scope="session")
def letterbox():
    with Letterbox() as box:
        yield box


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture(scope="session")
def house(tmp_path_factory, letterbox):
    """It sends mail, and its operator allows private addresses: receivers stand on loopback."""
    allowed = {"TURNLOG_ALLOW_PRIVATE": "1", "TURNLOG_SMTP_URL": letterbox.url}
    data = tmp_path_factory.mktemp("page") / "data"
    with run_house(
        data, TURNLOG_LOG_LEVEL="warning", TURNLOG_MAIL_FROM="house@example.org", **allowed
    ) as running:
        yield running


@pytest.fixture(scope="module")
def browser():
    assert not surf.missing(), surf.missing()
    with surf.browsers() as running:
        yield running


@pytest.fixture
def people(browser, house):
    """Makes people; none of their pages may complain."""
    made = []

    def make(enter: str = "", **context):
        person = surf.Person(browser, house.url, **context)
        made.append(person)
        if enter:
            person.join(f"{enter} {next(NUMBERS)}")
        return person

    yield make
    complaints = [complaint for person in made for complaint in person.complaints]
    for person in made:
        person.close()
    assert complaints == []
