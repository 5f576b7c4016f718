"""A shelf on any S3-compatible store: PUT and GET with signatures of version 4, and nothing more.

Buckets are named in the path, which every such store understands.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from infra.outside.outward import GuardedHttp, GuardedHttpError, Reply
from infra.process.errors import ArchiveAway

TIMEOUT_S = 60.0
MAX_BYTES = 1 << 30  # of an answer
TRIES = 3  # a busy store may ask to be asked again


class Credentials(NamedTuple):
    """Who we are there; `region` is whatever the store was told to be in."""

    key: str
    secret: str
    region: str = "us-east-1"


class S3:
    """`endpoint` is where the store answers, `path` the bucket and perhaps a prefix."""

    def __init__(self, endpoint: str, path: str, who: Credentials) -> None:
        self._endpoint, self._path, self._who = endpoint.rstrip("/"), path.strip("/"), who
        # The operator chose this address, so it may be any.
        self._http = GuardedHttp(lenient=True, timeout_s=TIMEOUT_S)

    @property
    def where(self) -> str:
        return f"{self._endpoint}/{self._path}"

    async def put(self, name: str, data: bytes) -> None:
        reply = await self._send("PUT", name, data)
        if reply.status not in (200, 201, 204):
            raise self._refused(reply)

    async def get(self, name: str, offset: int = 0, size: int | None = None) -> bytes | None:
        if size == 0:
            return b""
        end = "" if size is None else offset + size - 1
        reply = await self._send("GET", name, b"", {"Range": f"bytes={offset}-{end}"})
        if reply.status == 404 and b"NoSuchBucket" not in reply.body:
            return None
        if reply.status == 416:
            return b""  # it ends before that
        if reply.status not in (200, 206):
            raise self._refused(reply)
        if int(reply.headers.get("content-length", len(reply.body))) != len(reply.body):
            raise ArchiveAway(f"The archive at {self.where} was cut off in its answer.")
        if "content-range" in reply.headers:
            return reply.body
        return reply.body[offset : None if size is None else offset + size]  # it sent the whole

    async def _send(
        self, method: str, name: str, body: bytes, more: Mapping[str, str] | None = None
    ) -> Reply:
        url = f"{self._endpoint}/{quote(f'{self._path}/{name}')}"
        for _ in range(TRIES):
            headers = signed(method, url, body, self._who, datetime.now(UTC))
            try:
                reply = await self._http.send(method, url, body, {**headers, **(more or {})}, MAX_BYTES)
            except GuardedHttpError as problem:
                raise ArchiveAway(f"The archive at {self.where} does not answer: {problem}") from problem
            if reply.status not in (500, 502, 503, 504):
                return reply
        return reply

    def _refused(self, reply: Reply) -> ArchiveAway:
        said = reply.body[:200].decode("utf-8", "replace")
        return ArchiveAway(f"The archive at {self.where} answers {reply.status}: {said}")


def signed(method: str, url: str, body: bytes, who: Credentials, now: datetime) -> dict[str, str]:
    """The headers that prove who asks: AWS Signature Version 4."""
    parts, stamp = urlsplit(url), now.strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    headers = {"host": parts.netloc, "x-amz-content-sha256": digest, "x-amz-date": stamp}
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = "\n".join([method, parts.path or "/", parts.query, lines, names, digest])
    scope = f"{stamp[:8]}/{who.region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(request.encode()).hexdigest()])
    key = b"AWS4" + who.secret.encode()
    for part in (*scope.split("/"), text):
        key = hmac.digest(key, part.encode(), "sha256")
    proof = f"AWS4-HMAC-SHA256 Credential={who.key}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
    return {**{name: value for name, value in headers.items() if name != "host"}, "Authorization": proof}
