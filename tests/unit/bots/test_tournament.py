"""The arena: fair line-ups, results that repeat, and a lead that is seen."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from bots.arena import log_order, play_match, play_order, series
from bots.crew import results
from bots.dice import common
from bots.registry import UnknownBot, bot, resolve
from bots.sdk_bot import IllegalAnswer
from bots.shadow import shadow, summary
from bots.tournament import Table, lineups, play_task, run, schedule
from engine import registry
from engine.game import begin
from service.cli import main

EXAMPLES = Path(__file__).parents[3] / "bots/sdk/examples"
TIDES = registry.game("tides-of-time")


def settled(outcome):
    return outcome[:6]  # the times differ


def test_everybody_sits_everywhere():
    for entries, seats in ((2, 2), (3, 2), (4, 3), (2, 3)):
        games = len(lineups(entries, seats)) * seats
        tasks = list(schedule(registry.game("machi-koro"), None, "abcd"[:entries], seats, games, seed=0))
        sat = [sorted(task.order[seat] for task in tasks) for seat in range(seats)]
        assert all(column == sat[0] for column in sat)
        assert set(sat[0]) == set(range(entries))


def test_results_do_not_depend_on_the_processes():
    tasks = list(schedule(TIDES, TIDES.Options(), ["random", "greedy", "search:12"], 2, 6, seed=1))
    with results(play_task, tasks, 1) as alone, results(play_task, tasks, 2) as together:
        assert list(map(settled, alone)) == list(map(settled, together))


def test_a_deal_is_the_same_for_everybody_who_plays_it():
    """Seats are exchanged, the dice are not: two that play alike get the same from each seat."""
    game = registry.game("machi-koro")
    tasks = list(schedule(game, game.Options(), ["greedy", "random"], 2, 8, seed=5))
    assert [task.deal for task in tasks] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert all(one.order == two.order[::-1] for one, two in zip(tasks[::2], tasks[1::2], strict=True))
    first = f"{EXAMPLES}/first_legal.py:FirstLegal"
    alike = [task._replace(names=(first, first)) for task in tasks]
    played = [play_task(task) for task in alike]
    assert all(one.scores == two.scores for one, two in zip(played[::2], played[1::2], strict=True))
    assert len({one.actions for one in played}) > 1


def test_a_bot_of_another_checkout_answers_as_it_does_there():
    root = Path(__file__).parents[3]
    there, here = resolve(f"{root}@search:20"), bot("search:20")
    view = TIDES.view(begin(TIDES, 2, TIDES.Options(), common(3))[0], 0)
    legal = TIDES.legal(TIDES.determinise(view, Random(1)), 0)
    for seed in range(3):
        asked = Random(seed).getrandbits(64)
        assert there(TIDES, view, 0, legal, Random(seed)) == here(TIDES, view, 0, legal, Random(asked))
    with pytest.raises(UnknownBot, match="no checkout"):
        resolve("/@greedy")


@pytest.mark.parametrize(
    ("better", "worse", "games"), [("greedy", "random", 40), ("search:30", "random", 40)]
)
def test_the_better_bot_wins(better, worse, games):
    tasks = list(schedule(TIDES, TIDES.Options(), [better, worse], 2, games, seed=2))
    table = Table([better, worse], 2)
    run(tasks, table, 1, stop_when_clear=True)
    assert table.interval(0).low > 0.5
    first, second = table.standings(seed=2)
    assert first.rating > second.rating
    assert first.appearances == second.appearances == table.games


def test_sdk_bots_sit_at_offline_tables():
    name = f"{EXAMPLES}/machi_koro_heuristic.py:MachiKoro"
    game = registry.game("machi-koro")
    tasks = list(schedule(game, game.Options(), [name, "random"], 2, 6, seed=3))
    wins = sum(outcome.order[seat] == 0 for outcome in map(play_task, tasks) for seat in outcome.winners)
    assert wins >= 5


def test_an_illegal_answer_is_the_bots_error(tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def choose(self, turn):\n        return {}\n")
    with pytest.raises(IllegalAnswer):
        play_match(TIDES, TIDES.Options(), ["a", "b"], [resolve(f"{tmp_path}/bad.py:Bad")] * 2, "seed")


def test_a_match_without_its_log_is_the_same_match():
    for game in registry.games():
        for order in series(game, game.Options(), ["random"] * max(2, game.players[0]), 3, seed=1):
            logged, bare = log_order(order), play_order(order)
            assert (logged.result, logged.actions) == bare


def played(name, seed):
    return play_match(TIDES, TIDES.Options(), [name, "random"], [bot(name), bot("random")], seed)


def test_a_shadow_agrees_with_itself_and_hardly_with_chance():
    first = resolve(f"{EXAMPLES}/first_legal.py:FirstLegal")
    lines = play_match(TIDES, TIDES.Options(), ["first", "random"], [first, bot("random")], "s").lines
    told = [summary(list(shadow(lines, first, seat))) for seat in (0, 1)]
    assert told[0].agreed == told[0].decisions >= 10
    assert 0 < told[1].agreed < told[1].decisions
    assert told[0].illegal == told[1].illegal == 0
    assert 0.1 < told[1].by_chance < 0.5


def test_a_shadow_hears_what_its_seat_heard(tmp_path):
    (tmp_path / "spy.py").write_text(
        "class Spy:\n    turns = []\n    def choose(self, turn):\n"
        "        self.turns.append(turn)\n        return turn.legal[0]\n"
    )
    spy = resolve(f"{tmp_path}/spy.py:Spy")
    lines = played("greedy", "t").lines
    answers = list(shadow(lines, spy, seat=1))
    turns = spy._bot.turns
    assert len(turns) == len(answers)
    assert {answer.seat for answer in answers} == {1}
    assert all("seed" not in event and "salt" not in event for turn in turns for event in turn.since)
    heard = [event["seq"] for turn in turns for event in turn.since]
    assert heard == sorted(set(heard)), "everything once, in order"
    others = [f for t in turns for e in t.since for f in e.get("facts", ()) if isinstance(f, dict)]
    assert all(f.get("card") is None for f in others if f["type"] == "dealt" and f["seat"] == 0)


def test_commands(tmp_path, capsys):
    plot = tmp_path / "ratings.svg"
    arena = ["arena", "tides-of-time", "--bots", "greedy,random", "--games", "4", "--jobs", "1", "--json"]
    assert main([*arena, "--plot", str(plot)]) == 0
    report = msgspec.json.decode(capsys.readouterr().out)
    assert [row["bot"] for row in report["bots"]] == ["greedy", "random"]
    assert sum(row["wins"] for row in report["bots"]) == report["games"] == 4
    assert plot.read_text().startswith("<svg")

    lines = tmp_path / "matches.ndjson"
    assert main([*arena, "--lines", str(lines)]) == 0
    matches = [msgspec.json.decode(line) for line in lines.read_bytes().splitlines()]
    assert [match["deal"] for match in matches] == [0, 0, 1, 1]
    capsys.readouterr()

    sim = ["sim", "tides-of-time", "--games", "5", "--json"]
    told = []
    for more in (["--jobs", "1"], ["--jobs", "2", "--logs", str(tmp_path / "logs")]):
        assert main([*sim, *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    logs = sorted((tmp_path / "logs").iterdir())
    assert len(logs) == 5
    assert main(["verify", *map(str, logs)]) == 0

    starter, log = tmp_path / "mine.py", tmp_path / "match.ndjson"
    assert main(["bot", "new", str(starter)]) == 0
    assert main(["bot", "new", str(starter)]) == 2, "an existing file is left alone"
    assert main(["sim", "tides-of-time", "--bots", f"{starter}:MyBot,random", "--log", str(log)]) == 0
    capsys.readouterr()
    assert main(["bot", "shadow", str(log), "--bot", f"{starter}:MyBot", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"]["illegal"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["arena", "tides-of-time", "--bots", "greedy"],
        ["arena", "tides-of-time", "--bots", "greedy,greedy"],
        ["arena", "tides-of-time", "--bots", "greedy,nobody"],
        ["arena", "tides-of-time", "--bots", "greedy,random", "--games", "0"],
        ["arena", "tides-of-time", "--bots", "greedy,random", "--seats", "3"],
        ["arena", "machi-koro", "--bots", "greedy,random,search", "--stop-when-clear"],
        ["arena", "tides-of-time", "--bots", "greedy,/@greedy"],
        ["sim", "tides-of-time", "--jobs", "0"],
        ["bot", "run", "missing.py:Bot", "--url", "http://127.0.0.1:1", "--token", "t"],
        ["bot", "run", "missing.py:Bot", "--url", "http://127.0.0.1:1"],
    ],
)
def test_wrong_usage(wrong, capsys):
    assert main(wrong) == 2
    assert capsys.readouterr().err.startswith("turnlog: ")
