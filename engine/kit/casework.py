"""What every scenario.py needs to run rule cases: strict keys and readable differences."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine import codec

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


def differ(what: str, got: Any, want: Any) -> list[str]:
    """A list with one readable line if the two differ, else none."""
    return [] if got == want else [f"{what}: got {got!r}, expected {want!r}"]


def bag(items: Iterable[Any]) -> list[Any]:
    """Order does not matter, nor that of keys: something comparable for a multiset of JSON values."""
    return sorted(items, key=codec.encode)
