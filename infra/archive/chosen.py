"""The shelf that the operator has chosen."""

from __future__ import annotations

from pathlib import Path

from infra.archive.s3 import S3, Credentials
from infra.archive.shelf import Folder, Shelf
from infra.process.settings import S3_SCHEME, Settings


def shelf(settings: Settings) -> Shelf | None:
    """None: this process knows of no archive."""
    where = settings.archive_at
    if where is None:
        return None
    if not where.startswith(S3_SCHEME):
        return Folder(Path(where).expanduser())
    endpoint = settings.archive_endpoint or f"https://s3.{settings.archive_region}.amazonaws.com"
    who = Credentials(settings.archive_key or "", settings.archive_secret or "", settings.archive_region)
    return S3(endpoint, where.removeprefix(S3_SCHEME), who)
