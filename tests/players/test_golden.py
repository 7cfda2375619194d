"""What players think of fixed positions is written down: the same view, seed and budget give the same candidates.

    python -m tests.players.test_golden        writes them anew

A change that is only meant to be faster, or to read better, leaves them as they are.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.players.player import Candidate
from tests.play import GAMES

FILE = Path(__file__).with_name("golden.json")
PLAYERS = ("random", "beginner", "casual:30", "expert:60", "search:50")


def positions(name: str) -> list[infila.View]:
    """The views of whoever is on turn in a game for two and in one for more, after some moves."""
    views = []
    for players, moves in ((2, 14), (3, 25)):
        game = infila.new(name, players=players, seed=5)
        for _ in range(moves):
            game.play(game.moves[len(game.moves) // 2])
        while len(game.view(game.player).moves) < 2:
            game.play(game.moves[0])
        views.append(game.view(game.player))
    return views


def thoughts(name: str) -> dict[str, list[list[Any]]]:
    return {
        f"{spec}, {len(view.names)} players": [
            figures(each) for each in infila.player(name, spec, seed=3).think(view).candidates
        ]
        for view in positions(name)
        for spec in PLAYERS
    }


def figures(each: Candidate) -> list[Any]:
    return [
        each.action,
        each.rating,
        each.visits,
        *(None if x is None else round(x, 9) for x in (each.win, each.score)),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_players_think_what_they_thought(name: str) -> None:
    assert thoughts(name) == json.loads(FILE.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    found = [f'"{name}": {json.dumps(thoughts(name))}' for name in GAMES]
    FILE.write_text("{\n" + ",\n".join(found).replace("]], ", "]],\n ") + "\n}\n", encoding="utf-8")
