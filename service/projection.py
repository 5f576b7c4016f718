"""What lists show of a match: a projection of its log, put into the read model by the relay."""

from datetime import datetime
from typing import Any

import msgspec

from engine.log import Match
from infra.readmodel import Summary, Turn


def summary(match: Match) -> Summary:
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
        turns=_turns(match),
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
    people = {}
    for seat, chair in enumerate(match.chairs):
        holder = chair.owner or chair.holder
        if holder is not None and holder.kind == "person":
            people[seat] = holder.id
    return people


def _accounts(match: Match) -> list[str]:
    return sorted({match.creator, *_people(match).values()})


def _turns(match: Match) -> list[Turn]:
    people = _people(match)
    return [
        Turn(account=people[seat], seat=seat, since=match.since[seat], deadline=None)
        for seat in match.to_act
        if seat in people and match.chairs[seat].owner is None
    ]
