"""Zatre's computer player: what it looks at, and what it may know."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core import driver
from infila.core.contract import WORTH
from infila.games.zatre import heuristics
from infila.players import search
from tests.games.zatre.table import table
from tests.play import random_game

ROOT = Path(__file__).parents[3]
OPTIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "keeping": "forced"},
    {"players": 4, "teams": True},
    {"players": 6, "teams": True, "keeping": "forced"},
    {"players": 5},
]


def ratings(states: Any) -> dict[int, int]:
    """Each legal action's rating."""
    rules = infila.new("zatre").contract.rules
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    rated = np.zeros(rules.MAX_LEGAL, np.int64)
    n = int(search.rated_at(states, int(states[0].turn), 0, np.zeros(1, np.uint64), out, rated))
    return dict(zip(out[:n].tolist(), rated[:n].tolist(), strict=True))


def by_text(game: infila.Game) -> dict[str, int]:
    return {game.text(action): rating for action, rating in ratings(game.states).items()}


def worths(states: Any) -> list[int]:
    out = np.zeros(16, np.int64)
    heuristics.worth(states[0], out)
    return [int(worth) for worth in out[: int(states[0].players)]]


@pytest.mark.parametrize("options", OPTIONS)
def test_ratings_see_no_more_than_the_seat_and_change_nothing(options: dict[str, Any]) -> None:
    for number, game in enumerate(random_game("zatre", 3, **options)):
        if game.over or number % 5:
            continue
        seat, before = game.player, game.states.tobytes()
        rated = ratings(game.states)
        assert game.states.tobytes() == before
        assert ratings(game.view(seat).states) == rated
        assert ratings(game.redrawn(seat, number).states) == rated


@pytest.mark.parametrize("options", OPTIONS)
def test_prospects_add_up_and_the_end_is_a_fact(options: dict[str, Any]) -> None:
    teams = 1 if options.get("teams") else 0
    for game in random_game("zatre", 4, **options):
        before = game.states.tobytes()
        prospects = worths(game.states)
        assert game.states.tobytes() == before
        assert sum(prospects[:: 1 << teams]) == WORTH
        assert all(0 <= worth <= WORTH for worth in prospects)
        assert all(worth == prospects[seat >> teams << teams] for seat, worth in enumerate(prospects))
    order = sorted(range(len(prospects)), key=lambda seat: game.scores[seat])
    assert [prospects[seat] for seat in order] == sorted(prospects)
    assert prospects[game.winners[0]] > WORTH // 2 or len(prospects) > 2


def test_a_margin_counts_but_winning_counts_most() -> None:
    def end(mine: int, other: int) -> int:
        sheets = {seat: {"x2": 0, "10": [1] * n, "11": [], "12": []} for seat, n in ((1, mine), (2, other))}
        lonely = table("6@h8", [1], [], bag=(), sheets=sheets)
        lonely.states[0].hand[:] = 0
        lonely.states[0].n_hand[:] = 0
        lonely.states[0].ended = 1
        return worths(lonely.states)[0]

    assert end(5, 5) == WORTH // 2
    assert end(5, 4) - end(4, 5) > WORTH // 2
    assert end(9, 5) > end(6, 5) > WORTH // 2 > end(5, 6) > end(5, 9)


def best(game: infila.Game) -> str:
    rated = by_text(game)
    return max(rated, key=lambda move: rated[move])


def test_it_fills_the_row_that_waits() -> None:
    """Z18: the 11 that fills row 1, with its bonus, before a 12 that runs ahead."""
    sheet = {"x2": 3, "10": [1, 1], "11": [], "12": [4, 4]}
    game = table("6@h8 1@h9", [4], [], sheets={1: sheet})
    assert best(game) in ("4@h10", "4@h7")
    game = table("6@h8 1@h9 1@i8", [5], [], sheets={1: {"x2": 3, "10": [1, 1], "11": [2, 2], "12": []}})
    assert best(game) in ("5@h10", "5@h7", "5@g8", "5@j8")


def test_it_counts_two_lines_and_the_cross() -> None:
    """Z15, Z17: on the light cell i9 a 5 makes 11 in its row and 11 in its column, and a cross."""
    game = table("6@h8 6@h9 6@i8", [5], [])
    assert best(game) == "5@i9"


def test_it_sees_the_second_tile() -> None:
    """Z9: neither 3 scores alone; together they make 12 in the column of the 6, one of them on a light cell."""
    game = table("6@h8", [3, 3], [])
    rated = by_text(game)
    assert rated["3@h9"] > rated["stop"]
    after = game.after("3@h9")
    assert best(after) in ("3@h10", "3@h7")


def test_it_lays_what_would_be_minus() -> None:
    """Z19: in the last turn a tile without points is laid rather than kept."""
    game = table("1@h8", [2], [], bag=())
    rated = by_text(game)
    assert all(rated[move] > rated["stop"] for move in rated if move != "stop")


def test_it_leaves_no_gift() -> None:
    """Nothing scores here: a 1 beside the 1s opens nothing, beside the 8 it leaves a 9 that 1, 2 and 3 complete."""
    rated = by_text(table("4@h8 4@h9 1@i8 1@j8", [1], []))
    assert rated["1@j7"] > rated["1@h10"]
    assert rated["1@j7"] > rated["1@h7"]


def test_it_draws_while_there_is_time() -> None:
    """Z13: with two kept tiles one more is drawn first; all can still be laid."""
    game = table("6@h8 5@i8", [3, 4], [], drawn=False)
    assert best(game) == "draw"


PLAIN = """
import json, sys
import tests.games.zatre.test_heuristics as here
print(json.dumps(here.sample()))
"""


def sample() -> list[Any]:
    """Ratings and prospects of a few positions."""
    found: list[Any] = []
    for options in OPTIONS[:3]:
        for number, game in enumerate(random_game("zatre", 6, 60, **options)):
            if number % 20 == 7 and not game.over:
                found.append([sorted(ratings(game.states).items()), worths(game.states)])
    return found


@pytest.mark.slow
def test_plain_python_thinks_the_same_and_warns_of_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(sample()))


def test_a_turn_that_has_passed_is_enough_but_the_end_is_played_out() -> None:
    game = table("6@h8 5@i8", [3, 4], [])
    root = game.states.copy()
    assert not heuristics.enough(game.states[0], root[0], 0)
    driver.play_at(game.states, 0, game.view(0).read("stop"))
    assert heuristics.enough(game.states[0], root[0], 0)
    late = table("6@h8 5@i8", [3, 4], [1], bag=(1, 2))
    root = late.states.copy()
    driver.play_at(late.states, 0, late.view(0).read("stop"))
    assert not heuristics.enough(late.states[0], root[0], 0)
