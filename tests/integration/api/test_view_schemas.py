"""The published shape of every view, held against what matches really show."""

import json
from random import Random

import pytest
from jsonschema_rs import Draft202012Validator, ValidationError, meta

from engine.chance import quick
from engine.checks.conformance import matches
from engine.game import begin, play
from service.views import sight

pytestmark = [pytest.mark.anyio, pytest.mark.single]


def views(rules, every=7):
    """Views of random matches of every size and option, as they are sent to seats and spectators."""
    for seats, options, seed in matches(rules, 1):
        rng = Random(seed)
        pick = quick(rng)
        state, _ = begin(rules, seats, options, pick)
        step = 0
        while True:
            waiting = sorted(rules.to_act(state))
            if step % every == 0 or not waiting:
                for seat in (*range(seats), None):
                    yield json.loads(sight.encode(rules.view(state, seat)))
            if not waiting or step > 60:
                break
            step += 1
            state, _ = play(rules, state, waiting[0], rng.choice(rules.legal(state, waiting[0])), pick)


def top(schema):
    return schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


async def test_real_views_have_the_published_shape(house, rules):
    schema = (await house.nobody.get(f"/api/games/{rules.key}")).json()["view"]
    meta.validate(schema)
    judge, fields, count = Draft202012Validator(schema), set(top(schema)["properties"]), 0
    for view in views(rules):
        judge.validate(view)
        assert set(view) <= fields, "a field that nobody published"
        count += 1
    assert count > 20
    view.pop(top(schema)["required"][0])
    with pytest.raises(ValidationError):
        judge.validate(view)


async def test_the_document_publishes_the_same_shape(house, rules):
    document = (await house.nobody.get("/api/openapi.json")).json()
    one = {"$ref": f"#/components/schemas/{rules.key}.view", "components": document["components"]}
    any_game = {"$ref": "#/components/schemas/View", "components": document["components"]}
    view = next(views(rules))
    Draft202012Validator(one).validate(view)
    Draft202012Validator(any_game).validate(view)
    with pytest.raises(ValidationError):
        Draft202012Validator(any_game).validate({"phase": "somewhere"})
