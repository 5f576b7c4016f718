"""What teaches a game is true: its positions are played by the rules, and both languages say it."""

import msgspec
import pytest

from engine import codec, guide, registry
from engine.game import CHANCE, Illegal
from engine.kit.text import LANGS
from tests.folders import folder, having

TOLD = having("guide.json")


def of(key):
    return guide.read((folder(key) / "guide.json").read_bytes())


@pytest.fixture(params=TOLD)
def told(request):
    return registry.game(request.param), of(request.param)


def test_every_game_of_the_house_is_taught():
    assert set(TOLD) == set(registry.GAMES)


def test_a_guide_is_short_and_has_all_its_parts(told):
    _, one = told
    assert 5 <= len(one.steps) <= 8
    assert [step.part for step in one.steps] == sorted((s.part for s in one.steps), key=guide.PARTS.index)
    assert {step.part for step in one.steps} == set(guide.PARTS)
    assert 5 <= len(one.lessons) <= 8


def test_every_word_is_said_in_every_language(told):
    _, one = told
    for words in (words for part in (*one.steps, *one.lessons) for words in (part.title, part.text)):
        assert set(words) == set(LANGS)
        assert all(text.strip() == text and text for text in words.values())
        assert words["cs"] != words["en"]


def test_positions_are_played_by_the_rules(told):
    """Every recorded action is legal where it is taken, and so is what a picture chooses."""
    game, one = told
    match = guide.moments(game, one)
    assert len(match) == len(one.actions) + 1
    for moment, (seat, raw) in zip(match, one.actions, strict=False):
        assert codec.decode(codec.encode(raw)) in _legal(game, moment.state, seat)
        assert CHANCE not in game.to_act(moment.state)
    for step in one.steps:
        if step.pick is not None:
            legal = _legal(game, match[step.at].state, step.seat)
            assert any(action.items() >= step.pick.items() for action in legal), step.title
    assert max(step.at for step in one.steps) == len(one.actions), "nothing is recorded that is not shown"


def test_pictures_are_views_of_who_looks(told):
    game, one = told
    match = guide.moments(game, one)
    drawn = guide.pictures(game, one, "cs")
    for step, picture in zip(one.steps, drawn, strict=True):
        assert picture["view"] == game.view(match[step.at].state, step.seat)
        assert picture["title"] == step.title["cs"]


def test_the_first_lesson_is_said_at_the_first_turn(told):
    """Whatever the dice say: a first match begins with the first lesson."""
    game, one = told
    state = guide.moments(game, one)[0].state
    legal = [a for seat in sorted(game.to_act(state)) for a in _legal(game, state, seat)]
    assert any(action.items() >= one.lessons[0].when.items() for action in legal)
    types = set(_tags(game.Action))
    for pattern in (part for lesson in one.lessons for part in (lesson.when, *lesson.suggest)):
        assert pattern.get("type") in {None, *types}


def test_an_action_that_is_not_legal_any_more_is_found(told):
    game, one = told
    seat, raw = one.actions[0]
    broken = msgspec.structs.replace(one, actions=((seat, raw), (seat, raw), *one.actions[1:]))
    with pytest.raises(Illegal):
        guide.moments(game, broken)


def _legal(game, state, seat):
    return codec.decode(codec.encode(list(game.legal(state, seat))))


def _tags(union):
    members = getattr(union, "__args__", (union,))
    return [member.__struct_config__.tag for member in members]
