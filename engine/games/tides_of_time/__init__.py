"""Tides of Time: two players draft three kingdoms (rules.md, TT-*)."""

from engine.game import Game
from engine.games.tides_of_time import evolve, model, rules, secrets, sight
from engine.games.tides_of_time.words import WORDS

GAME: Game[model.State, model.Action, model.Fact, model.View] = Game(
    key="tides-of-time",
    version=1,
    players=range(2, 3),
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=model.Fact,
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
