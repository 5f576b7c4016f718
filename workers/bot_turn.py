"""Jobs in the queue know it by this name, and a queue outlives an upgrade: never rename it."""

from workers.bots.company import run

__all__ = ["run"]
