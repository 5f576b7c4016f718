"""From the wire to an action: shape only; what the rules say comes later, in `decide`."""

from typing import Any, TypeVar, get_args

import msgspec

from engine.game import Illegal

T = TypeVar("T")


def parse(kinds: Any, raw: Any) -> Any:
    """An action of one of these struct types, or Illegal: `malformed`, `unknown_action`.

    Unknown fields, missing fields and wrong types are all malformed; nothing is converted.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
        raise Illegal("malformed")
    if raw["type"] not in tags(kinds):
        raise Illegal("unknown_action", type=raw["type"][:40])
    try:
        return msgspec.convert(raw, kinds)
    except msgspec.ValidationError as problem:
        raise Illegal("malformed", detail=str(problem)) from None


def tags(kinds: Any) -> set[str]:
    """The wire names of a union of structs."""
    return {kind.__struct_config__.tag for kind in get_args(kinds) or (kinds,)}
