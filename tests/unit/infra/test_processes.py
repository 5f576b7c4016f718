"""Which process is meant, and whether it is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from infra.process import processes


@pytest.fixture
def sleeper():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


def test_a_process_is_the_same_as_long_as_it_lives(sleeper):
    mark = processes.mark(sleeper.pid)
    assert processes.is_same(sleeper.pid, mark)
    assert not processes.is_same(sleeper.pid, processes.mark(os.getpid()))
    assert not processes.is_same(sleeper.pid, None)


def test_what_ended_is_gone_though_nobody_has_asked_how(sleeper):
    mark = processes.mark(sleeper.pid)
    assert processes.end(sleeper.pid, mark, signal.SIGKILL, wait_s=30)
    assert processes.mark(sleeper.pid) is None, "it is still listed, and runs no more"
    assert sleeper.returncode is None


def test_who_does_not_go_is_not_waited_for_without_end(sleeper):
    mark = processes.mark(sleeper.pid)
    assert not processes.end(sleeper.pid, mark, signal.SIGCONT, wait_s=0.05)
    assert processes.is_same(sleeper.pid, mark)


def test_another_process_with_the_number_is_left_alone(sleeper):
    assert processes.end(sleeper.pid, "the mark of one that ended", signal.SIGKILL, wait_s=0.0)
    assert processes.mark(sleeper.pid) is not None
