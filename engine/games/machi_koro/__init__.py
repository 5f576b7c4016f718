"""Machi Koro: dice, coins and the first four landmarks (rules.md, MK-*)."""

from engine.game import Game
from engine.games.machi_koro import evolve, legal, model, rules, secrets, sight
from engine.games.machi_koro.words import WORDS

GAME: Game[model.State, model.Action, model.Fact, model.View] = Game(
    key="machi-koro",
    version=1,
    players=range(2, 5),
    words=WORDS,
    Options=model.Options,
    Action=model.Action,
    Fact=model.Fact,
    View=model.View,
    State=model.State,
    start=rules.start,
    evolve=evolve.evolve,
    to_act=legal.to_act,
    legal=legal.legal,
    odds=legal.odds,
    parse=rules.parse,
    decide=rules.decide,
    view=sight.view,
    redact=sight.redact,
    reveals=sight.reveals,
    determinise=sight.determinise,
    exchange=secrets.exchange,
    result=rules.result,
)
