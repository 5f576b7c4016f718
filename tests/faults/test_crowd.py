"""2,240 bots' turns by three relays and three workers, all the time overdue, one of each killed."""

import pytest

from tests import crowd

pytestmark = [pytest.mark.fault, pytest.mark.anyio, pytest.mark.timeout(900)]


async def test_every_turn_is_played_once_and_no_relay_dies(deps, embedded, tmp_path):
    report = await crowd.run(deps, embedded.url, tmp_path)
    said = "\n".join(log.read_text()[-2000:] for log in sorted(tmp_path.glob("*.log")) if report.ended)
    assert report.ended == [], said
    assert report.matches == crowd.MATCHES, report
    assert report.turns == crowd.MATCHES * crowd.TURNS
    assert report.doubled == report.parked == 0
    assert report.made_overdue > 100, "nobody made them overdue"
    assert report.killed == ["relay 0", "worker 0"]
