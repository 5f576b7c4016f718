"""The newcomer's walk in docs/architecture.md is what really happens."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_walks_go_where_the_page_says() -> None:
    """In a process of its own: it is traced, and what a test run has set up would be seen too."""
    command = [sys.executable, "-m", "tests.walks", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, f"run `make docs`\n{done.stdout}\n{done.stderr[-2000:]}"
