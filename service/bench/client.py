"""A bare HTTP/1.1 client on one kept connection: the load generator must cost less than what it measures."""

import asyncio
from typing import Any

import orjson

LIMIT = 1 << 22


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str = "") -> None:
        self._reader, self._writer = reader, writer
        self._auth = f"Authorization: Bearer {token}\r\n" if token else ""

    @classmethod
    async def connect(cls, port: int, token: str = "") -> "Client":
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LIMIT)
        return cls(reader, writer, token)

    async def request(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """A connection that was idle for too long is opened again."""
        try:
            return await self._request(method, path, body)
        except asyncio.IncompleteReadError:
            port = self._writer.get_extra_info("peername")[1]
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port, limit=LIMIT)
            return await self._request(method, path, body)

    async def _request(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        payload = b"" if body is None else orjson.dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: bench\r\n{self._auth}"
            f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
        )
        self._writer.write(head.encode() + payload)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in answer.split(b"\r\n"):
            if line[:15].lower() == b"content-length:":
                length = int(line[15:])
        return int(answer[9:12]), await self._reader.readexactly(length)

    async def json(self, method: str, path: str, body: Any = None) -> Any:
        status, raw = await self.request(method, path, body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {raw[:300]!r}")
        return orjson.loads(raw)

    def close(self) -> None:
        self._writer.close()
