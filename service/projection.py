"""What lists show of a match: a projection of its log, put into the read model by the relay."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from engine.log import Match
from infra.readmodel import Summary, Turn


def summary(match: Match, deadlines: Mapping[int, float] | None = None) -> Summary:
    """`deadlines` by seat, in seconds since 1970."""
    return Summary(
        match=match.id,
        seq=match.seq,
        game=match.game,
        status=match.status,
        listed=match.listed,
        opened=_ms(match.opened),
        updated=_ms(match.updated),
        seats=[_seat(chair) for chair in match.chairs],
        accounts=_accounts(match),
        turns=_turns(match, deadlines or {}),
        result=None if match.result is None else msgspec.to_builtins(match.result),
    )


def _ms(stamp: str) -> int:
    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


def _seat(chair: Any) -> dict[str, Any]:
    holder = chair.owner or chair.holder
    if holder is None:
        return {"kind": chair.place.kind}
    return {"kind": holder.kind, "id": holder.id}


def _people(match: Match) -> dict[int, str]:
    """Who plays now, by seat."""
    people = {}
    for seat in match.people:
        holder = match.chairs[seat].holder
        assert holder is not None
        people[seat] = holder.id
    return people


def _accounts(match: Match) -> list[str]:
    """Everybody for whom this match is one of their own: also who left a seat to somebody else."""
    owners = {chair.owner.id for chair in match.chairs if chair.owner is not None}
    return sorted({match.creator, *owners, *_people(match).values()})


def _turns(match: Match, deadlines: Mapping[int, float]) -> list[Turn]:
    people = _people(match)
    return [
        Turn(account=people[seat], seat=seat, since=match.since[seat], deadline=_deadline(deadlines, seat))
        for seat in match.to_act
        if seat in people
    ]


def _deadline(deadlines: Mapping[int, float], seat: int) -> int | None:
    return round(deadlines[seat] * 1000) if seat in deadlines else None
