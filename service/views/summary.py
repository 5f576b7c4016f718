"""What lists show of a match: a projection of its log, put into the read model by the relay."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from engine.log import Match
from infra.store.readmodel import Summary, WaitingTurn
from service.memory.origins import is_as_it_came, is_foreign


def summary(
    match: Match, deadlines: Mapping[int, float] | None = None, starts: Mapping[int, float] | None = None
) -> Summary:
    """`deadlines` and `starts` of turns by seat, in seconds since 1970."""
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
        turns=_turns(match, deadlines or {}, starts or {}),
        result=None if match.result is None else msgspec.to_builtins(match.result),
    )


def _ms(stamp: str) -> int:
    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


def _seat(chair: Any) -> dict[str, Any]:
    holder = chair.owner or chair.holder
    if holder is None:
        return {"kind": chair.place.kind}
    return {"kind": holder.kind, "id": holder.id}


def _players(match: Match) -> dict[int, str]:
    """Accounts that play now, by seat: people and remote bots."""
    chairs = enumerate(match.chairs)
    return {
        seat: chair.holder.id
        for seat, chair in chairs
        if chair.holder is not None and chair.holder.kind != "bot" and not is_foreign(chair.holder.id)
    }


def _accounts(match: Match) -> list[str]:
    """Everybody for whom this match is one of their own: also who left a seat to somebody else."""
    owners = {chair.owner.id for chair in match.chairs if chair.owner is not None}
    everybody = {match.creator, *owners, *_players(match).values()}
    if match.imported is not None and match.imported.signed != "here" and is_as_it_came(match):
        return []  # who imported it knows its address; nobody here has played it
    return sorted(everybody)


def _turns(match: Match, deadlines: Mapping[int, float], starts: Mapping[int, float]) -> list[WaitingTurn]:
    players = _players(match)
    return [
        WaitingTurn(
            account=players[seat],
            seat=seat,
            since=match.since[seat],
            deadline=_moment(deadlines, seat),
            start=_moment(starts, seat) or 0,
        )
        for seat in match.to_act
        if seat in players
    ]


def _moment(moments: Mapping[int, float], seat: int) -> int | None:
    return round(moments[seat] * 1000) if seat in moments else None
