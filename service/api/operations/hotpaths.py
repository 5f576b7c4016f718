"""What the OpenAPI document says of the routes that work on bytes."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

MATCH: Json = {
    "description": "the match as you may know it",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Match"}}},
}
EVENTS: Json = {
    "description": "one event a line",
    "content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Event"}}},
}


def _query(name: str, kind: str, about: str) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": {"type": kind}, "description": about}


def _header(name: str, about: str) -> Json:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": about,
    }


ID: Json = {"name": "match", "in": "path", "required": True, "schema": {"type": "string"}}
INVITE = _query("invite", "string", "the code of an invitation, for matches that are not listed")
LEGAL = _query("legal", "integer", "0 leaves `legal` and `labels` empty")
LABELS = _query("labels", "integer", "0 leaves `labels` empty")
AFTER = _query("after", "integer", "only events with a seq above this")


def _operation(name: str, summary: str, parameters: list[Json], responses: Json, **more: Any) -> Json:
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["play"],
        "parameters": [ID, *parameters],
        "responses": responses,
        **more,
    }


ACT = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["seq", "action"],
                "additionalProperties": False,
                "properties": {
                    "seq": {"type": "integer", "minimum": 0, "description": "of the match you looked at"},
                    "action": {"$ref": "#/components/schemas/Action"},
                },
            }
        }
    },
}

LINES: Json = {
    "description": "one message a line: turns, `seated`, `away`, `over`; an empty line every 7 s",
    "content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Turn"}}},
}
ITEMS: Json = {
    "description": "the open turns",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["items", "away"],
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Turn"}},
                    "away": {"type": "array", "items": {"$ref": "#/components/schemas/Away"}},
                },
            }
        }
    },
}


def _bots_own(name: str, summary: str, parameters: list[Json], answer: Json) -> Json:
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["bots"],
        "parameters": parameters,
        "responses": {"200": answer},
    }


PATHS: Json = {
    "/api/bot/stream": {
        "get": _bots_own("bot_stream", "A remote bot's turns as they arise (the bot's own token)", [], LINES)
    },
    "/api/bot/turns": {
        "get": _bots_own(
            "bot_turns",
            "A remote bot's open turns (the bot's own token)",
            [_query("wait", "integer", "seconds to wait for one; at most 60")],
            ITEMS,
        )
    },
    "/api/matches/{match}": {
        "get": _operation(
            "look",
            "A match now, or at a past moment",
            [
                _query("at", "integer", "as it was after that event; such answers never change"),
                _query("open", "integer", "1 shows every seat's view once the match has ended"),
                LEGAL,
                LABELS,
                INVITE,
            ],
            {"200": MATCH},
        )
    },
    "/api/matches/{match}/actions": {
        "post": _operation(
            "act",
            "Act; the same Idempotency-Key gets the first answer again",
            [_header("Idempotency-Key", "your own id of this command; not `stand-in-…`"), LEGAL, LABELS],
            {"200": MATCH},
            requestBody=ACT,
        )
    },
    "/api/matches/{match}/events": {
        "get": _operation(
            "events",
            "Events of the log",
            [
                AFTER,
                _query("limit", "integer", "at most 1000; more is cut to that"),
                _query("text", "integer", "1 adds `text`: what happened, in sentences of your language"),
                INVITE,
            ],
            {"200": EVENTS},
        )
    },
    "/api/matches/{match}/stream": {
        "get": _operation(
            "stream",
            "Server-sent events; id = seq, data = the event. What is said: `event: chat`, without an id",
            [AFTER, _header("Last-Event-ID", "resumes without a gap"), INVITE],
            {
                "200": {"description": "events as they happen", "content": {"text/event-stream": {}}},
                "204": {"description": "the match is over and you have everything"},
            },
        )
    },
    "/api/matches/{match}/views": {
        "get": _operation(
            "views",
            "The position after every event, as you knew it then: one line each, in one answer",
            [AFTER, _query("limit", "integer", "at most 1000 events; more is cut to that"), INVITE],
            {
                "200": {
                    "description": "`{seq, view}`, one a line",
                    "content": {"application/x-ndjson": {"schema": {"type": "object"}}},
                }
            },
        )
    },
    "/api/matches/{match}/log": {
        "get": _operation(
            "log",
            "The log as a file: complete and verifiable once the match has ended, marked redacted before",
            [INVITE],
            {"200": EVENTS},
        )
    },
}
