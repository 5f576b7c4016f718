"""The model of large houses: costs add up, processes suffice, and more matches never need less."""

import pytest

from service.bench.scale import report
from service.bench.scale.model import Check, Figures, Habits, Rate, expected, load, most_matches, needs

HABITS = Habits(moves_a_day=4, bots_share=0.25, looks_a_move=2, busiest=2, events=10, watching=0)
SOME = Figures(
    action_us={"api": 1000, "relay": 2000, "store": 500},
    turn_us={"worker": 3000, "relay": 1000, "queue": 100},
    look_us={"api": 500},
    heard_us=100,
    idle={"relay": 0.002, "store": 0.003},
    role_bytes={"api": 1e8, "store": 0},
    match_bytes=6000,
    event_bytes=400,
    watcher_bytes=3e4,
    quiet_p99_ms=10,
)


def test_a_second_of_a_house_by_hand():
    """86,400 matches with four moves a day: four moves a second, eight in the busiest hour."""
    given = load(86_400, HABITS)
    assert (given.actions, given.turns, given.looks) == pytest.approx((6, 2, 12))
    assert load(86_400, HABITS, 1.0).moves == pytest.approx(4)
    found = needs(SOME, 86_400, HABITS)
    assert found.cores["api"] == pytest.approx((6 * 1000 + 12 * 500) / 1e6)
    assert found.cores["relay"] == pytest.approx((6 * 2000 + 2 * 1000) / 1e6)
    assert found.cores["worker"] == pytest.approx(2 * 3000 / 1e6)
    assert found.store_gb == pytest.approx(86_400 * (6000 + 10 * 400) / 1e9)
    assert set(found.processes.values()) == {1}
    assert found.p99_ms == pytest.approx(10 / (1 - found.cores["api"]))


@pytest.mark.parametrize("matches", [10_000, 10_000_000, 200_000_000])
def test_processes_are_enough_and_grow(matches):
    small, large = needs(SOME, matches, HABITS), needs(SOME, 2 * matches, HABITS)
    for found in (small, large):
        for role, busy in found.cores.items():
            assert busy / found.processes[role] <= 0.6
        assert found.store_gb / found.masters <= 16
    assert large.machines >= small.machines
    assert large.masters >= small.masters


def test_what_cannot_be_multiplied_bounds_the_house():
    limits = most_matches(SOME, HABITS)
    assert limits["memory of all masters (64 shards)"] == pytest.approx(64 * 16e9 / 10_000)
    assert needs(SOME, 64 * 1_600_000, HABITS).masters == 64


def test_a_check_sees_what_idle_processes_use_as_well():
    said = expected(SOME, 864, 5.0, HABITS, 100.0)
    busy = needs(SOME, 864, Habits(4, 0.25, 2, 100, 10, 0)).cores
    assert said["CPU of all roles, share of a core"] == pytest.approx(sum(busy.values()) + 0.005)
    assert said["memory of the store, MB"] == pytest.approx(864 * 8000 / 1e6)
    assert Check(1, 1, 1, [("a", 2.0, 4.0), ("b", 5.0, 4.0)]).off() == pytest.approx(0.5)


def test_every_table_has_its_columns_filled():
    full = SOME
    full.rates = [Rate("one store", 1, 1000, 20)]
    full.bots = [(1, 50.0)]
    full.checks = [Check(300, 1, 100, [("memory", 1.0, 1.1)])]
    for heads, rows in (table(full) for table in report.TABLES.values()):
        assert rows
        assert all(len(row) == len(heads) for row in rows)
    assert "10,000,000" in report.text(full)
