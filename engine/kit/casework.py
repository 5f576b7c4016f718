"""What every scenario.py needs to run rule cases: strict keys, actions one by one, readable differences."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine import codec
from engine.game import AnyGame, Illegal, Pick, play

REMARKS = frozenset(
    "name note why derivation crosscheck cross_check checked optional uses_default_data rule_ids kind".split()
)


class CaseError(Exception):
    """The case itself cannot be run: an unknown key, a value of the wrong kind."""


def only(what: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    """A key that the runner does not know is an error, never silently passed over."""
    unknown = sorted(set(given) - set(known) - REMARKS)
    if unknown:
        raise CaseError(f"{what}: unknown {', '.join(unknown)}")


def facts(expect: Mapping[str, Any]) -> dict[str, Any]:
    """What is expected, without the remarks."""
    return {key: want for key, want in expect.items() if key not in REMARKS}


def bare(value: Any) -> Any:
    """The same without remarks at any depth; `kind` is a real key of some things, so it stays."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if key == "kind" or key not in REMARKS}
    return [bare(one) for one in value] if isinstance(value, list) else value


def act_all(
    game: AnyGame, state: Any, steps: Sequence[Mapping[str, Any]], error: str | None, pick: Pick
) -> tuple[Any, list[str]]:
    """Every action must be accepted; the last one must be refused if the case says so."""
    problems: list[str] = []
    if error and not steps:
        raise CaseError("an error is expected but nothing is done")
    for number, step in enumerate(steps, 1):
        only(f"do {number}", step, ("seat", "action"))
        wanted = error if number == len(steps) else None
        state, got = _act(game, state, step, pick)
        problems += differ(f"do {number}", got or "accepted", wanted or "accepted")
    return state, problems


def _act(game: AnyGame, state: Any, step: Mapping[str, Any], pick: Pick) -> tuple[Any, str | None]:
    try:
        action = game.parse(state, step["seat"], step["action"])
        return play(game, state, step["seat"], action, pick)[0], None
    except Illegal as refusal:
        return state, refusal.code


def differ(what: str, got: Any, want: Any) -> list[str]:
    """A list with one readable line if the two differ, else none."""
    return [] if got == want else [f"{what}: got {got!r}, expected {want!r}"]


def bag(items: Iterable[Any]) -> list[Any]:
    """Order does not matter, nor that of keys: something comparable for a multiset of JSON values."""
    return sorted(items, key=codec.encode)
