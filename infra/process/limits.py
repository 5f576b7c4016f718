"""How many files a process may have open: every connection is one."""

from __future__ import annotations

import resource

LOW = 4096  # below this a busy evening may not fit


def raise_open_files() -> int:
    """Take as many as the system allows this process; returns how many these are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == hard:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):  # macOS says "unlimited" and takes less
        return soft
    return hard


def too_few(limit: int) -> str | None:
    """A sentence for the operator if the limit is low."""
    if limit == resource.RLIM_INFINITY or limit >= LOW:
        return None
    return (
        f"only {limit} files may be open at once, and each connection is one: about {max(0, limit - 100)} "
        f"people can watch at a time. Raise it with `ulimit -n {LOW * 4}` or LimitNOFILE= of the service."
    )
