"""What Tides of Time is made of: actions, facts, state and view."""

from typing import Annotated, Literal

import msgspec

from engine.games.tides_of_time.content import CARDS
from engine.kit import records

CardId = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(CARDS)})]
Phase = Literal["deal", "draft", "keep", "over"]  # "deal" lasts only while chance acts


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    allow_change: bool = True  # TT-34
    nest_wins_zero_ties: bool = True  # TT-61
    roof_counts_for_singles: bool = False  # TT-62


class Play(records.Action, tag="play"):
    card: CardId


class Keep(records.Action, tag="keep"):
    relic: CardId
    discard: CardId


Action = Play | Keep


class SetUp(records.Fact, tag="set_up"):
    options: Options


class Dealt(records.Fact, tag="dealt"):
    """A card came from the deck; only its seat reads which."""

    seat: int
    n: int
    card: str | None


class Chosen(records.Fact, tag="chosen"):
    """A seat committed; only that seat reads to what."""

    seat: int
    choice: Action | None


class Revealed(records.Fact, tag="revealed"):
    """Both cards by seat; then the hands change owners (TT-24)."""

    cards: tuple[str, str]


class Forced(records.Fact, tag="forced"):
    """The last card of each hand is played without a choice (TT-24)."""

    cards: tuple[str, str]


class Scored(records.Fact, tag="scored"):
    """A round's points, card by card (TT-25), and what comes next."""

    round: int
    totals: tuple[int, int]
    breakdown: tuple[dict[str, int], dict[str, int]]
    then: Literal["keep", "over"]


class Kept(records.Fact, tag="kept"):
    """Relics stay, discards leave the game, the next round begins (TT-27)."""

    relics: tuple[str, str]
    discards: tuple[str, str]


Fact = SetUp | Dealt | Chosen | Revealed | Forced | Scored | Kept


class Discard(records.Value):
    round: int
    seat: int
    card: str


# TT-11
class Player(records.Value):
    hand: tuple[str, ...] = ()
    kingdom: tuple[str, ...] = ()
    relics: tuple[str, ...] = ()  # TT-6
    committed: Action | None = None
    scores: tuple[int, ...] = ()
    breakdown: tuple[dict[str, int], ...] = ()


# TT-10, TT-12
class State(records.Value):
    options: Options
    phase: Phase
    round: int
    pick: int
    draws: int
    deck: tuple[str, ...]  # a multiset in card order: there is no secret order
    players: tuple[Player, Player]
    discards: tuple[Discard, ...]


class PlayerView(records.Value):
    hand_size: int
    hand: tuple[str, ...] | None  # one's own, and everybody's in the keep step (TT-26)
    kingdom: tuple[str, ...]
    relics: tuple[str, ...]
    committed: bool
    choice: Action | None  # one's own
    scores: tuple[int, ...]
    breakdown: tuple[dict[str, int], ...]


class View(records.Value):
    seat: int | None
    options: Options
    phase: Phase
    round: int
    pick: int
    deck_size: int
    players: tuple[PlayerView, PlayerView]
    discards: tuple[Discard, ...]
    opponent_known: tuple[str, ...] | None  # TT-60; spectators do not get it
