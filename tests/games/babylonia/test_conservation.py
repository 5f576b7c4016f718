"""Nothing gets lost: tokens, tiles, cards and points are all accounted for after every action."""

from collections import Counter

from engine.games.babylonia import GAME
from engine.games.babylonia.content import BOARDS, RIVER, TILE_KINDS, TOKENS, card_numbers, union
from engine.games.babylonia.facts import CardTaken, CityResolved, Placed
from engine.games.babylonia.model import Player, State
from tests.games.playing import Step


def test_every_seat_keeps_its_thirty_tokens(played: list[list[Step]]) -> None:
    """BA-5: on the board, on the stand and in the supply, kind by kind."""
    for step in _all(played):
        for player in step.after.players:
            board = [hexes.bit_count() for hexes in player.boards]
            assert tuple(map(sum, zip(board, player.stand, player.supply, strict=True))) == TOKENS
            assert player.tokens == union(player.boards)
            assert player.tokens.bit_count() == sum(board), "one kind a hex"


def test_every_hex_holds_one_thing(played: list[list[Step]]) -> None:
    """BA-21: free is what holds no token, no tile and no ziggurat."""
    for step in _all(played):
        state = step.after
        board = BOARDS[len(state.players)]
        things = [*(player.tokens for player in state.players), state.cities, state.fields, board.ziggurats]
        assert sum(hexes.bit_count() for hexes in [*things, state.free]) == board.in_play.bit_count()
        assert union([*things, state.free]) == board.in_play


def test_every_tile_is_somewhere(played: list[list[Step]]) -> None:
    """BA-11, BA-39, BA-52."""
    for step in _all(played):
        state = step.after
        owned = Counter(tile for player in state.players for tile in player.city_tiles)
        laid = Counter(tile.tile for tile in GAME.view(state, None).tiles)
        full = dict(zip(TILE_KINDS, BOARDS[len(state.players)].tiles, strict=True))
        assert owned + laid + Counter(state.discarded) == +Counter(full)


def test_every_card_is_somewhere(played: list[list[Step]]) -> None:
    """BA-14, BA-91."""
    for match in played:
        offered = match[0].after.offer
        for step in match:
            cards = [*card_numbers(step.after.offer), *_cards(step.after.players)]
            assert sorted(cards) == list(card_numbers(offered))
            assert all(player.spent & ~player.cards == 0 for player in step.after.players)


def _cards(players: tuple[Player, ...]) -> list[int]:
    return [card for player in players for card in card_numbers(player.cards)]


def test_points_are_those_that_the_facts_tell(played: list[list[Step]]) -> None:
    """Section 12."""
    for step in _all(played):
        if step.action is not None:
            told = [0] * len(step.after.players)
            for fact in step.facts:
                _count(told, fact)
            assert [score - told[seat] for seat, score in enumerate(_scores(step.after))] == _scores(
                step.before
            )


def _count(told: list[int], fact: object) -> None:
    match fact:
        case Placed():
            told[fact.seat] += fact.field_points + len(fact.ziggurats)
        case CardTaken():
            told[fact.seat] += fact.points
        case CityResolved():
            for seat in range(len(told)):
                told[seat] += fact.noble_points[seat] + fact.tile_points[seat]
        case _:
            pass


def _scores(state: State) -> list[int]:
    return [player.score for player in state.players]


def test_river_tokens_lie_face_down_for_good(played: list[list[Step]]) -> None:
    """BA-37."""
    for match in played:
        for step in match:
            for seen, player in zip(GAME.view(step.after, None).players, step.after.players, strict=True):
                assert len(seen.face_down) == (player.tokens & RIVER).bit_count()


def test_the_result_adds_up(played: list[list[Step]]) -> None:
    """BA-71."""
    for match in played:
        state = match[-1].after
        result = GAME.result(state)
        assert result is not None
        for seat, player in enumerate(state.players):
            assert sum(line.points for line in result.breakdown[seat]) == result.scores[seat]
            assert result.places[seat] == 1 + sum(_rank(other) > _rank(player) for other in state.players)
        assert set(result.winners) == {seat for seat, place in enumerate(result.places) if place == 1}


def _rank(player: Player) -> tuple[int, int]:
    return player.score, len(player.city_tiles)


def _all(played: list[list[Step]]) -> list[Step]:
    return [step for match in played for step in match]
