"""Open files: as many as the system allows, and a sentence where these are few."""

import resource
import subprocess
import sys

from infra.process.limits import LOW, too_few

ASK = (
    "from infra.process.limits import raise_open_files, too_few; n = raise_open_files(); print(n, too_few(n))"
)


def _run(soft, hard):
    return subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    ).stdout


def test_the_soft_limit_is_raised_to_the_hard_one():
    assert _run(64, 300).startswith("300 only 300 files may be open at once")


def test_enough_is_not_worth_a_word():
    assert too_few(LOW) is None
    assert too_few(resource.RLIM_INFINITY) is None
