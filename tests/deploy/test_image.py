"""The Dockerfile without a container daemon: its lines, done in a fresh root, make a service that runs.

Needs root and debootstrap; about two minutes. Only with TURNLOG_NEED_DEPLOY=1, that is in .ci/run.
"""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.deploy.test_files import DEPLOY, TREE, tool
from tests.house import House, free_port

pytestmark = [
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not os.environ.get("TURNLOG_NEED_DEPLOY"), reason="only with TURNLOG_NEED_DEPLOY=1"),
]
SUITE = "bookworm"  # what the image named in the Dockerfile is made of
CARRIED = ("SSL_CERT_FILE", "PIP_CERT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT")


def stages():
    """The instructions of each stage: (word, rest), continued lines joined."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip() and line[0] != "#"]
    found = []
    for word, rest in lines:
        if word == "FROM":
            assert SUITE in rest
            found.append([])
        else:
            found[-1].append((word, rest))
    return found


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A Debian with Python and nothing else."""
    folder = tmp_path_factory.mktemp("image") / "root"
    mirror = _said("apt-get", "indextargets", "--format", "$(REPO_URI)").split()[0]
    packages = "--include=python3,python3-venv,ca-certificates"
    _run(tool("debootstrap"), "--variant=minbase", packages, SUITE, str(folder), mirror)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", folder / "etc/ssl/certs/ca-certificates.crt")
    if Path("/etc/pip.conf").exists():
        shutil.copy("/etc/pip.conf", folder / "etc/pip.conf")
    return folder


def _said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])


def _do(root, stage):
    """Do what a stage says; the second one finds what the first has left, as COPY --from would bring it."""
    where = "/"
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
    env |= {name: os.environ[name] for name in CARRIED if name in os.environ}
    for word, rest in stage:
        if word == "WORKDIR":
            where = rest
            (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            for source in sources:
                _copy(TREE / source, root / where.lstrip("/") / target)
        elif word == "RUN":
            _run("chroot", str(root), "sh", "-ec", f"cd {where}; {rest}", env=env)


def _copy(source, target):
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def test_its_lines_make_a_service(root):
    for stage in stages():
        _do(root, stage)
    port = free_port()
    command = (
        "chroot",
        "--userspec=10001:10001",
        str(root),
        "/opt/turnlog/bin/turnlog",
        "up",
        "--port",
        str(port),
    )
    env = {
        "PATH": "/usr/sbin:/usr/bin:/bin",
        "TURNLOG_DATA": "/data",
        "HOME": "/data",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    try:
        house = House(root / "data", port)
        deadline = time.monotonic() + 120
        while (answer := house.call("GET", "/ready")).status != 200:
            assert time.monotonic() < deadline, answer.body
        assert (root / "data").stat().st_uid == 10001
    finally:
        process.terminate()
        process.communicate(timeout=60)
