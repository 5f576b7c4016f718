"""Telling one process from another that later got the same number."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path


def mark(pid: int) -> str | None:
    """What tells this process from a later one with the same pid; None if it does not run."""
    if Path("/proc/self/stat").exists():
        return _mark_from_proc(pid)
    return _mark_from_ps(pid)


def is_same(pid: int, its_mark: str | None) -> bool:
    """Whether the process noted earlier still runs."""
    return its_mark is not None and mark(pid) == its_mark


def end(pid: int, its_mark: str, signal: int, wait_s: float) -> bool:
    """Send a signal to exactly that process and say whether it was gone in time."""
    if is_same(pid, its_mark):
        os.kill(pid, signal)
    deadline = time.monotonic() + wait_s
    while is_same(pid, its_mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _mark_from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None
    # The name stands in brackets and may hold anything, even brackets: count from the last one.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else f"{boot}:{fields[19]}"


def _mark_from_ps(pid: int) -> str | None:
    done = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    state, _, started = done.stdout.strip().partition(" ")
    return None if not started or state.startswith("Z") else started.strip()
