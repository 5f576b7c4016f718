"""What a relay puts off: only tables of bots alone, only for a while, and nothing is forgotten."""

from infra.store.outbox import OutboxEntry
from workers import quiet
from workers.quiet import Quiet


def entry(match, n):
    return OutboxEntry(0, f"{n}-0", match, n, n)


def test_a_table_of_bots_alone_is_followed_at_once_and_then_now_and_then():
    calm = Quiet(0.25)
    assert calm.sift([entry("a", 1)]) == [entry("a", 1)]
    calm.note("a", alone=True, now=10.0)
    assert calm.sift([entry("a", 2)]) == calm.due(10.1) == []
    assert calm.sift([entry("a", 3), entry("b", 1)]) == [entry("b", 1)]
    assert calm.due(10.25) == [entry("a", 2), entry("a", 3)]
    assert calm.due(10.3) == []


def test_people_go_first_also_when_bots_alone_have_waited_long_enough():
    calm = Quiet(0.25)
    for n, match in enumerate("abc"):
        calm.note(match, alone=True, now=12.0 - n)
    assert calm.sift([entry("a", 2), entry("b", 2), entry("c", 2), entry("p", 1)]) == [entry("p", 1)]
    assert calm.due(20.0, 2) == [entry("c", 2), entry("b", 2)], "those that wait longest"
    assert calm.due(20.0, 2) == [entry("a", 2)]


def test_a_table_to_which_somebody_returns_is_followed_at_once_again():
    calm = Quiet(0.25)
    calm.note("a", alone=True, now=10.0)
    assert calm.sift([entry("a", 2)]) == []
    calm.note("a", alone=False, now=10.1)
    assert calm.sift([entry("a", 3)]) == [entry("a", 2), entry("a", 3)]
    assert calm.due(99.0) == []


def test_the_relay_waits_no_longer_than_until_the_first_that_it_put_off():
    calm = Quiet(0.25)
    assert calm.wait_ms(1000, 10.0) == 1000
    calm.note("a", alone=True, now=10.0)
    assert calm.wait_ms(1000, 10.0) == 1000, "nothing is put off"
    calm.sift([entry("a", 2)])
    assert calm.wait_ms(1000, 10.1) == 150
    assert calm.wait_ms(1000, 10.3) == 1
    assert calm.wait_ms(0, 10.3) == 0
    assert calm.due(float("inf")) == [entry("a", 2)]


def test_a_table_that_was_forgotten_among_many_is_followed_at_once(monkeypatch):
    monkeypatch.setattr(quiet, "MAX_KNOWN", 2)
    calm = Quiet(0.25)
    calm.note("a", alone=True, now=10.0)
    assert calm.sift([entry("a", 2)]) == []
    for match in "bc":
        calm.note(match, alone=True, now=10.1)
    assert calm.due(10.1) == [entry("a", 2)]
