"""The computer players of Completto: what they look at, and that they look at nothing else."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core.contract import WORTH
from infila.core.games import contract_of
from infila.core.record import States
from infila.players.player import player
from tests.games.completto.table import game_of
from tests.play import position_in, random_game

ROOT = Path(__file__).parents[3]
CONTRACT = contract_of("completto")
OPTIONS: list[dict[str, Any]] = [{"players": 2}, {"players": 3, "games": 2}, {"players": 4, "games": 1}]


def ratings_of(states: States, actions: list[int]) -> list[int]:
    ratings = np.zeros(len(actions), np.int64)
    CONTRACT.heuristics.rate(states[0], np.array(actions, np.int16), len(actions), ratings)
    return list(ratings.tolist())


def worth_of(states: States) -> list[int]:
    out = np.zeros(16, np.int64)
    CONTRACT.heuristics.worth(states[0], out)
    return list(out[: states[0].players].tolist())


def some_positions(options: dict[str, Any], share: float, most: int = 300) -> list[infila.Game]:
    chance = random.Random(str(options))
    games = random_game("completto", chance.randrange(10**6), most=most, **options)
    return [game.copy() for game in games if chance.random() < share]


@pytest.mark.parametrize("options", OPTIONS)
def test_ratings_need_only_what_the_seat_knows(options: dict[str, Any]) -> None:
    for game in some_positions(options, 0.1):
        actions, before = game.actions(), game.states.tobytes()
        ratings = ratings_of(game.states, actions)
        assert game.states.tobytes() == before
        assert ratings_of(game.view(game.player).states, actions) == ratings
        assert ratings_of(game.redrawn(game.player, 7).states, actions) == ratings


@pytest.mark.parametrize("options", OPTIONS)
def test_worth_is_shared_out_and_needs_only_what_is_seen(options: dict[str, Any]) -> None:
    for game in some_positions(options, 0.1):
        worth = worth_of(game.states)
        assert sum(worth) == WORTH
        assert min(worth) >= 0
        assert worth_of(game.view().states) == worth


def test_at_the_end_worth_is_the_result() -> None:
    """C11: fewest minus points wins, equal points share the place."""
    for players in (2, 3, 4):
        for seed in range(3):
            *_, game = random_game("completto", seed, players=players, games=1)
            worth = worth_of(game.states)
            assert sum(worth) == WORTH
            assert [seat for seat in range(players) if worth[seat] > 0] == game.winners


def favourite(game: infila.Game) -> str:
    view = game.view(game.player)
    return player("completto", "club").think(view).move


OTHER = ".*10 50 52 53 54 57 .*7"
NEARLY = "1 6 11 16 21 26 31 36 41 46 51 56 61 66 71 76 {} 86 90 94 97 100"


@pytest.mark.parametrize(("tile", "places"), [(1, {1}), (3, {1, 2}), (50, {9, 10}), (97, {17, 18}), (100, {18})])
def test_start_leaves_room_in_proportion(tile: int, places: set[int]) -> None:
    """C2: a low number far to the left, a high one far to the right."""
    game = game_of(".*17", ".*17", hand=tile, phase="start")
    number, place = favourite(game).split("@")
    assert int(number) == tile
    assert int(place) in places


def test_a_pair_is_worth_a_place_that_fits_less_well() -> None:
    """C8: 41 beside 40 gives another turn."""
    row = ". 9 . . 23 . . . 40 . . . 58 . . 70 . . 85 . . 97"
    assert favourite(game_of(row, OTHER, hand=41)) == "41@10"


def test_a_tile_is_turned_for_a_pair() -> None:
    """C9, the rulebook's own example: 89 upside down is 68, and pairs with 67."""
    row = ". 5 . 20 . 31 . 44 . 49 . 55 . 67 . 81 82 85 . 93 . 99"
    assert favourite(game_of(row, OTHER, hand=89)) == "68@15"


def test_the_open_tile_that_completes_the_row_is_taken() -> None:
    """C10."""
    assert favourite(game_of(NEARLY.format("."), OTHER, open=[13, 80, 99])) == "take 80"


def test_an_open_tile_that_pairs_comes_before_one_that_does_not() -> None:
    """C8: 24 beside 23 costs no turn."""
    row = ". 9 . . 23 . . . 40 . . . 58 . . 70 . . 85 . . 97"
    assert favourite(game_of(row, OTHER, open=[24, 49])) == "take 24"


def test_a_place_that_nothing_fits_is_moved_to_an_open_tile() -> None:
    """C5: between 76 and 77 there is no number; with the covered tile between 86 and 90, 88 can be taken next."""
    row = "1 6 11 16 21 26 31 36 41 46 51 56 61 66 71 76 . 77 86 90 94 100"
    game = game_of(row, OTHER, open=[88])
    assert favourite(game) == "17>19"
    game.play("17>19")
    assert position_in(game.view(0))["rows"][0][18] == "(?)"


PLAIN = """
import json, sys
import infila
from tests.games.completto.test_heuristics import OPTIONS, ratings_of, some_positions, worth_of
found = []
for options in OPTIONS:
    for game in some_positions(options, 0.03, 100):
        found.append([ratings_of(game.states, game.actions()) if not game.over else [], worth_of(game.states)])
print(json.dumps(found))
"""


@pytest.mark.slow
def test_plain_python_judges_alike_and_warns_of_nothing() -> None:
    results = []
    for without in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAIN],
            cwd=ROOT,
            env=os.environ | {"NUMBA_DISABLE_JIT": without},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout))
    assert results[0] == results[1]
    assert len(results[0]) > 3
