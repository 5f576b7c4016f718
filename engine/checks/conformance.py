"""The checks that every registered game passes, as plain functions.

`check_match` plays one random match and looks at every step the way an adversary would. Each failed check
says which promise of the contract was broken. Costly checks run on a share of the steps (`depth`).
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine import codec
from engine.chance import dice, prepared
from engine.checks.mutants import mutants
from engine.checks.promises import Broken, require
from engine.checks.secrecy import Entry, check_secrecy, facts_of
from engine.checks.variants import variants
from engine.game import CHANCE, AnyGame, Illegal, Odds, Pick, Result, begin, fold, may_act, play
from engine.kit.text import LANGS

UNASKED = 0.25  # share of the steps in which a seat acts that may but need not, if there is one
MAX_STEPS = 20_000  # far beyond any real match: whoever gets there would never end

NONSENSE: tuple[Any, ...] = (None, [], "x", 3, {}, {"type": 1}, {"type": "no such thing"})

__all__ = ["Broken", "check_match", "variants"]


class Step(NamedTuple):
    before: Any
    seat: int
    action: Any
    facts: Sequence[Any]
    after: Any


def check_match(
    game: AnyGame, seats: int, options: Any, seed: int, depth: float = 0.25, max_steps: int = MAX_STEPS
) -> Result:
    """Play one random match and check every promise on the way; returns its result."""
    rng = Random(f"{game.key} {seats} {seed}")
    pick = dice(rng.randbytes(32), [""] * seats)
    state, facts = begin(game, seats, options, pick)
    check_facts(game, facts, seats)
    steps: list[Step] = []
    log = [Entry(None, None, facts)]
    while game.to_act(state):
        require(len(steps) < max_steps, "every match ends")
        check_turn(game, state, seats)
        close = rng.random() < depth
        if close:
            check_secrets(game, state, seats, rng)
            check_secrecy(game, log, state, seats, rng)
            check_refusals(game, state, seats, rng)
            check_round_trips(game, state, seats)
            check_order_of_commits(game, state, rng, pick)
        step = advance(game, state, seats, rng, pick, close)
        check_facts(game, step.facts, seats)
        log.append(Entry(step.seat, step.action, step.facts))
        steps.append(step)
        state = step.after
    facts = facts_of(log)
    check_fold(game, state, facts)
    check_same_again(game, seats, options, pick, steps, facts)
    check_secrets(game, state, seats, rng)
    check_secrecy(game, log, state, seats, rng)
    return check_result(game, state, seats)


def advance(game: AnyGame, state: Any, seats: int, rng: Random, pick: Pick, close: bool) -> Step:
    """One random legal action, now and then by a seat that is not waited for; `close`: look for traces."""
    others = may_act(game, state, seats) if rng.random() < UNASKED else []
    seat = rng.choice(others or sorted(game.to_act(state)))
    action = rng.choice(game.legal(state, seat))
    before = image(state) if close else b""
    after, facts = play(game, state, seat, action, pick)
    require(
        not close or image(state) == before,
        "a step makes a new state and leaves the old one alone",
        action,
    )
    return Step(state, seat, action, facts, after)


def image(state: Any) -> bytes:
    """A state as bytes: two states are the same if and only if these are."""
    return codec.encode(codec.pack(state))


def check_turn(game: AnyGame, state: Any, seats: int) -> None:
    waiting = game.to_act(state)
    require(CHANCE not in waiting, "chance is resolved before anybody is asked")
    require(all(0 <= seat < seats for seat in waiting), "to_act names seats of the table", waiting)
    require(game.result(state) is None, "there is no result while somebody is to act")
    for seat in waiting:
        actions = game.legal(state, seat)
        require(bool(actions), "whoever is waited for has a legal action", seat)
        require(len(set(actions)) == len(actions), "legal lists nothing twice", seat)
        require(list(game.legal(state, seat)) == list(actions), "legal has a stable order", seat)
    require(not game.legal(state, seats), "a seat that does not exist has no legal actions")


def check_facts(game: AnyGame, facts: Sequence[Any], seats: int) -> None:
    """Facts are storable, have words, and can be read by everybody in some form."""
    names = [f"P{seat}" for seat in range(seats)]
    decoder = codec.decoder(game.Fact)
    require(bool(facts), "an accepted action leads to at least one fact")
    for fact in facts:
        line = codec.encode(fact)
        require(codec.is_canonical(line), "a fact is canonical JSON: no floats, no big integers", line)
        require(decoder.decode(line) == fact, "a fact survives a JSON round trip", fact)
        require(isinstance(game.reveals(fact), bool), "reveals answers yes or no", fact)
        for viewer in (*range(seats), None):
            seen = game.redact(fact, viewer)
            require(codec.is_canonical(codec.encode(seen)), "a redacted fact is canonical JSON", seen)
            for lang in LANGS:
                require(isinstance(game.words.sentence(seen, names, lang), str), "a fact has words", fact)


def check_secrets(game: AnyGame, state: Any, seats: int, rng: Random) -> None:
    """An imagined world has the same view and the same legal actions: bots may think in it."""
    for viewer in (*range(seats), None):
        view = game.view(state, viewer)
        other = game.determinise(view, rng)
        require(game.view(other, viewer) == view, "a view does not change when hidden facts do", viewer)
        if viewer is None:
            continue
        mine = game.legal(state, viewer)
        require(list(game.legal(other, viewer)) == list(mine), "legal does not depend on secrets", viewer)


def check_refusals(game: AnyGame, state: Any, seats: int, rng: Random) -> None:
    """decide accepts exactly what legal lists; everything else is refused with a code that has words."""
    before = image(state)
    everything = [raw for seat in range(seats) for raw in sample(game.legal(state, seat), rng, 3)]
    for seat in (*range(seats), seats, CHANCE):  # nobody may speak for chance
        allowed = set(game.legal(state, seat))
        for raw in mutants([msgspec.to_builtins(action) for action in everything], rng):
            accepted, code = judge(game, state, seat, raw)
            require(accepted == (code is None), "an action is accepted or refused")
            if code is None:
                require(game.parse(state, seat, raw) in allowed, "accepted but not legal", (seat, raw))
            elif _is_legal(game, state, seat, raw, allowed):
                require(False, f"legal but refused as {code}", (seat, raw))
        for action in sample(sorted(allowed, key=repr), rng, 5):
            accepted, code = judge(game, state, seat, msgspec.to_builtins(action))
            require(accepted, f"legal but refused as {code}", (seat, action))
    for nonsense in NONSENSE:
        require(
            judge(game, state, 0, nonsense)[1] in ("malformed", "unknown_action"),
            "nonsense is refused",
            nonsense,
        )
    require(image(state) == before, "refusals leave no trace")


def _is_legal(game: AnyGame, state: Any, seat: int, raw: Any, allowed: set[Any]) -> bool:
    try:
        return game.parse(state, seat, raw) in allowed
    except Illegal:
        return False


def judge(game: AnyGame, state: Any, seat: int, raw: Any) -> tuple[bool, str | None]:
    """Whether a raw action is accepted, and else with which code it is refused."""
    try:
        game.decide(state, seat, game.parse(state, seat, raw))
    except Illegal as refusal:
        for lang in LANGS:
            text = game.words.refusal(refusal.code, refusal.params, lang)
            require(bool(text) and "?" not in text, "a refusal has a complete sentence", (refusal.code, text))
        return False, refusal.code
    return True, None


def sample(items: Sequence[Any], rng: Random, k: int) -> list[Any]:
    return list(items) if len(items) <= k else rng.sample(list(items), k)


def check_round_trips(game: AnyGame, state: Any, seats: int) -> None:
    packed = codec.encode(codec.pack(state))
    require(codec.is_canonical(packed), "a packed state is canonical JSON")
    require(codec.unpack(codec.decode(packed), game.State) == state, "a state survives a JSON round trip")
    for viewer in (*range(seats), None):
        view = game.view(state, viewer)
        line = codec.encode(view)
        require(codec.is_canonical(line), "a view is canonical JSON: no floats, no big integers", viewer)
        require(codec.decoder(game.View).decode(line) == view, "a view survives a JSON round trip", viewer)
        if viewer is not None:
            _check_actions(game, state, viewer, view)


def _check_actions(game: AnyGame, state: Any, seat: int, view: Any) -> None:
    for action in game.legal(state, seat)[:40]:
        raw = codec.decode(codec.encode(action))
        require(game.parse(state, seat, raw) == action, "an action survives a JSON round trip", action)
        for lang in LANGS:
            require(bool(game.words.label(action, view, lang)), "a legal action has a label", action)
        codec.encode(game.redact(action, None))


def check_order_of_commits(game: AnyGame, state: Any, rng: Random, pick: Pick) -> None:
    """Two seats that are asked at once may answer in any order: the state afterwards is the same."""
    waiting = sorted(game.to_act(state))
    if len(waiting) < 2:
        return
    choices = [(seat, rng.choice(game.legal(state, seat))) for seat in rng.sample(waiting, 2)]
    ends = [_commit(game, state, order, pick) for order in (choices, choices[::-1])]
    require(ends[0] == ends[1], "the order of simultaneous commits does not matter", choices)


def _commit(game: AnyGame, state: Any, choices: Sequence[tuple[int, Any]], pick: Pick) -> bytes:
    for seat, action in choices:
        state, _ = play(game, state, seat, action, pick)
    return image(state)


def check_fold(game: AnyGame, state: Any, facts: Sequence[Any]) -> None:
    decoder = codec.decoder(game.Fact)
    stored = [decoder.decode(codec.encode(fact)) for fact in facts]
    require(image(fold(game, stored)) == image(state), "the fold of the stored facts is the live state")


def check_same_again(
    game: AnyGame, seats: int, options: Any, pick: Pick, steps: Sequence[Step], facts: Sequence[Any]
) -> None:
    """Same seed and actions, same facts; and the outcomes, fed back as told, lead to the same facts."""
    drawn: list[Any] = []

    def recording(odds: Odds[Any], n: int) -> Any:
        require(n == len(drawn), "draws are numbered 0, 1, 2, …", n)
        require(
            odds.total > 0 and len(set(odds.outcomes)) == len(odds.outcomes), "odds list distinct outcomes"
        )
        drawn.append(pick(odds, n))
        return drawn[-1]

    require(
        _replay(game, seats, options, recording, steps) == list(facts), "the same seed gives the same facts"
    )
    require(_replay(game, seats, options, prepared(drawn), steps) == list(facts), "outcomes can be fed back")


def _replay(game: AnyGame, seats: int, options: Any, pick: Pick, steps: Sequence[Step]) -> list[Any]:
    state, facts = begin(game, seats, options, pick)
    for step in steps:
        state, more = play(game, state, step.seat, step.action, pick)
        facts += more
    return facts


def check_result(game: AnyGame, state: Any, seats: int) -> Result:
    result = game.result(state)
    assert result is not None, "a match that waits for nobody has a result"
    sizes = {len(result.scores), len(result.places), len(result.breakdown)}
    require(sizes == {seats}, "a result speaks of every seat", result)
    require(
        all(1 <= place <= seats for place in result.places), "places are 1 to the number of seats", result
    )
    firsts = {seat for seat, place in enumerate(result.places) if place == 1}
    require(set(result.winners) <= firsts or not result.winners, "winners are in first place", result)
    for line in (line for lines in result.breakdown for line in lines):
        for lang in LANGS:
            require(bool(game.words.line(line.what, lang)), "a line of the breakdown has words", line)
    for seat in range(seats):
        require(not game.legal(state, seat), "nobody may act when it is over", seat)
    return result


def matches(game: AnyGame, count: int) -> Iterator[tuple[int, Any, int]]:
    """(seats, options, seed) for `count` matches that cover every number of seats and every option."""
    cells = [(seats, options) for seats in game.players for options in variants(game, seats)]
    for seed in range(max(count, len(cells))):
        seats, options = cells[seed % len(cells)]
        yield seats, options, seed
