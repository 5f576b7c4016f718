"""How bodies are read: as JSON whatever the content type says, and judged only after who is asking."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

JSON = (b"content-type", b"application/json")

# Stands where a body should be: authentication is checked first, then this fails any model. An object of a
# class of our own would pass for a model whose fields may all be left out.
MALFORMED = object()


class JsonRequest(Request):
    async def json(self) -> Any:
        try:
            return orjson.loads(await self.body())
        except orjson.JSONDecodeError:
            return MALFORMED


class JsonRoute(APIRoute):
    """An ordinary route. A wrong content type (curl's default, say) is no reason to refuse good JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def read(request: Request) -> Response:
            headers = [pair for pair in request.scope["headers"] if pair[0] != JSON[0]]
            scope = {**request.scope, "headers": [*headers, JSON]}
            return await handle(JsonRequest(scope, request.receive))

        return read


class Model(BaseModel):
    """What a body may contain: nothing is converted, nothing unknown is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
