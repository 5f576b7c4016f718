"""The processes of a house by role, and what they use: read from /proc."""

import os
from pathlib import Path

from infra.embedded.volatile import FOLDER

PAGE = os.sysconf("SC_PAGE_SIZE")
ROLES = {"api": "api", "relay": "relay", "worker": "worker", "notifier": "worker"}


class Processes:
    """Those that `turnlog up` has started."""

    def __init__(self, up: int) -> None:
        self._up = up

    def by_role(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for pid in _below(self._up):
            role = _role(pid)
            if role is not None:
                found.setdefault(role, []).append(pid)
        return found

    def cpu(self) -> dict[str, float]:
        """Seconds of CPU that each role has used."""
        return {role: sum(map(_cpu, pids)) for role, pids in self.by_role().items()}

    def bytes(self) -> dict[str, float]:
        """Memory of one process of each role, the largest."""
        return {role: max(map(_resident, pids)) for role, pids in self.by_role().items()}


def _below(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text(encoding="ascii").split()):
            found += [child, *_below(child)]
    return found


def _role(pid: int) -> str | None:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    if "service.cli" in words:
        return ROLES.get(words[words.index("service.cli") + 1])
    if Path(words[0].split(" ")[0]).name.startswith(("valkey-server", "redis-server")):
        return "queue" if FOLDER in Path(f"/proc/{pid}/cwd").resolve().parts[-2:] else "store"
    return None


def _cpu(pid: int) -> float:
    """Of all its threads, in nanoseconds of the scheduler: ticks are too coarse for a store."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def _resident(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
