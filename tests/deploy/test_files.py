"""Every file for deployment through the checker that its own world uses.

Where a checker is missing the test is skipped with a sentence; with TURNLOG_NEED_DEPLOY=1 that is an error.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.known import settings
from workers.jobs import QUEUES

TREE = Path(__file__).parents[2]
DEPLOY = TREE / "infra" / "deploy"
COMPOSE = sorted((DEPLOY / "compose").glob("*.yaml"))
UNITS = sorted((DEPLOY / "systemd").glob("turnlog*.service"))
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
REPLACED = {"TURNLOG_DOMAIN", "TURNLOG_UPSTREAMS"}  # of the compose files and the proxy, not of the service


def tool(name):
    """Where a checker is: beside this Python, or on the path."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        assert not os.environ.get("TURNLOG_NEED_DEPLOY"), f"{name} is needed"
        pytest.skip(f"{name} is not installed (make check-deploy installs what comes from PyPI)")
    return found


def passes(*command, **env):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_dockerfile_is_clean():
    passes(tool("hadolint"), str(DEPLOY / "Dockerfile"))


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.stem)
def test_compose_files_fit_their_schema(path):
    passes(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(path))


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_manifests_fit_kubernetes(path):
    passes(tool("kubernetes-validate"), "--strict", str(path))


def test_caddy_takes_its_file():
    caddy = tool("caddy")
    passes(caddy, "validate", "--config", str(DEPLOY / "compose" / "Caddyfile"), "--adapter", "caddyfile")


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_verify(path, tmp_path):
    """With a program in the place of the installed one: the verifier wants it to exist."""
    verifier = tool("systemd-analyze")
    text = path.read_text(encoding="utf-8").replace("/opt/turnlog/bin/turnlog", sys.executable)
    (tmp_path / path.name).write_text(text, encoding="utf-8")
    shutil.copy(DEPLOY / "systemd" / "turnlog.target", tmp_path)
    assert passes(verifier, "verify", "--man=no", str(tmp_path / path.name)) == ""


def test_only_settings_that_exist_are_set():
    known = {one.name for one in settings()} | REPLACED
    for path in (*COMPOSE, *MANIFESTS, *UNITS, DEPLOY / "Dockerfile", DEPLOY / "systemd" / "turnlog.env"):
        text = path.read_text(encoding="utf-8")
        named = {
            word
            for word in text.replace("=", " ").replace(":", " ").replace("{", " ").split()
            if word.startswith("TURNLOG_")
        }
        assert {word.strip("},\"'") for word in named} <= known, path


def test_every_queue_has_a_worker_everywhere():
    for found in (_compose_queues(), _unit_queues(), _manifest_queues()):
        assert sorted(found) == sorted(QUEUES)


def _of(command):
    if command[0] == "notifier":
        return ["notify"]
    return command[command.index("--queues") + 1].split(",") if "--queues" in command else []


def _compose_queues():
    services = yaml.safe_load((DEPLOY / "compose" / "cluster.yaml").read_text(encoding="utf-8"))["services"]
    return [queue for one in services.values() if one["image"] == "turnlog" for queue in _of(one["command"])]


def _unit_queues():
    lines = [line for path in UNITS for line in path.read_text(encoding="utf-8").splitlines()]
    return [queue for line in lines if line.startswith("ExecStart=") for queue in _of(line.split()[1:])]


def _manifest_queues():
    found = [one for path in MANIFESTS for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
    pods = [one["spec"]["template"]["spec"] for one in found if one["kind"] == "Deployment"]
    return [queue for pod in pods for queue in _of(pod["containers"][0]["args"])]
