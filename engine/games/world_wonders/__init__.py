"""World Wonders: cities on polyomino maps, one to five players (rules.md, WW-*)."""

from engine.game import Game
from engine.games.world_wonders import draws, evolve, facts, model, rules, secrets, sight, views
from engine.games.world_wonders.words import WORDS

GAME: Game[model.State, model.Action, facts.Fact, views.View] = Game(
    key="world-wonders",
    version=1,
    players=range(1, 6),
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=facts.Fact,
    View=views.View,
    State=model.State,
    start=rules.start,
    evolve=evolve.evolve,
    to_act=rules.to_act,
    legal=rules.legal,
    odds=draws.odds,
    parse=rules.parse,
    decide=rules.decide,
    view=sight.view,
    redact=sight.redact,
    reveals=sight.reveals,
    determinise=sight.determinise,
    exchange=secrets.exchange,
    result=rules.result,
)
