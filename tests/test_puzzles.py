"""The mistake budget: positions with one provably best move, in bench/games/<game>/puzzles.json."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import infila
from tests.play import GAMES

FOLDER = Path(__file__).parents[1] / "bench" / "games"
PUZZLES: dict[str, list[dict[str, Any]]] = {
    name: json.loads((FOLDER / name / "puzzles.json").read_text(encoding="utf-8")) for name in GAMES
}
MUST_SOLVE = {"master": 0.95, "expert": 0.90}


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough_and_none_twice(name: str) -> None:
    assert len(PUZZLES[name]) >= 25
    for field in ("name", "position"):
        assert len({json.dumps(puzzle[field], sort_keys=True) for puzzle in PUZZLES[name]}) == len(PUZZLES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_best_move_is_provably_best(name: str) -> None:
    prove = importlib.import_module(f"tests.games.{name}.puzzles").prove
    for puzzle in PUZZLES[name]:
        game = infila.load(puzzle["position"])
        moves = game.view(puzzle["seat"] - 1).moves
        assert set(puzzle["best"]) < set(moves), puzzle["name"]
        prove(game, puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("level", MUST_SOLVE)
@pytest.mark.parametrize("name", GAMES)
def test_strong_players_find_it(name: str, level: str) -> None:
    player = infila.player(name, level)
    missed = []
    for puzzle in PUZZLES[name]:
        view = infila.load(puzzle["position"]).view(puzzle["seat"] - 1)
        if player.think(view).move not in puzzle["best"]:
            missed.append(puzzle["name"])
    assert len(missed) <= (1 - MUST_SOLVE[level]) * len(PUZZLES[name]), missed
