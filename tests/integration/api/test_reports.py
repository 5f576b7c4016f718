"""A page tells the operator's log that it failed: bounded, and with nothing that somebody may have typed."""

import pytest
from structlog.testing import capture_logs

from service.api.operations import reports

pytestmark = pytest.mark.anyio
GOOD = {
    "error": "TypeError",
    "places": ["/static/games/akropolis/city.js:22:7", "/static/pages/table.js:9:1"],
}


@pytest.fixture(autouse=True)
def full_budget(monkeypatch):
    monkeypatch.setattr(reports, "budget", reports.Budget(reports.A_MINUTE))


async def test_a_report_is_one_line_of_the_log(house):
    with capture_logs() as lines:
        assert (await house.nobody.post("/api/reports", GOOD)).status_code == 204
    (line,) = [line for line in lines if line["event"] == "page failed"]
    assert line["error"] == "TypeError"
    assert line["places"] == "/static/games/akropolis/city.js:22:7 < /static/pages/table.js:9:1"


async def test_only_so_many_lines_a_minute(house):
    with capture_logs() as lines:
        for _ in range(reports.A_MINUTE + 5):
            assert (await house.nobody.post("/api/reports", GOOD)).status_code == 204
    assert len([line for line in lines if line["event"] == "page failed"]) == reports.A_MINUTE


@pytest.mark.parametrize(
    "wrong",
    [
        {"error": "my password is x"},
        {"error": "TypeError\nlevel=error"},
        {"places": ["https://example.org/a.js:1:1"]},
        {"places": ["/static/a.js:1:1"] * 6},
        {"more": "words"},
    ],
)
async def test_words_are_refused(house, wrong):
    assert (await house.nobody.post("/api/reports", {**GOOD, **wrong})).status_code == 400
