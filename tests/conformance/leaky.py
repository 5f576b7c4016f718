"""Games with one leak each, such as a slip in `sight.py` or `rules.py` would make. Conformance must find all.

Each entry: what leaks, the game, and how the record is changed. Leaks of open games are seats that know more.
"""

from collections.abc import Callable
from dataclasses import replace as altered
from typing import Any

from msgspec.structs import replace

from engine.game import AnyGame, Illegal
from engine.games.babylonia import sight as babylonia
from engine.games.babylonia.content import KINDS
from engine.games.babylonia.facts import Drew
from engine.games.babylonia.facts import Placed as TokenPlaced
from engine.games.babylonia.model import Place
from engine.games.babylonia.supply import named
from engine.games.tides_of_time.model import Chosen, Dealt, Play

Leak = Callable[[AnyGame], AnyGame]


def seen(change: Callable[[Any, Any, int | None], Any]) -> Leak:
    """A view that `change(view, state, seat)` tells more."""
    return lambda game: altered(game, view=lambda s, seat: change(game.view(s, seat), s, seat))


def unredacted(*kinds: type) -> Leak:
    """A redaction that was forgotten for these."""
    return lambda game: altered(
        game, redact=lambda item, seat: item if isinstance(item, kinds) else game.redact(item, seat)
    )


def refused(particulars: Callable[[Any, int], dict[str, Any]]) -> Leak:
    """A refusal whose sentence would need what nobody may know."""

    def leak(game: AnyGame) -> AnyGame:
        def decide(state: Any, seat: int, action: Any) -> Any:
            try:
                return game.decide(state, seat, action)
            except Illegal as refusal:
                if 0 <= seat < len(state.players):
                    raise Illegal(refusal.code, **refusal.params, **particulars(state, seat)) from None
                raise

        return altered(game, decide=decide)

    return leak


def earlier(is_worse: Callable[[Any, int], Any]) -> Leak:
    """A list of legal actions whose order follows a secret."""
    return lambda game: altered(
        game,
        legal=lambda s, seat: sorted(
            game.legal(s, seat), key=repr, reverse=0 <= seat < len(s.players) and bool(is_worse(s, seat))
        ),
    )


def _others(state: Any, seat: int | None) -> list[Any]:
    return [player for at, player in enumerate(state.players) if at != seat]


def _players(view: Any, state: Any, **fields: Callable[[Any], Any]) -> Any:
    players = (
        replace(seen, **{name: read(player) for name, read in fields.items()})
        for seen, player in zip(view.players, state.players, strict=True)
    )
    return replace(view, players=tuple(players))


def _odd(name: str) -> bool:
    return sum(map(ord, name)) % 2 == 1


LEAKS: list[tuple[str, str, Leak]] = [
    ("tides-of-time", "the other hand", seen(lambda v, s, _: _players(v, s, hand=lambda p: p.hand))),
    (
        "tides-of-time",
        "the other choice",
        seen(lambda v, s, _: _players(v, s, choice=lambda p: p.committed)),
    ),
    (
        "tides-of-time",
        "what is proven too early",
        seen(
            lambda v, s, seat: (
                v if seat is None else replace(v, opponent_known=tuple(sorted(s.players[1 - seat].hand)))
            )
        ),
    ),
    (
        "tides-of-time",
        "a hand in its order",
        seen(
            lambda v, s, seat: replace(
                v,
                deck_size=v.deck_size + 100 * _odd(_others(s, seat)[0].hand[0])
                if _others(s, seat)[0].hand
                else v.deck_size,
            )
        ),
    ),
    ("tides-of-time", "cards dealt to the other", unredacted(Dealt)),
    ("tides-of-time", "choices, replaced ones too", unredacted(Chosen)),
    ("tides-of-time", "the action", unredacted(Play)),
    (
        "tides-of-time",
        "a refusal that names a card",
        refused(lambda s, seat: {"holds": s.players[1 - seat].hand}),
    ),
    (
        "tides-of-time",
        "a legal list that follows the other choice",
        earlier(lambda s, seat: s.players[1 - seat].committed and _odd(repr(s.players[1 - seat].committed))),
    ),
    (
        "tides-of-time",
        "undo that follows the other choice",
        lambda game: altered(
            game,
            reveals=lambda f: game.reveals(f) or (isinstance(f, Chosen) and _odd(repr(f.choice))),
        ),
    ),
    (
        "babylonia",
        "the other stand",
        seen(lambda v, s, _: _players(v, s, stand=lambda p: named(p.stand))),
    ),
    (
        "babylonia",
        "the other supply",
        seen(lambda v, s, _: _players(v, s, supply=lambda p: dict(zip(KINDS, p.supply, strict=True)))),
    ),
    (
        "babylonia",
        "tokens that lie face down",
        seen(
            lambda v, s, _: _players(
                v,
                s,
                face_down_kinds=lambda p: babylonia._down_kinds(
                    tuple(board & babylonia.RIVER for board in p.boards)
                ),
            )
        ),
    ),
    (
        "babylonia",
        "tokens of this turn",
        seen(lambda v, s, _: replace(v, placed=tuple(babylonia._token(s, at, s.seat) for at in s.placed))),
    ),
    ("babylonia", "draws", unredacted(Drew)),
    ("babylonia", "tokens put on a river", unredacted(TokenPlaced)),
    ("babylonia", "the action", unredacted(Place)),
    (
        "babylonia",
        "a refusal that counts a stand",
        refused(lambda s, seat: {"left": _others(s, seat)[0].stand}),
    ),
    (
        "babylonia",
        "a legal list that follows a stand",
        earlier(lambda s, seat: _others(s, seat)[0].stand[0] % 2),
    ),
    (
        "babylonia",
        "undo that follows a token",
        lambda game: altered(
            game,
            reveals=lambda f: game.reveals(f) or (isinstance(f, TokenPlaced) and f.token == "farmer"),
        ),
    ),
    ("machi-koro", "the deck for one seat", seen(lambda v, s, seat: v if seat == 0 else replace(v, deck={}))),
    (
        "machi-koro",
        "coins for players only",
        seen(
            lambda v, s, seat: (
                v if seat is not None else replace(v, players=tuple(replace(p, coins=0) for p in v.players))
            )
        ),
    ),
    (
        "akropolis",
        "tiles to come for one seat",
        seen(lambda v, s, seat: v if seat == 0 else replace(v, unseen=())),
    ),
    (
        "akropolis",
        "stones that nobody sees",
        seen(lambda v, s, seat: replace(v, players=tuple(replace(p, stones=0) for p in v.players))),
    ),
    (
        "world-wonders",
        "cards to come for one seat",
        seen(lambda v, s, seat: v if seat == 0 else replace(v, unseen_monuments=())),
    ),
    ("world-wonders", "discards that nobody sees", seen(lambda v, s, seat: replace(v, discards=()))),
]
