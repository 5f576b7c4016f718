"""Every log line is one JSON object with its time and context, whoever wrote it; figures render as text."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
import structlog

from infra.process import metrics, telemetry


@pytest.fixture
def lines(capsys):
    """Configure for this test only, and read what it wrote."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    telemetry.configure("info")
    yield lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    root.handlers[:], root.level = before
    structlog.reset_defaults()


def test_a_line_has_time_level_and_context(lines):
    with telemetry.context(request="r1", match="7Kq2"):
        structlog.get_logger().info("appended", seq=14)
    structlog.get_logger().info("later")
    first, second = lines()
    assert (first["event"], first["level"], first["request"], first["match"], first["seq"]) == (
        "appended",
        "info",
        "r1",
        "7Kq2",
        14,
    )
    assert first["at"].endswith("Z")
    assert abs(datetime.fromisoformat(first["at"]) - datetime.now(UTC)) < timedelta(minutes=1)
    assert "request" not in second


def test_lines_below_the_level_are_left_out(lines):
    structlog.get_logger().debug("chatter")
    assert lines() == []


def test_libraries_write_the_same_way(lines):
    with telemetry.context(request="r1"):
        logging.getLogger("uvicorn").warning("slow %s", "client", extra={"peer": "x"})
    (line,) = lines()
    assert (line["event"], line["level"], line["request"], line["peer"]) == (
        "slow client",
        "warning",
        "r1",
        "x",
    )


def test_an_error_stays_on_its_line(lines):
    try:
        raise ValueError("broken")
    except ValueError:
        structlog.get_logger().exception("failed")
    (line,) = lines()
    assert "ValueError: broken" in line["exception"]


def test_nothing_that_is_logged_can_break_the_logger(lines):
    structlog.get_logger().info("odd", half="\ud800", huge=2**70, thing=object(), key={1: b"x"})
    (line,) = lines()
    assert line["huge"] == 2**70


def test_people_may_read_it_too(capsys, lines):
    telemetry.configure("debug", json=False)
    structlog.get_logger().debug("hello", seq=3)
    assert "hello" in capsys.readouterr().err


def test_an_unknown_level_is_a_mistake():
    with pytest.raises(KeyError):
        telemetry.configure("loud")


def test_figures_are_rendered_by_name():
    metrics.HTTP_REQUESTS.labels("GET", "/api/matches", "200").inc()
    metrics.OUTBOX_LAG.set(7)
    text = metrics.render({("api", "one"): metrics.families()}).decode()
    labels = 'method="GET",process="one",role="api",route="/api/matches",status="200"'
    assert f"turnlog_http_requests_total{{{labels}}}" in text
    assert "turnlog_outbox_lag 7.0" in text
    for name in ("appends", "append_conflicts", "jobs", "bot_turns", "sse_watchers", "append_seconds"):
        assert f"# TYPE turnlog_{name}" in text
