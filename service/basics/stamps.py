"""Moments as everything on the wire and in the log writes them."""

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """
    >>> stamp(datetime(2026, 11, 16, 9, 30, 12, 345678, UTC))
    '2026-11-16T09:30:12.345Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def at(seconds: float) -> str:
    """Seconds since 1970 as a stamp."""
    return stamp(datetime.fromtimestamp(seconds, UTC))
