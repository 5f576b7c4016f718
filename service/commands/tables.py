"""Tables: open one, sit down, get up, take it away."""

import secrets
from typing import Any

import msgspec

from engine import registry, table
from engine.events import Holder
from engine.game import Illegal
from engine.kit.text import LANGS
from engine.match import Match
from engine.policy import InvalidClock, read_policy
from engine.table import LogWriter, NewTable
from service.basics.errors import Problem
from service.bootstrap import Deps, Process, Tables
from service.commands import blocks, seating, tenures
from service.commands.append import append, on_table, refusals
from service.commands.records import Cancel, Join, Leave, OpenMatch, Sit
from service.commands.restraint import check_early
from service.views.access import enterable, invited, readable


async def open_match(deps: Deps, command: OpenMatch) -> Match:
    """A new table; it starts at once if everybody is there already."""
    game = _game(command.game)
    options = _options(game, command.options)
    seats = list(command.seats)
    if command.shuffle:
        secrets.SystemRandom().shuffle(seats)
    placed = await seating.places(deps, seats, command.who, game.key, command.listed)
    places, holders = zip(*placed, strict=True) if seats else ((), ())
    if sum(seat.get("kind") == "me" for seat in seats) > 1:
        raise Problem("already_seated")
    check_clock(command.clock)
    writer = LogWriter(None, deps.at(), command.who)
    with refusals():
        _check_options(game, len(places), options)
        new = NewTable(deps.new_id(), places, holders, deps.new_seed(), command.listed, command.clock)
        table.open_match(writer, game.key, options, new)
    await append(deps, None, writer)
    return writer.match


def check_clock(raw: dict[str, Any] | None) -> None:
    try:
        read_policy(raw)
    except InvalidClock as problem:
        raise Problem("bad_clock", detail=str(problem)) from None


def _game(key: str) -> Any:
    try:
        return registry.game(key)
    except registry.UnknownGame:
        raise Problem("unknown_game", game=key[:40]) from None


def _options(game: Any, raw: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(raw, game.Options)
    except msgspec.ValidationError as problem:
        raise Problem("bad_options", detail=f"{problem}.") from None


def _check_options(game: Any, seats: int, options: Any) -> None:
    """Options that do not go together are refused in the game's own words."""
    if seats not in game.players:
        return  # the table says that better
    try:
        game.start(seats, options)
    except Illegal as refusal:
        said = {lang: game.words.refusal(refusal.code, refusal.params, lang) for lang in LANGS}
        raise Problem("bad_options", {"reason": refusal.code}, detail=said) from None


async def sit(deps: Deps, command: Sit) -> Match:
    """Sit down; the last one to do so starts the match. Later: return, or step in for somebody."""
    match = await enterable(deps, command.match, command.who, command.invite)
    if match.status == "running" and _is_held(match, command.seat):
        return await tenures.take(deps, match, command)
    _check_invitation(deps, match, command.seat, command)
    await blocks.check(deps, match, command.who)
    holder = Holder("person", command.who)

    def write(writer: LogWriter) -> None:
        check_early(writer.match, command.who)
        table.sit(writer, command.seat, holder, command.nonce)

    return await on_table(deps, command.match, command.who, write)


def _is_held(match: Match, seat: int) -> bool:
    return 0 <= seat < len(match.chairs) and match.chairs[seat].holder is not None


def _check_invitation(deps: Process, match: Match, seat: int, command: Sit) -> None:
    places = [chair.place.kind for chair in match.chairs]
    by_invitation = 0 <= seat < len(places) and places[seat] == "invite"
    if by_invitation and match.creator != command.who and not invited(deps, match.id, command.invite):
        raise Problem("wrong_invite")


async def join(deps: Deps, command: Join) -> Match:
    """Take the first seat that is free for this person: what an invitation's link does."""
    match = await enterable(deps, command.match, command.who, command.invite)
    if match.seat_of(command.who) is not None:
        raise Problem("already_seated")
    if match.status != "open":
        raise Problem("not_open")
    may = {"open"} | ({"invite"} if invited(deps, match.id, command.invite) else set())
    for seat, chair in enumerate(match.chairs):
        if chair.holder is None and chair.place.kind in may:
            try:
                return await sit(deps, _sitting(command, seat))
            except Problem as refusal:
                if refusal.code != "seat_taken":  # somebody was faster: the next one
                    raise
    raise Problem("no_free_seat")


def _sitting(command: Join, seat: int) -> Sit:
    return Sit(who=command.who, match=command.match, seat=seat, invite=command.invite, nonce=command.nonce)


async def leave(deps: Tables, command: Leave) -> Match:
    """Get up before the start, resign after it."""
    await readable(deps, command.match, command.who)
    return await on_table(
        deps, command.match, command.who, lambda writer: table.leave(writer, command.seat, command.who)
    )


async def cancel(deps: Tables, command: Cancel) -> Match:
    """Take an open table away."""
    await readable(deps, command.match, command.who)
    return await on_table(deps, command.match, command.who, lambda writer: table.cancel(writer, command.who))
