"""Rule cases of Pig: a table, prepared dice, and what is done."""

from typing import Any

import msgspec

from engine.chance import prepared
from engine.game import begin
from engine.games.pig import GAME
from engine.games.pig.model import Options
from engine.kit.casework import act_all, differ, facts, only


def check(case: dict[str, Any]) -> list[str]:
    """The differences between what the case expects and what happens."""
    given, expect = case["given"], facts(case["expect"])
    only("given", given, ("seats", "options", "dice"))
    options = msgspec.convert(given.get("options") or {}, Options)
    pick = prepared(given.get("dice", []))
    state, _ = begin(GAME, given["seats"], options, pick)
    state, problems = act_all(GAME, state, case["do"], expect.get("error"), pick)
    got = {
        "banked": list(state.banked),
        "at_risk": state.at_risk,
        "to_act": sorted(GAME.to_act(state)),
        "winners": list(result.winners) if (result := GAME.result(state)) else [],
    }
    only("expect", expect, (*got, "error"))
    return problems + [line for key in got if key in expect for line in differ(key, got[key], expect[key])]
