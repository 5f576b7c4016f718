"""Alert rules and the dashboard name figures that exist, and every figure has its place in the dashboard."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.process import metrics
from tests.docs import known

DEPLOY = Path(__file__).parents[2] / "infra/deploy"
RULES = DEPLOY / "prometheus/turnlog.rules.yml"
BOARD = DEPLOY / "grafana/turnlog.json"
PARTS = ("_bucket", "_sum", "_count")


def expressions():
    board = json.loads(BOARD.read_text(encoding="utf-8"))
    found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = re.findall(r"^\s+expr: (.+)$", RULES.read_text(encoding="utf-8"), re.M)
    return found, rules


def families():
    """Every figure with its labels, ours and those that each process has."""
    found = {}
    for registry in (metrics.REGISTRY, metrics.HOUSE):
        for collector in registry._collector_to_names:
            for metric in collector.collect():
                name = metric.name + ("_total" if metric.type == "counter" else "")
                found[name] = {*getattr(collector, "_labelnames", ()), "le"}
    for name in ("turnlog_http_requests_total", "process_cpu_seconds_total"):
        assert name in found
    return found


def base(name):
    return next((name.removesuffix(part) for part in PARTS if name.endswith(part)), name)


@pytest.mark.parametrize("expression", [one for some in expressions() for one in some])
def test_every_name_exists_with_its_labels(expression):
    known_ones, of_all = families(), {"role", "process", "job"}
    for name, selector in re.findall(r"\b((?:turnlog|process)_\w+)\b(?:{([^}]*)})?", expression):
        assert base(name) in known_ones, name
        for label in re.findall(r"(\w+)(?:=~|!~|!=|=)", selector or ""):
            assert label in known_ones[base(name)] | of_all, (name, label)
    grouped = re.findall(r"by \(([^)]*)\)", expression)
    mine = set().union(
        *(known_ones[base(n)] for n in re.findall(r"\b(?:turnlog|process)_\w+", expression)), of_all
    )
    assert {label.strip() for some in grouped for label in some.split(",")} <= mine


def test_every_figure_is_in_the_dashboard():
    text = " ".join(expressions()[0])
    for name in known.figures():
        assert re.search(rf"\b{name}(?:_bucket)?\b", text), f"{name} is in no panel"


def test_every_figure_has_an_alert_or_a_reason():
    """What says that something is wrong is watched; the rest is for looking at."""
    rules = " ".join(expressions()[1])
    for name in ("late_seconds", "outbox_lag", "queue_age_seconds", "parked_matches", "role_silent_seconds"):
        assert f"turnlog_{name}" in rules


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool comes with Debian's prometheus")
def test_prometheus_takes_the_files():
    done = subprocess.run(
        ["promtool", "check", "config", str(DEPLOY / "prometheus/prometheus.yml")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done
    assert "SUCCESS" in done.stdout
