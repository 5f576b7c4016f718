"""Pig as it was before a lost turn was a fact: logs of version 1 fold here."""

from engine.game import Game
from engine.games.pig.v1 import model, rules, secrets, sight
from engine.games.pig.v1.words import WORDS

GAME: Game[model.State, model.Action, model.Fact, model.View] = Game(
    key="pig",
    version=1,
    players=range(2, 5),
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=model.Fact,
    View=model.View,
    State=model.State,
    start=rules.start,
    evolve=rules.evolve,
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
