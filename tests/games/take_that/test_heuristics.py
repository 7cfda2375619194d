"""Take That's computer player: what it may know and what it must see."""

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core.contract import WORTH
from infila.core.dispatch import rate, worth
from infila.core.record import Ints, States
from infila.core.rule import rule
from infila.games.take_that.heuristics import LEVELS
from tests.games.take_that.table import table
from tests.play import option_id, position_in, random_game

ROOT = Path(__file__).parents[3]
OPTIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 2, "rounds": 1, "expert": True},
    {"players": 3, "rounds": 3},
    {"players": 4, "expert": True},
]


@rule
def rate_at(states: States, actions: Ints, n: int, ratings: Ints) -> None:
    rate(states[0], actions, n, ratings)


@rule
def worth_at(states: States, out: Ints) -> None:
    worth(states[0], out)


def ratings(game: infila.Game) -> dict[str, int]:
    """The rating of every move, from the view of the seat on turn."""
    view = game.view(game.player)
    actions = np.array(view.actions(), np.int16)
    out = np.zeros(len(actions), np.int64)
    before = view.states.tobytes()
    rate_at(view.states, actions, len(actions), out)
    assert view.states.tobytes() == before
    return {view.text(int(action)): int(rating) for action, rating in zip(actions, out, strict=True)}


def prospects(game: infila.Game) -> list[int]:
    out = np.zeros(len(game.names), np.int64)
    worth_at(game.states, out)
    return [int(value) for value in out]


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_a_rating_needs_only_what_the_seat_knows(options: dict[str, Any]) -> None:
    chance = random.Random(option_id(options))
    for game in random_game("take_that", chance.randrange(10**6), **options):
        if game.over or chance.random() > 0.3:
            continue
        seen = ratings(game)
        other = game.redrawn(game.player, chance.randrange(2**60))
        actions = np.array(game.actions(), np.int16)
        out = np.zeros(len(actions), np.int64)
        for states in (game.states, other.states):
            before = states.tobytes()
            rate_at(states, actions, len(actions), out)
            assert out.tolist() == list(seen.values())
            assert states.tobytes() == before


def test_a_sample_of_moves_with_repeats_gets_the_same_ratings() -> None:
    for game in random_game("take_that", 5, most=60):
        seen = ratings(game)
        some = random.Random(5).choices(game.actions(), k=6)
        out = np.zeros(6, np.int64)
        rate_at(game.states, np.array(some, np.int16), 6, out)
        assert out.tolist() == [seen[game.text(action)] for action in some]


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_the_prospects_of_all_make_one_whole_and_are_facts_in_the_end(options: dict[str, Any]) -> None:
    for seed in range(4):
        for game in random_game("take_that", seed, **options):
            shares = prospects(game)
            assert sum(shares) == WORTH
            assert all(0 <= share <= WORTH for share in shares)
        order = sorted(range(len(shares)), key=lambda seat: game.scores[seat])
        for low, high in pairwise(order):
            assert shares[low] <= shares[high] + len(shares)
        if len(game.winners) == 1:
            assert shares[game.winners[0]] > WORTH * 3 // 4


def test_equal_scores_are_worth_the_same() -> None:
    game = table([[45], [46]], row=(12,), minus={2: [c for c in range(13, 45) if c % 10]}, plus={})
    shares = prospects(infila.load(position_in(game) | {"points": [-game.scores[0], -game.scores[1]]}))
    assert shares == [WORTH // 2, WORTH // 2]


def best(game: infila.Game) -> str:
    seen = ratings(game)
    return max(seen, key=lambda move: seen[move])


def test_a_card_that_nobody_can_follow_is_placed() -> None:
    """T4, T6: nothing unseen fits beside 18, and something does beside 35 and 36."""
    game = table([[18, 35, 36, 45], [39, 41, 42, 46]], row=(44, 38, 27))
    assert best(game) == "18"


def test_the_toad_is_placed_before_a_player_who_is_stuck() -> None:
    """T8: nothing unseen fits beside either card, and a toad costs five."""
    game = table([[84, 88], [21, 23, 24, 25]], row=(94, 91, 86))
    assert best(game) == "88"


def test_a_twist_beats_placing_into_danger() -> None:
    """T5: 94 takes 49 for two points; 61 would be followed by cards that nothing in the hand can follow."""
    game = table([[12, 13, 61, 94], [62, 63, 64, 65]], row=(66, 55, 49, 51), pile=(67, 68, 69, 71, 74, 75, 76, 78))
    assert best(game) == "94x49"


def test_a_card_whose_twisted_card_is_unseen_is_placed_last() -> None:
    """T5: 43 could be twisted by 34, while 42's twisted card 24 is gone."""
    game = table([[42, 43], [34, 71, 72]], row=(45,), pile=(81, 82, 83), minus={1: [24]})
    assert best(game) == "42"


def test_the_twist_is_not_thrown_into_the_row() -> None:
    """T5: 54 could twist 45; 51 follows as well."""
    game = table([[51, 54], [47, 48, 58, 59]], row=(45, 49), pile=(12, 13, 14, 15))
    assert ratings(game)["54"] < ratings(game)["51"]
    assert ratings(game)["54"] < ratings(game)["54x45"]


def test_every_level_is_there() -> None:
    assert list(LEVELS) == ["beginner", "casual", "club", "expert", "master"]


# one source


ELSEWHERE = """
import json
import numpy as np
from tests.games.take_that.test_heuristics import OPTIONS, prospects, ratings
from tests.play import random_game
print(json.dumps([
    [ratings(game) if not game.over else {}, prospects(game)]
    for options in OPTIONS for i, game in enumerate(random_game("take_that", 3, most=40, **options)) if i % 4 == 0
]))
"""


@pytest.mark.slow
def test_plain_python_rates_and_judges_alike_and_warns_of_nothing() -> None:
    def run(**environment: str) -> Any:
        command = [sys.executable, "-W", "error", "-c", ELSEWHERE]
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert run(NUMBA_DISABLE_JIT="1") == run()
