"""What a forger could do to a log: change any field of any event, and make the chain fit again.

Fields are enumerated from the events' own types, so that a new one is forged without being named here.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import inspect

from engine import chance, codec
from engine.events import PLAIN, Acted, Started

Json = dict[str, Any]
Path = tuple[str | int, ...]
OPAQUE = ("options", "clock", "facts", "action", "state")  # what is inside is the game's or the clock's own
ANOTHER_TIME = "2026-02-03T04:05:06.789Z"
MAX_LEAVES = 4  # leaves of one fact, action, position or set of options


class Forgery(NamedTuple):
    """One changed value: `field` as in the types, with [] for every place in a list."""

    kind: str
    field: str
    seq: int
    value: Any
    lines: list[bytes]


def fields() -> frozenset[str]:
    """Every field of every kind of event, down to the last one inside."""
    found: set[str] = set()
    for kind in (*get_args(PLAIN), Started, Acted):
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        found |= {f"{info.tag}.{path}" for path in _paths(info)}
    return frozenset(found)


def _paths(info: inspect.StructType) -> Iterator[str]:
    for field in info.fields:
        below = [] if field.encode_name in OPAQUE else _below(field.type)
        yield from (f"{field.encode_name}{path}" for path in below or [""])


def _below(info: inspect.Type) -> list[str]:
    """The paths inside a value; none if there is nothing inside."""
    match info:
        case inspect.StructType():
            return [f".{path}" for path in _paths(info)]
        case inspect.VarTupleType(item_type=item):
            return [f"[]{path}" for path in _below(item) or [""]]
        case _:
            return []


def forgeries(lines: Sequence[bytes], rng: Random, events: int) -> Iterator[Forgery]:
    """Every field of up to so many events of each kind, each with a few other values."""
    log = [codec.decode(line) for line in lines]
    pool = _pool(log)
    for number in sorted(_sample(log, rng, events)):
        for path, value in _changes(log[number], pool, rng):
            forged = deepcopy(log)
            _put(forged[number], path, value)
            kind = log[number]["kind"]
            yield Forgery(
                kind,
                _name(path),
                number + 1,
                value,
                rehashed(_resealed(forged, number, path), path == ("prev",) and number),
            )


def _sample(log: Sequence[Json], rng: Random, events: int) -> Iterator[int]:
    for kind in dict.fromkeys(event["kind"] for event in log):
        those = [n for n, event in enumerate(log) if event["kind"] == kind]
        yield from rng.sample(those, min(events, len(those)))


def _pool(log: Sequence[Json]) -> dict[str, list[Any]]:
    """Values that honest events of this log have, by the name of their field."""
    pool: dict[str, list[Any]] = {"seat": [0, 1], "cmd": ["a command"], "by": ["system", "account:mallory"]}
    for event in log:
        for name, value in event.items():
            if isinstance(value, (str, int)) and value not in pool.setdefault(name, []):
                pool[name].append(value)
    return pool


def _changes(event: Json, pool: dict[str, list[Any]], rng: Random) -> Iterator[tuple[Path, Any]]:
    wanted = [path.partition(".")[2] for path in fields() if path.partition(".")[0] == event["kind"]]
    for name in sorted({path.split(".")[0].removesuffix("[]") for path in wanted}):
        if name in event:
            yield from _leaves((name,), event[name], pool, rng)
        else:
            for value in _added(event["kind"], name, pool, rng):
                yield (name,), value


def _leaves(path: Path, value: Any, pool: dict[str, list[Any]], rng: Random) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, (list, dict)):
        inside = list(enumerate(value) if isinstance(value, list) else value.items())
        for key, below in rng.sample(inside, min(MAX_LEAVES, len(inside))):
            yield from _leaves((*path, key), below, pool, rng)
    for other in _others(path, value, pool, rng):
        yield path, other


def _others(path: Path, value: Any, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    known = [other for other in pool.get(str(path[-1]), []) if other != value]
    if path == ("at",):
        return [ANOTHER_TIME, f"{value}x"]
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1]
        case str():
            return [f"{value}x", *rng.sample(known, min(3, len(known))), *_literals(path, value)]
        case list():
            return [other for other in (value[:-1], value[::-1], [*value, *value[-1:]]) if other != value]
        case None:
            return [1]
        case _:
            return []


def _literals(path: Path, value: str) -> list[str]:
    """Names that the types allow in such a place."""
    if path[-1] == "kind":
        return [kind for kind in ("open", "invite", "person", "bot", "remote") if kind != value]
    if path[-1] in ("what", "how", "why"):
        told = ("pause", "abandon", "played", "resigned", "timed_out", "abandoned", "left", "substitute")
        return [what for what in told if what != value]
    return []


def _added(kind: str, name: str, pool: dict[str, list[Any]], rng: Random) -> list[Any]:
    """Values for a field that has its default."""
    (info,) = [t for t in (*get_args(PLAIN), Started, Acted) if t.__struct_config__.tag == kind]
    default = next(f.default for f in msgspec.structs.fields(info) if f.name == name)
    match default:
        case bool():
            return [not default]
        case int():
            return [default + 1]
        case str():
            return ["00" * 16, "x"]
        case _:
            known = [*pool.get(name, []), *([{"kind": "per_move", "seconds": 60}] if name == "clock" else [])]
            return rng.sample(known, min(3, len(known)))


def _put(event: Json, path: Path, value: Any) -> None:
    inside: Any = event
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value


def _name(path: Path) -> str:
    name = "".join("[]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")
    top = name.split(".")[0].split("[")[0]
    return top if top in OPAQUE else name


def _resealed(log: list[Json], number: int, path: Path) -> list[Json]:
    """Another seed wants another seal, other salts, and to be the one that the end shows."""
    event = log[number]
    if path != ("seed",) or event["kind"] == "finished" or not _is_hex(event["seed"]):
        return log
    seed = bytes.fromhex(event["seed"])
    event["seal"] = chance.seal(seed)
    for later in log[number:]:
        later["salt"] = chance.salt(seed, later["seq"])
        if later["kind"] == "finished":
            later["seed"] = seed.hex()
    return log


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and set(text) <= set("0123456789abcdef") and bool(text)


def rehashed(log: Sequence[Json], but: int | bool = False) -> list[bytes]:
    """The events with a chain that fits, `but` for the event whose `prev` itself is forged."""
    made: list[bytes] = []
    for number, event in enumerate(log):
        prev = codec.digest(made[-1]) if made else codec.ZERO
        as_it_is = but is not False and number == but
        made.append(codec.encode(event if as_it_is else {**event, "prev": prev}))
    return made
