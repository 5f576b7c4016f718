"""What the OpenAPI document says of clocks, tenure, undo and agreements."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

STRING, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
SEATS: Json = {"type": "array", "items": INTEGER}


def described(properties: Json, about: str, optional: Json | None = None) -> Json:
    return {
        "type": "object",
        "description": about,
        "required": list(properties),
        "properties": {**properties, **(optional or {})},
    }


TABLE_SCHEMAS: Json = {
    "Clock": described(
        {
            "kind": {"enum": ["per_move", "bank"]},
            "seconds": INTEGER,
            "timeout": {"enum": ["caretaker", "resign", "wait"]},
            "paused": BOOLEAN,
            "deadlines": {"type": "object", "additionalProperties": STRING},
        },
        "The policy, and by seat that is waited for when its time is up.",
        {
            "increment": INTEGER,
            "cap": {"anyOf": [INTEGER, {"type": "null"}]},
            "banks": {"type": "object", "additionalProperties": INTEGER},
        },
    ),
    "Undo": described(
        {"to": INTEGER, "first": INTEGER},
        "What you may take back without asking: to the position after `to`, or as far as after `first`.",
    ),
    "Asked": described(
        {"seat": INTEGER, "to": INTEGER, "waiting": SEATS},
        "A seat asks to take back everything after `to`; these seats have not answered.",
    ),
    "Hint": described(
        {"asked": {"anyOf": [INTEGER, {"type": "null"}]}},
        "You may ask what a bot would do in your place; `asked`: the event that did.",
    ),
    "Agreed": described(
        {"pause": SEATS, "abandon": SEATS, "paused": BOOLEAN, "stoppable": BOOLEAN},
        "Who agrees to what; done when all people do. "
        "`stoppable`: you opened this table of bots, and `abandon` ends it.",
    ),
    "Draw": described(
        {"seq": INTEGER, "n": INTEGER, "outcomes": INTEGER, "chosen": INTEGER, "outcome": {}},
        "Draw `n`, made in event `seq`: outcome number `chosen` of so many, equally likely unless weighted.",
        {"weights": SEATS},
    ),
    "Draws": described(
        {
            "draws": {"type": "array", "items": {"$ref": "#/components/schemas/Draw"}},
            "problem": {
                "anyOf": [
                    described({"seq": INTEGER, "detail": STRING}, "an event whose draws cannot be told"),
                    {"type": "null"},
                ]
            },
        },
        "What chance did in a finished match: with the opened seed every number can be computed again.",
    ),
    "Imported": described(
        {
            "by": STRING,
            "at": STRING,
            "signed": {"enum": ["trusted", "unknown", "nobody"]},
            "server": {"anyOf": [STRING, {"type": "null"}]},
        },
        "It was played elsewhere: who brought it here, and who signed its log.",
    ),
    "Next": described(
        {
            "match": STRING,
            "game": STRING,
            "seat": INTEGER,
            "deadline": {"anyOf": [STRING, {"type": "null"}]},
        },
        "In answers to commands: where you are waited for next. Not part of the repeated answer.",
    ),
    "Away": described(
        {
            "kind": {"enum": ["away"]},
            "match": STRING,
            "game": STRING,
            "seat": INTEGER,
            "seq": INTEGER,
            "why": STRING,
        },
        "A caretaker plays for a remote bot since event `seq`; it has the seat back once it is heard again.",
    ),
    "Turn": described(
        {
            "kind": {"enum": ["turn"]},
            "match": STRING,
            "game": STRING,
            "version": INTEGER,
            "seat": INTEGER,
            "seq": INTEGER,
            "deadline": {"anyOf": [STRING, {"type": "null"}]},
            "view": {"$ref": "#/components/schemas/View"},
            "legal": {"type": "array", "items": {"$ref": "#/components/schemas/Action"}},
            "since": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
        },
        "A remote bot is asked: what its seat may know and do, and what it has not been told yet.",
    ),
    "Part": described(
        {"from": INTEGER, "kind": {"enum": ["person", "bot", "remote"]}, "name": STRING, "why": STRING},
        "Who played a seat from this event on, and why it changed hands.",
    ),
}
