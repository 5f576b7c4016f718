"""What is counted, in a registry of our own: nothing else of the process shows up in it by accident."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE

__all__ = [
    "APPENDS",
    "APPEND_CONFLICTS",
    "APPEND_SECONDS",
    "ARCHIVED",
    "ARCHIVE_READS",
    "BOT_TURNS",
    "CONTENT_TYPE",
    "HTTP_REQUESTS",
    "HTTP_SECONDS",
    "JOBS",
    "JOB_SECONDS",
    "NOTICES",
    "OUTBOX_LAG",
    "REGISTRY",
    "TIMEOUTS",
    "WATCHERS",
    "render",
]

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

HTTP_REQUESTS = Counter(
    "turnlog_http_requests", "Requests answered", ["method", "route", "status"], registry=REGISTRY
)
HTTP_SECONDS = Histogram(
    "turnlog_http_seconds", "Time to answer", ["route"], buckets=QUICK, registry=REGISTRY
)
APPENDS = Counter("turnlog_appends", "Appends that were done", ["outcome"], registry=REGISTRY)
APPEND_CONFLICTS = Counter("turnlog_append_conflicts", "Appends that came too late", registry=REGISTRY)
APPEND_SECONDS = Histogram(
    "turnlog_append_seconds", "Time until an append was on disk", buckets=QUICK, registry=REGISTRY
)
OUTBOX_LAG = Gauge("turnlog_outbox_lag", "Appends that are not yet passed on", registry=REGISTRY)
JOBS = Counter("turnlog_jobs", "Jobs that ended", ["queue", "outcome"], registry=REGISTRY)
JOB_SECONDS = Histogram("turnlog_job_seconds", "Time of a job", ["queue"], buckets=QUICK, registry=REGISTRY)
BOT_TURNS = Counter("turnlog_bot_turns", "Turns played by bots", ["bot", "outcome"], registry=REGISTRY)
TIMEOUTS = Counter("turnlog_timeouts", "Turns whose time ran out", registry=REGISTRY)
NOTICES = Counter("turnlog_notices", "Notices by channel", ["kind", "outcome"], registry=REGISTRY)
ARCHIVED = Counter("turnlog_archived", "Matches that went into the archive", ["outcome"], registry=REGISTRY)
ARCHIVE_READS = Histogram(
    "turnlog_archive_read_seconds",
    "Time to read a match from the archive",
    buckets=QUICK,
    registry=REGISTRY,
)
WATCHERS = Gauge("turnlog_sse_watchers", "Streams that are open", registry=REGISTRY)


def render() -> bytes:
    """All figures in the text format of Prometheus."""
    return generate_latest(REGISTRY)
