"""What a board gets of its game, as types for its script: `ui/view.d.ts`, from the schema of the view."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import codec, registry

NOTE = "// Written by `make docs` from the game's own View; whoever changes that writes it anew.\n"
PLAIN = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, any>",
}
Schema = Mapping[str, Any]


def types(key: str) -> str:
    """The file for a game."""
    schema = codec.schema(registry.game(key).View)
    parts = "\n".join(_interface(name, one) for name, one in schema["$defs"].items())
    return f"{NOTE}\n{parts}"


def _interface(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    must = schema.get("required", ())  # the others may be left out where they are as usual
    fields = "".join(
        f"  {field}{'' if field in must else '?'}: {_type(one)};\n"
        for field, one in schema["properties"].items()
    )
    return f"export interface {name} {{\n{fields}}}\n"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"({_type(schema.get('items') or {})})[]"
    more = schema.get("additionalProperties")
    if isinstance(more, Mapping):
        return f"Record<string, {_type(more)}>"
    return PLAIN.get(str(schema.get("type")), "any")


def files() -> Iterator[tuple[Path, str]]:
    """Every game with a board of its own: where its types lie, and what they are."""
    for key in registry.GAMES:
        folder = Path(registry.part(key, "").__path__[0]) / "ui"
        if (folder / "board.js").exists():
            yield folder / "view.d.ts", types(key)


def write() -> list[str]:
    """Write what has changed; returns which."""
    changed = [(path, text) for path, text in files() if not path.exists() or path.read_text() != text]
    for path, text in changed:
        path.write_text(text, encoding="utf-8")
    return [str(path) for path, _ in changed]
