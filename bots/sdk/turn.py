"""A turn as it arrives: what the seat sees and what it may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

Action = dict[str, Any]


class BadMessage(ValueError):
    """A message does not have the shape that the contract promises."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision. Fields that are not listed here are ignored, so that the contract may grow."""

    match: str
    game: str
    version: int
    seat: int
    seq: int
    deadline: str | None
    view: dict[str, Any]
    legal: list[Action]
    since: list[dict[str, Any]]
    secret: str = field(default="", repr=False)  # seeds `random`: the rest of the seed is no secret

    @classmethod
    def from_json(cls, raw: Mapping[str, Any], secret: str = "") -> "Turn":
        """Checks what a bot relies on: the identity of the turn and a choice to make."""
        for name, kind in (("match", str), ("seat", int), ("seq", int), ("legal", list)):
            if not isinstance(raw.get(name), kind):
                raise BadMessage(f"a turn without {name}")
        if not raw["legal"]:
            raise BadMessage("a turn without a legal action")
        return cls(
            match=raw["match"],
            game=str(raw.get("game", "")),
            version=int(raw.get("version", 1)),
            seat=raw["seat"],
            seq=raw["seq"],
            deadline=raw.get("deadline"),
            view=raw.get("view") or {},
            legal=raw["legal"],
            since=raw.get("since") or [],
            secret=secret,
        )

    @property
    def key(self) -> str:
        """The turn's identity: the same however often, and over whichever connection, it is delivered."""
        return f"turn:{self.match}:{self.seat}:{self.seq}"

    @property
    def random(self) -> Random:
        """A generator that falls alike for the same turn: a bot that uses it answers a repeat alike."""
        return Random(f"{self.secret} {self.key}")
