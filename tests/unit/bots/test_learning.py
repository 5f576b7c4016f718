"""Learning: features see no more than a view, weights repeat, and a small run goes all the way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

import bots
from bots.dice import common
from bots.learning.fit import fit, rows, target_of
from bots.learning.matches import Record, Wanted, play_wanted, steps, wanted
from bots.learning.weights import Trial, file_of, judged, nothing, play_trial, read
from engine import registry
from engine.game import begin, play
from engine.kit.learned import Learned, dot
from service.cli import main

LEARNED = [key for key in registry.GAMES if hasattr(registry.part(key, "hints"), "LEARNED")]


def seen(key, seed, seats=2):
    """(view, seat) before and after every third decision of a random match."""
    game, rng = registry.game(key), Random(seed)
    pick = common(seed)
    state, _ = begin(game, seats, game.Options(), pick)
    number = 0
    while waiting := game.to_act(state):
        seat = min(waiting)
        after, _ = play(game, state, seat, rng.choice(game.legal(state, seat)), pick)
        if number % 3 == 0:
            yield from ((one, seat) for one in (state, after) if game.to_act(one))
        state, number = after, number + 1


@pytest.mark.parametrize("key", LEARNED)
def test_features_see_what_the_seat_sees(key):
    """What is hidden is exchanged: the numbers stay the same, and so does the worth."""
    game, made, hints = registry.game(key), registry.part(key, "features"), registry.part(key, "hints")
    rng = Random(2)
    for state, seat in seen(key, 3):
        view = game.view(state, seat)
        other = game.view(game.determinise(view, rng), seat)
        assert made.features(other, seat) == made.features(view, seat)
        assert hints.value(other, seat) == pytest.approx(hints.value(view, seat))


@pytest.mark.parametrize("key", LEARNED)
def test_features_fit_their_names_and_stages(key):
    game, made = registry.game(key), registry.part(key, "features")
    stages = set()
    for seed in range(3):
        for state, seat in seen(key, seed):
            view = game.view(state, seat)
            assert len(made.features(view, seat)) == len(made.NAMES) == len(set(made.NAMES))
            stages.add(made.stage(view, seat))
    assert stages <= set(range(made.STAGES))
    assert len(stages) > made.STAGES // 3


def test_tides_of_time_is_judged_by_the_sum_of_its_features():
    game, made = registry.game("tides-of-time"), registry.part("tides-of-time", "features")
    value, weights = registry.part("tides-of-time", "hints").value, read(file_of("tides-of-time"))
    for state, seat in seen("tides-of-time", 5):
        view = game.view(state, seat)
        spelled_out = dot(made.features(view, seat), weights[made.stage(view, seat)])
        assert value(view, seat) == pytest.approx(made.known(view, seat) + spelled_out)


@pytest.mark.parametrize("key", LEARNED)
def test_shipped_weights_say_where_they_come_from(key):
    made = msgspec.json.decode(file_of(key).read_bytes())["made"]
    assert made["command"].startswith(f"turnlog learn {key} ")
    assert made["commit"]
    seeds = msgspec.json.decode((Path(bots.__file__).parent / "seeds.json").read_bytes())
    low, high = seeds["learning"]["seeds"]
    assert low <= int(made["command"].split("--seed ")[1].split()[0]) <= high, "never those of the evaluation"
    assert all(one["matches"] >= 40 and one["loss"] < one["blind_loss"] for one in made["rounds"])


def test_weights_for_other_features_are_refused():
    with pytest.raises(ValueError, match="other features"):
        Learned(str(file_of("tides-of-time")), 1, ["something else"], list)


def record(matches=1, **changes):
    plan = Wanted("tides-of-time", 2, "random", "", 0.0)._replace(**changes)
    return [play_wanted(task) for task in wanted(plan, matches, seed=9)]


def test_a_record_is_the_whole_match():
    one = record(bot="greedy", stray=0.5)[0]
    again = list(steps(msgspec.json.decode(msgspec.json.encode(one), type=Record)))
    game = registry.game("tides-of-time")
    assert game.result(again[-1].after).scores == one.scores
    assert len(again) == len(one.played)
    assert record(bot="greedy", stray=0.5)[0] == one
    assert record(bot="greedy", stray=0.0)[0].played != one.played


def test_what_is_learned():
    one = Record("tides-of-time", 2, "s", (), (40, 55), (1,))
    assert [target_of("lead", one, seat) for seat in (0, 1)] == [-15, 15]
    assert [target_of("points", one, seat) for seat in (0, 1)] == [40, 55]
    last = list(rows(record()[0]))[-1]
    assert last.stage < registry.part("tides-of-time", "features").STAGES


def test_a_fit_finds_what_the_positions_say_and_repeats():
    records = record(matches=60)
    one, two = (fit("tides-of-time", records, 100.0, nothing("tides-of-time")) for _ in range(2))
    assert one == two
    tight = fit("tides-of-time", records, 1e12, one.weights)
    assert tight.weights == one.weights, "drawn to what was known before"


def test_better_weights_win_their_trial():
    path = str(file_of("tides-of-time"))
    even = judged([play_trial(Trial("tides-of-time", 2, f"t {n}", path, path)) for n in range(4)])
    assert even.fair == 0.5
    assert not even.wins


def test_a_small_run_goes_all_the_way(tmp_path, capsys):
    out = tmp_path / "weights.json"
    command = ["learn", "tides-of-time", "--rounds", "random:30,greedy:4", "--afresh", "--seed", "3"]
    command += ["--deals", "2", "--force", "--json", "--data", str(tmp_path / "data")]
    assert main([*command, "--out", str(out), "--jobs", "2"]) == 0
    first, report = out.read_bytes(), msgspec.json.decode(capsys.readouterr().out)
    assert [one["matches"] for one in report["rounds"]] == [30, 4]
    assert len(read(out)) == registry.part("tides-of-time", "features").STAGES

    lines = next((tmp_path / "data").glob("*-1.ndjson"))
    lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:2]) + b'{"game":"ti')
    assert main([*command, "--out", str(out), "--jobs", "1"]) == 0, "a stopped run goes on"
    assert out.read_bytes() == first, "and finds the same, however many processes play"
    lines.write_bytes(lines.read_bytes().replace(b"learn tides", b"other tides"))
    assert main([*command, "--out", str(out), "--jobs", "1"]) == 2, "other matches are left alone"
    capsys.readouterr()


@pytest.mark.parametrize(
    "wrong",
    [
        ["--rounds", "greedy"],
        ["--rounds", "nobody:3"],
        ["--rounds", "greedy:0"],
        ["--rounds", "random:5", "--seats", "9"],
        ["--rounds", "random:5", "--deals", "1"],
    ],
)
def test_wrong_usage(wrong, capsys):
    assert main(["learn", "tides-of-time", *wrong]) == 2
    assert capsys.readouterr().err.startswith("turnlog: ")
