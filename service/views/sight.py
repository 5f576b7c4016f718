"""The single exit: nothing of a match leaves the server except through here.

A caller is a seat, or a spectator. States never come near this module's answers: views, legal actions,
labels and redacted events do.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from engine import accord, codec, events, undo
from engine import advice as advising
from engine.events import Holder
from engine.game import CHANCE, AnyGame, Lang, may_act
from engine.log import BadLog, Chair, Match, steps
from engine.proof.draws import Draw, draws
from engine.proof.verify import closing
from infra.store.chat import Message
from service.basics.stamps import at
from service.memory.origins import dressed, is_foreign

# A mapping that was just made and the same one read from the log differ in order; an answer must not.
encode = msgspec.json.Encoder(order="deterministic").encode


class Caller(NamedTuple):
    """Who asks: an account or a bot, and the language it reads."""

    who: str | None
    lang: Lang = "en"


class Shown(NamedTuple):
    """What of a match the caller asked to see."""

    legal: bool = True
    labels: bool = True
    past: bool = False  # a moment that is over: nothing can be done in it
    open: bool = False  # every seat's view, which is shown only once the match has ended


class Extras(NamedTuple):
    """What an answer tells that is not in the match's own log: the caller looked it up."""

    clock: dict[str, Any] | None = None
    next: dict[str, Any] | None = None
    rematch: str | None = None
    parts: Sequence[Sequence[dict[str, Any]]] = ()
    share: str | None = None
    imported: dict[str, Any] | None = None


NOW = Shown()
NO_EXTRAS = Extras()


def match_answer(
    match: Match,
    caller: Caller,
    names: Sequence[str],
    shown: Shown = NOW,
    invite: str | None = None,
    now: Match | None = None,
    beside: Extras = NO_EXTRAS,
) -> dict[str, Any]:
    """A match as its caller may know it. All fields are always there.

    Everything follows from the log up to this event, so that the same moment always reads the same; only
    whether it may be opened (`shown.open`) asks what became of the match (`now`), and what is `beside` it.
    """
    seat = match.seat_of(caller.who)
    rules = match.rules
    view = None if match.state is None else rules.view(match.state, seat)
    legal, labels = _legal(match, rules, seat, view, caller.lang, shown)
    answer = {
        "id": match.id,
        "game": match.game,
        "version": match.version,
        "options": match.options,
        "status": match.status,
        "seq": match.seq,
        "seats": [
            {**_seat(n, chair, names[n]), "parts": beside.parts[n] if beside.parts else []}
            for n, chair in enumerate(match.chairs)
        ],
        "to_act": match.to_act,
        "may_act": [] if match.status != "running" else may_act(rules, match.state, len(match.chairs)),
        "you": seat,
        "view": view,
        "legal": legal,
        "labels": labels,
        "clock": beside.clock,
        "undo": None if shown.past else _undo(match, seat),
        "asked": None if shown.past else _asked(match),
        "hint": None if shown.past else _hint(match, seat),
        "agreed": _agreed(match, None if shown.past else caller.who),
        "next": beside.next,
        "rematch": beside.rematch,
        "invite": invite,
        "share": beside.share,
        "result": _result(match, caller.lang),
        "seal": match.seal,
        "listed": match.listed,
        "opened": match.opened,
        "updated": match.updated,
        "assisted": match.assisted,
        "imported": beside.imported,
    }
    if shown.open and (now or match).status == "finished" and match.state is not None:
        answer["views"] = [rules.view(match.state, n) for n in range(len(match.chairs))]
    return answer


def _seat(number: int, chair: Chair, name: str) -> dict[str, Any]:
    holder = chair.holder
    return {
        "seat": number,
        "kind": chair.place.kind if holder is None else holder.kind,
        "name": name,
        "bot": _bot(holder, name),
        "caretaker": chair.owner is not None and holder is not None and holder.kind == "bot",
        "substitute": chair.owner is not None and holder is not None and holder.kind != "bot",
        "resigned": chair.resigned,
        "imported": holder is not None and is_foreign(holder.id),
    }


def _bot(holder: Holder | None, name: str) -> str | None:
    """A remote bot is known by its name; its id is its account's, like a person's."""
    if holder is None or holder.kind == "person":
        return None
    return name if holder.kind == "remote" else holder.id


def _undo(match: Match, seat: int | None) -> dict[str, Any] | None:
    """What the caller may take back without asking: one action, or as far as `first`."""
    free = undo.free_to(match, seat)
    return None if free is None else {"to": free[0], "first": free[1]}


def _asked(match: Match) -> dict[str, Any] | None:
    """Who asks to take something back, and whose answer is missing."""
    if match.ask is None:
        return None
    return {"seat": match.ask.seat, "to": match.ask.to, "waiting": undo.waited_for(match)}


def _hint(match: Match, seat: int | None) -> dict[str, Any] | None:
    """Whether the caller may ask what a bot would do, and the event that did."""
    asked = match.advice is not None and match.advice[0] == seat
    may = advising.may_ask(match, seat)
    return {"asked": match.advice[1] if asked and match.advice else None} if may else None


def _agreed(match: Match, who: str | None) -> dict[str, Any]:
    votes = {what: [seat for seat, given in match.votes if given == what] for what in ("pause", "abandon")}
    return {**votes, "paused": match.paused, "stoppable": accord.may_stop(match, who)}


def _legal(
    match: Match, rules: AnyGame, seat: int | None, view: Any, lang: Lang, shown: Shown
) -> tuple[Sequence[Any], Sequence[str]]:
    if seat is None or match.status != "running" or shown.past or not shown.legal:
        return [], []
    legal = list(rules.legal(match.state, seat))  # a game may make them one by one
    labels = [rules.words.label(action, view, lang) for action in legal] if shown.labels else []
    return legal, labels


def _result(match: Match, lang: Lang) -> dict[str, Any] | None:
    if match.result is None:
        return None
    result: dict[str, Any] = msgspec.to_builtins(match.result)
    for lines in result["breakdown"]:
        for line in lines:
            line["text"] = match.rules.words.line(line["what"], lang)
    return result


def outlook(match: Match, seat: int, facts: Sequence[Any]) -> dict[str, Any]:
    """The caller's view after these facts of an action that nobody has taken.

    It ends before the first fact that would reveal anything, and chance is never asked: what comes of a
    hidden thing or of a draw is `open`, whatever it would be.
    """
    rules, state = match.rules, match.state
    for fact in facts:
        if rules.reveals(fact):
            return {"view": rules.view(state, seat), "open": True}
        state = rules.evolve(state, fact)
    return {"view": rules.view(state, seat), "open": CHANCE in rules.to_act(state)}


def advice(match: Match, seat: int, kept: bytes, lang: Lang) -> dict[str, Any]:
    """What a bot advised a seat, with words for each of its actions as that seat sees them."""
    told: dict[str, Any] = msgspec.json.decode(kept)
    rules = match.rules
    view = rules.view(match.state, seat)
    for offer in told["offers"]:
        action = rules.parse(match.state, seat, offer["action"])
        offer["label"] = rules.words.label(action, view, lang)
    return told


def event_line(match: Match, line: bytes, caller: Caller) -> bytes:
    """One event as the caller may read it, as a line of JSON without its newline."""
    return codec.encode(_seen(match, line, caller))


def event_for(match: Match, line: bytes, seat: int | None) -> bytes:
    """The same for a seat, or for everybody who has none: all of them read the same bytes."""
    return codec.encode(seen_by(match, line, seat))


def event_text(match: Match, line: bytes, caller: Caller, names: Sequence[str]) -> bytes:
    """An event with its sentences, for people: made of what the caller may read, and of nothing else."""
    shown = _seen(match, line, caller)
    shown["text"] = sentences(match.rules, shown.get("facts", ()), names, caller.lang)
    return codec.encode(shown)


def _seen(match: Match, line: bytes, caller: Caller) -> dict[str, Any]:
    return seen_by(match, line, match.seat_of(caller.who))


def seen_by(match: Match, line: bytes, seat: int | None) -> dict[str, Any]:
    """One event as a seat may read it. Raises BadLog for a line that was damaged since it was folded."""
    try:
        return events.seen(match.rules, line, seat, match.status == "finished")
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError) as problem:
        raise BadLog(match.seq, "not_an_event", f"not an event: {problem!r}") from None


def turn(match: Match, seat: int, seq: int, deadline: float | None, news: Sequence[bytes]) -> dict[str, Any]:
    """A turn as a remote bot is asked: what its seat may know, what it may do, what happened meanwhile."""
    rules = match.rules
    return {
        "kind": "turn",
        "match": match.id,
        "game": match.game,
        "version": match.version,
        "seat": seat,
        "seq": seq,
        "deadline": None if deadline is None else at(deadline),
        "view": rules.view(match.state, seat),
        "legal": list(rules.legal(match.state, seat)),
        "since": [seen_by(match, line, seat) for line in news],
    }


def seated(match: Match, seat: int) -> dict[str, Any]:
    """A bot is told that it has a seat."""
    return {
        "kind": "seated",
        "match": match.id,
        "game": match.game,
        "version": match.version,
        "options": match.options,
        "seat": seat,
        "seats": len(match.chairs),
    }


def away(match: Match, seat: int) -> dict[str, Any]:
    """A bot is told that a caretaker plays for it, since which event and why."""
    part = match.chairs[seat].parts[-1]
    return {
        "kind": "away",
        "match": match.id,
        "game": match.game,
        "seat": seat,
        "seq": part.seq,
        "why": part.why,
    }


def over(match: Match) -> dict[str, Any]:
    """A bot is told that a match has ended."""
    return {"kind": "over", "match": match.id, "game": match.game, "result": _result(match, "en")}


def sentences(rules: AnyGame, facts: Sequence[Any], names: Sequence[str], lang: Lang) -> list[str]:
    """Redacted facts in words."""
    typed = [msgspec.convert(f, rules.Fact) if isinstance(f, dict) else f for f in facts]
    return [text for fact in typed if (text := rules.words.sentence(fact, names, lang))]


def positions(now: Match, lines: Sequence[bytes], after: int, caller: Caller) -> list[bytes]:
    """The positions that events later than `after` led to, as the caller knew them then.

    Lines of JSON without their newlines, of a log that is folded once, however many they are.
    """
    if len(lines) <= after:
        return []
    rules, chairs, seat, found = now.rules, None, None, []
    for _, match in steps(lines):
        if match.chairs is not chairs or now.imported is not None:  # the caller may have come or gone
            chairs, seat = match.chairs, dressed(match, now.imported).seat_of(caller.who)
        if match.seq > after and match.state is not None:
            found.append(_position(match, rules, seat))
    return found


def _position(match: Match, rules: AnyGame, seat: int | None) -> bytes:
    return encode({"seq": match.seq, "view": rules.view(match.state, seat)})


def said(message: Message, name: str) -> dict[str, Any]:
    """What was said at the table, as everybody who may read the match reads it: text, never markup."""
    return {"id": message.id, "at": message.at, "seat": message.seat, "name": name, "text": message.text}


class Preview(NamedTuple):
    """What a link to a match tells before it is followed, also to programs that carry it."""

    game: str
    status: str
    names: tuple[str, ...] = ()  # who sits there, if the match is for everybody's eyes
    picture: str = ""  # where its picture lies, if there is more to see than the game


def preview(match: Match, names: Sequence[str]) -> Preview:
    """Of a match that is not listed: the game, and no more. A link is often read by a machine on its way."""
    if not match.listed:
        return Preview(match.game, match.status)
    taken = [name for name, chair in zip(names, match.chairs, strict=True) if chair.holder is not None]
    return Preview(match.game, match.status, tuple(taken), f"/matches/{match.id}/picture.png?at={match.seq}")


class Standing(NamedTuple):
    """A seat in the picture of a match."""

    seat: int
    name: str
    points: int | None
    won: bool
    acts: bool


def standings(match: Match, names: Sequence[str]) -> tuple[Standing, ...]:
    """How a match stands for everybody's eyes; nothing of one that is not listed."""
    if not match.listed:
        return ()
    points, won = _points(match), match.result.winners if match.result else ()
    return tuple(
        Standing(n, names[n], points[n], n in won, n in match.to_act)
        for n, chair in enumerate(match.chairs)
        if chair.holder is not None
    )


def _points(match: Match) -> Sequence[int | None]:
    """At the end those of the result; before it what a spectator sees."""
    if match.result is not None and match.result.how == "played":
        return match.result.scores
    count = match.rules.words.points
    if match.state is None or count is None:
        return [None] * len(match.chairs)
    return count(match.rules.view(match.state, None))


def drawn(match: Match, lines: Sequence[bytes]) -> dict[str, Any]:
    """Every draw of chance with its odds, for whoever rolls the dice again. Only after the end."""
    found: list[Draw] = []
    if match.status != "finished":
        return {"draws": found, "problem": None}
    try:
        found.extend(draws(lines))
    except BadLog as problem:
        return {"draws": found, "problem": {"seq": problem.line, "detail": problem.reason}}
    return {"draws": found, "problem": None}


def export(
    match: Match, lines: Sequence[bytes], caller: Caller, signed: tuple[str, str] | None = None
) -> bytes:
    """The log of a match: complete and verifiable once it has ended, redacted and marked so before."""
    redacted = match.status != "finished"
    shown = [event_line(match, line, caller) for line in lines] if redacted else list(lines)
    return b"\n".join([*shown, closing(match, signed, redacted), b""])
