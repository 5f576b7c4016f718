"""What is counted, in a registry of our own: nothing else of the process shows up in it by accident."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

__all__ = [
    "APPENDS",
    "APPEND_CONFLICTS",
    "APPEND_SECONDS",
    "ARCHIVED",
    "ARCHIVE_READS",
    "BOT_TURNS",
    "CONTENT_TYPE",
    "HOUSE",
    "HTTP_REQUESTS",
    "HTTP_SECONDS",
    "JOBS",
    "JOB_SECONDS",
    "LATE",
    "MATCHES_OVER",
    "NOTICES",
    "OUTBOX_LAG",
    "PARKED",
    "PROCESSES",
    "QUEUE_AGE",
    "QUEUE_JOBS",
    "REGISTRY",
    "SILENT",
    "STORE_DELAYED",
    "STORE_KIND",
    "STORE_MEMORY",
    "TIMEOUTS",
    "WATCHERS",
    "families",
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

# Of the house as a whole, not of a process: whoever is asked looks them up.
HOUSE = CollectorRegistry()
OUTBOX_LAG = Gauge("turnlog_outbox_lag", "Appends that are not yet passed on", registry=HOUSE)
QUEUE_JOBS = Gauge("turnlog_queue_jobs", "Jobs that wait in a queue", ["queue"], registry=HOUSE)
QUEUE_AGE = Gauge(
    "turnlog_queue_age_seconds", "How long the first job of a queue has waited", ["queue"], registry=HOUSE
)
LATE = Gauge(
    "turnlog_late_seconds",
    "How late the first of what is due is: deadlines, notices, calls to webhooks, turns of bots",
    ["what"],
    registry=HOUSE,
)
PARKED = Gauge("turnlog_parked_matches", "Matches that something went wrong with", registry=HOUSE)
MATCHES_OVER = Gauge(
    "turnlog_matches_over",
    "Matches that are over, in the store and in the archive",
    ["where"],
    registry=HOUSE,
)
SILENT = Gauge(
    "turnlog_role_silent_seconds", "Since when no process of a role was heard", ["role"], registry=HOUSE
)
PROCESSES = Gauge(
    "turnlog_role_processes", "Processes of a role that were heard lately", ["role"], registry=HOUSE
)
STORE_MEMORY = Gauge("turnlog_store_memory_bytes", "Memory of the store", registry=HOUSE)
STORE_KIND = Gauge(
    "turnlog_store_kind_bytes", "Memory by kind of key, estimated from a sample", ["kind"], registry=HOUSE
)
STORE_DELAYED = Gauge(
    "turnlog_store_delayed_fsyncs",
    "Writes that waited for the disk since the store began",
    registry=HOUSE,
)


class Sample(NamedTuple):
    name: str
    labels: dict[str, str]
    value: float


class Family(NamedTuple):
    """A figure with all its samples, as one process has counted them."""

    name: str
    text: str
    kind: str
    samples: list[Sample]


def families() -> list[Family]:
    """What this process has counted."""
    return [
        Family(
            one.name, one.documentation, one.type, [Sample(s.name, s.labels, s.value) for s in one.samples]
        )
        for one in REGISTRY.collect()
    ]


class Gathered(Collector):
    """The figures of many processes, each told from the others by its role and its name."""

    def __init__(self, processes: Mapping[tuple[str, str], Iterable[Family]]) -> None:
        self._processes = processes

    def collect(self) -> Iterator[Metric]:
        found: dict[str, Metric] = {}
        for (role, process), some in self._processes.items():
            for family in some:
                metric = found.setdefault(family.name, Metric(family.name, family.text, family.kind))
                for sample in family.samples:
                    labels = {**sample.labels, "role": role, "process": process}
                    metric.add_sample(sample.name, labels, sample.value)
        return iter(found.values())


def render(processes: Mapping[tuple[str, str], Iterable[Family]]) -> bytes:
    """The figures of these processes, and those of the house, in the text format of Prometheus."""
    gathered = CollectorRegistry()
    gathered.register(Gathered(processes))
    return generate_latest(gathered) + generate_latest(HOUSE)
