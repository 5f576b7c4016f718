"""Akropolis: cities of stacked three-hex tiles, bought from a row priced by position (rules.md, AK-*)."""

from engine.game import Game
from engine.games.akropolis import model, rules, secrets, sight
from engine.games.akropolis.evolve import evolve
from engine.games.akropolis.words import WORDS

GAME: Game[model.State, model.Action, model.Fact, model.View] = Game(
    key="akropolis",
    version=1,
    players=range(1, 5),
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=model.Fact,
    View=model.View,
    State=model.State,
    start=rules.start,
    evolve=evolve,
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
