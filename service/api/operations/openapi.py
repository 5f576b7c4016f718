"""The OpenAPI document: what the framework knows of the ordinary routes, and the hot ones by hand.

Every registered game adds its actions, options and views as components, so that a client can be generated.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from engine import codec, registry
from engine.game import AnyGame
from service.api.operations.hotpaths import PATHS
from service.api.operations.schemas import TABLE_SCHEMAS
from service.basics.errors import TABLE

Json = dict[str, Any]

ABOUT = (
    "Board games played over days, on an append-only event log. Errors are problem JSON (RFC 9457) with a "
    "stable `code`. Times are RFC 3339 UTC, durations seconds, ids opaque. Unknown fields of a "
    "body are refused, those of a query are ignored."
)
SECURITY: Json = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "a token of POST /api/accounts or /me/tokens",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "turnlog_session",
        "description": "the page's session; unsafe methods also need the header X-CSRF-Token",
    },
}


def document(app: FastAPI) -> Json:
    """The whole document, made once."""
    if app.openapi_schema is None:
        app.openapi_schema = _document(app)
    return app.openapi_schema


def _document(app: FastAPI) -> Json:
    made = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
    components = made.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(SCHEMAS)
    schemas["Problem"] = _problem()
    for game in registry.games():
        schemas.update(_game(game))
    for name in ("action", "view"):
        schemas[name.title()] = {"anyOf": [{"$ref": _ref(game.key, name)} for game in registry.games()]}
    for name in ("HTTPValidationError", "ValidationError"):  # ours are problems
        schemas.pop(name, None)
    components["securitySchemes"] = SECURITY
    made["security"] = [{"token": []}, {"session": []}, {}]
    for path, methods in PATHS.items():
        made["paths"].setdefault(path, {}).update(methods)
    _add_problems(made["paths"])
    return made


def _ref(key: str, name: str) -> str:
    return f"#/components/schemas/{key}.{name}"


def _game(game: AnyGame) -> Json:
    """A game's own types, each under the game's key, so that two games may use the same word."""
    found: Json = {}
    for name, kind in (("action", game.Action), ("options", game.Options), ("view", game.View)):
        schema = _move(codec.schema(kind), game.key)
        found.update({f"{game.key}.{part}": body for part, body in schema.pop("$defs", {}).items()})
        found[f"{game.key}.{name}"] = schema
    return found


def _move(schema: Any, key: str) -> Any:
    """References into the components instead of the schema itself."""
    if isinstance(schema, dict):
        return {name: _moved(name, value, key) for name, value in schema.items()}
    return [_move(value, key) for value in schema] if isinstance(schema, list) else schema


def _moved(name: str, value: Any, key: str) -> Any:
    if name == "$ref":
        return value.replace("#/$defs/", f"#/components/schemas/{key}.")
    if name == "mapping":  # of a discriminator: tag -> reference
        return {tag: _moved("$ref", ref, key) for tag, ref in value.items()}
    return _move(value, key)


def _problem() -> Json:
    return {
        "type": "object",
        "description": "Why it was refused; nothing was changed.",
        "required": ["type", "title", "status", "code", "detail"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "code": {"type": "string", "enum": list(TABLE)},
            "detail": {"type": "string", "description": "a sentence for people"},
            "reason": {"type": "string", "description": "illegal_action: the game's own code"},
            "current": {"type": "integer", "description": "stale_seq: where the match is now"},
            "line": {"type": "integer", "description": "bad_log: the first line that is not valid"},
        },
    }


def _add_problems(paths: Json) -> None:
    problem = {
        "description": "refused",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path, methods in paths.items():
        for operation in methods.values():
            operation["responses"].pop("422", None)
            if path.startswith("/api") or "parameters" in operation:  # what is given can be wrong
                operation["responses"]["default"] = problem


def _object(properties: Json, about: str) -> Json:
    return {
        "type": "object",
        "description": about,
        "required": list(properties),
        "properties": properties,
    }


STRING, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
SEATS: Json = {"type": "array", "items": INTEGER}
OBJECT: Json = {"type": "object"}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


SCHEMAS: Json = {
    "Match": _object(
        {
            "id": STRING,
            "game": STRING,
            "version": INTEGER,
            "options": OBJECT,
            "status": {"enum": ["open", "running", "finished", "cancelled"]},
            "seq": INTEGER,
            "seats": {"type": "array", "items": {"$ref": "#/components/schemas/Seat"}},
            "to_act": SEATS,
            "may_act": SEATS,
            "you": _or_null(INTEGER),
            "view": _or_null({"$ref": "#/components/schemas/View"}),
            "legal": {"type": "array", "items": {"$ref": "#/components/schemas/Action"}},
            "labels": {"type": "array", "items": STRING},
            "clock": _or_null({"$ref": "#/components/schemas/Clock"}),
            "undo": _or_null({"$ref": "#/components/schemas/Undo"}),
            "asked": _or_null({"$ref": "#/components/schemas/Asked"}),
            "hint": _or_null({"$ref": "#/components/schemas/Hint"}),
            "agreed": {"$ref": "#/components/schemas/Agreed"},
            "next": _or_null({"$ref": "#/components/schemas/Next"}),
            "rematch": _or_null(STRING),
            "invite": _or_null(STRING),
            "share": _or_null(STRING),
            "result": _or_null({"$ref": "#/components/schemas/Result"}),
            "seal": STRING,
            "listed": BOOLEAN,
            "opened": STRING,
            "updated": STRING,
            "assisted": BOOLEAN,
            "imported": _or_null({"$ref": "#/components/schemas/Imported"}),
        },
        "A match as you may know it. All fields are always there.",
    ),
    "Seat": _object(
        {
            "seat": INTEGER,
            "kind": {"enum": ["open", "invite", "person", "bot", "remote"]},
            "name": STRING,
            "bot": _or_null(STRING),
            "caretaker": BOOLEAN,
            "substitute": BOOLEAN,
            "resigned": BOOLEAN,
            "imported": BOOLEAN,
            "parts": {"type": "array", "maxItems": 20, "items": {"$ref": "#/components/schemas/Part"}},
        },
        "A place at the table and who holds it.",
    ),
    **TABLE_SCHEMAS,
    "Result": _object(
        {
            "scores": {"type": "array", "items": INTEGER},
            "places": {"type": "array", "items": INTEGER},
            "winners": SEATS,
            "breakdown": {"type": "array", "items": {"type": "array", "items": OBJECT}},
            "how": STRING,
        },
        "How a match ended; lists go by seat.",
    ),
    "Event": _object(
        {"v": INTEGER, "match": STRING, "seq": INTEGER, "at": STRING, "kind": STRING, "by": STRING,
         "prev": STRING, "hash": STRING},
        "One entry of the log as you may read it, with its hash; further fields go by `kind`.",
    ),
}  # fmt: skip
