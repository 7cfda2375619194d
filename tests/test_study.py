"""A study counts what happened: against games that are played and counted again in plain Python."""

import importlib
import json
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from math import log10
from pathlib import Path

import pytest

import infila
from infila import cli
from infila.batch import counted_play
from infila.batch.simulate import simulate
from infila.core.games import contract_of
from infila.study import plot, show
from infila.study.figures import Figures
from infila.study.run import study
from tests.cases import cases_of
from tests.play import GAMES
from tests.replayed import Played

pytestmark = pytest.mark.slow

OPTIONS = {name: cases_of(name).studied for name in GAMES}
PLAYED = 40


@pytest.fixture(scope="module", params=GAMES)
def both(request: pytest.FixtureRequest) -> tuple[list[Played], Figures]:
    """Games played again in plain Python, and the study of them."""
    name = request.param
    games = [Played(name, OPTIONS[name], number) for number in range(PLAYED)]
    return games, study(name, PLAYED, OPTIONS[name], threads=2).run()


def test_lengths_choices_and_their_course(both: tuple[list[Played], Figures]) -> None:
    games, figures = both
    assert figures.moves.counts == Counter(len(game.seats) for game in games)
    assert figures.turns.counts == Counter(game.turns for game in games)
    every = [width for game in games for width in game.widths]
    assert figures.choices.counts == Counter(width for width in every if width > 1)
    assert figures.forced == every.count(1) / len(every)
    assert figures.decisions.counts == Counter(sum(width > 1 for width in game.widths) for game in games)
    assert figures.tree == pytest.approx(statistics.mean(sum(map(log10, game.widths)) for game in games))
    slices: list[list[int]] = [[] for _ in range(counted_play.SLICES)]
    for game in games:
        for k, width in enumerate(game.widths):
            slices[k * counted_play.SLICES // len(game.widths)].append(width)
    assert figures.course == pytest.approx([statistics.mean(some) for some in slices])


def test_scores_and_wins_by_place(both: tuple[list[Played], Figures]) -> None:
    games, figures = both
    sides = len(set(games[0].side_of))
    scores, wins, decisions = [0.0] * sides, [0.0] * sides, [0] * sides
    shared = drawn = 0
    for game in games:
        by_side = dict(zip(game.side_of, game.scores, strict=True))
        best = [side for side, score in by_side.items() if score == max(by_side.values())]
        drawn += not best
        shared += len(best) > 1
        for place, side in enumerate(game.sides_in_order()):
            scores[place] += by_side[side]
            wins[place] += (side in best) / len(best)
            decided = [seat for seat, width in zip(game.seats, game.widths, strict=True) if width > 1]
            decisions[place] += sum(game.side_of[seat] == side for seat in decided)
    assert figures.place_scores.tolist() == scores
    assert figures.place_decisions.tolist() == decisions
    assert [share.mean for share in figures.wins()] == pytest.approx([won / PLAYED for won in wins])
    assert figures.ties == pytest.approx(shared / PLAYED) and figures.draws == drawn
    assert all(share.low <= share.mean <= share.high for share in figures.wins())


def test_events_are_what_the_texts_and_the_scores_tell(both: tuple[list[Played], Figures]) -> None:
    games, figures = both
    found = {happened.event.text: happened for happened in figures.events()}
    events = importlib.import_module(f"tests.games.{games[0].contract.name}.events").events
    expected = [events(game) for game in games]
    for text in expected[0]:
        times = [counts[text] for counts in expected]
        happened = found[text]
        assert (happened.times, happened.games, happened.most) == (sum(times), sum(map(bool, times)), max(times)), text


def test_events_cite_rules() -> None:
    for name in GAMES:
        events = contract_of(name).study.EVENTS
        rules = set(re.findall(r"\b[ZTCS]\d+\b", Path(f"infila/games/{name}/rules.py").read_text()))
        assert len({event.text for event in events}) == len(events)
        assert rules and all(re.fullmatch(r"[ZTCS]\d+", event.rule) for event in events)


def test_random_play_is_that_of_simulate() -> None:
    figures, tally = study("sequence", 300, threads=1, seed=5).run(), simulate("sequence", 300, seed=5, report=True)
    assert figures.moves.counts == tally.lengths


def test_long_games_have_a_course_too() -> None:
    """More moves than a trail has places."""
    rounds = 60
    figures = study("take_that", 1, {"rounds": rounds}, threads=1).run()
    assert figures.moves.least > counted_play.TRAIL
    assert figures.curve[0].sum() == figures.widths.sum() == figures.moves.least
    assert figures.curve[1].sum() == sum(n * int(count) for n, count in enumerate(figures.widths))
    assert all(mean and 3 < mean < 8 for mean in figures.course)


def same(one: Figures, other: Figures) -> bool:
    facts = [show.facts(figures) | {"seconds": 0, "interrupted": False} for figures in (one, other)]
    return facts[0] == facts[1]


def test_players_take_every_place_in_turn_and_the_stronger_wins() -> None:
    figures = study("take_that", 200, by=("club", "random"), threads=2).run()
    assert figures.player_sides.tolist() == [200, 200]
    club, other = figures.player_wins()
    assert club.low > 0.8 and club.mean + other.mean == pytest.approx(1)
    assert same(figures, study("take_that", 200, by=("club", "random"), threads=1).run())


def test_an_interrupted_study_is_one_of_fewer_games() -> None:
    def interrupt(figures: Figures) -> None:
        if figures.games >= limit:
            raise KeyboardInterrupt

    limit = 5000
    stopped = study("take_that", 10**9, threads=2).run(interrupt)
    assert stopped.games == 8192 < stopped.wanted
    assert same(stopped, study("take_that", 8192, threads=1).run())
    limit = 2
    stopped = study("take_that", 10**6, {"rounds": 1}, by=("search:3", "club"), threads=2).run(interrupt)
    assert same(stopped, study("take_that", 2, {"rounds": 1}, by=("search:3", "club"), threads=1).run())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("chess", "there is no game 'chess'"),
        ("zatre --players 7", "players cannot be 7"),
        ("zatre --by genius", "there is no player 'genius'"),
        ("zatre --by club,", "there is no player ''"),
        ("zatre --games 0", "games cannot be 0"),
        ("zatre --threads 0", "threads cannot be 0"),
        ("zatre --seed -1", "seed cannot be -1"),
        ("zatre --plot zatre.doc", "a plot is written as .svg or .png"),
        ("zatre --games many", "invalid int value: 'many'"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["study", *arguments.split()])
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.out == ""
    assert sentence in said.err and said.err.count("\n") == 1


def test_the_command_prints_tables_or_json_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "take_that.svg"
    cli.main(["study", "take_that", "--games", "60", "--by", "club,random", "--plot", str(picture)])
    said = capsys.readouterr().out
    for words in ("Take That, 2 players, by club and random: 60 games", "moves without a choice", "pairs twisted"):
        assert words in said
    assert 5_000 < picture.stat().st_size < 60_000
    cli.main(["study", "take_that", "--games", "60", "--by", "club,random", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert (facts["games"], facts["interrupted"], len(facts["places"])) == (60, False, 2)
    again = tmp_path / "again.svg"
    plot.draw(study("take_that", 60, by=("club", "random")).run(), again)
    assert again.read_bytes() == picture.read_bytes()
    with pytest.raises(infila.InfilaError, match="cannot be written"):
        plot.draw(study("take_that", 60).run(), picture / "no_folder.png")


UNJITTED = """
import json, sys
from infila.study import show
from infila.study.run import study
for name, options in json.loads(sys.argv[1]).items():
    print(json.dumps(show.facts(study(name, 1, options, threads=1).run()) | {"seconds": 0}))
"""


def test_plain_python_counts_the_same() -> None:
    command = [sys.executable, "-W", "error", "-c", UNJITTED, json.dumps(OPTIONS)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    for line, (name, options) in zip(done.stdout.splitlines(), OPTIONS.items(), strict=True):
        compiled = show.facts(study(name, 1, options, threads=1).run()) | {"seconds": 0}
        assert json.loads(line) == json.loads(json.dumps(compiled))
