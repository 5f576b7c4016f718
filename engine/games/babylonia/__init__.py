"""Babylonia: clans between the rivers, cities to surround and ziggurats to touch (rules.md, BA-*)."""

from engine.game import Game
from engine.games.babylonia import evolve, facts, model, rules, secrets, sight
from engine.games.babylonia.content import PLAYERS
from engine.games.babylonia.words import WORDS

GAME: Game[model.State, model.Action, facts.Fact, model.View] = Game(
    key="babylonia",
    version=1,
    players=PLAYERS,
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=facts.Fact,
    View=model.View,
    State=model.State,
    start=rules.start,
    evolve=evolve.evolve,
    to_act=rules.to_act,
    legal=rules.legal,
    odds=rules.odds,
    parse=rules.parse,
    decide=rules.decide,
    view=sight.view,
    redact=sight.redact,
    reveals=sight.reveals,
    determinise=sight.determinise,
    exchange=secrets.exchange,
    result=rules.result,
)
