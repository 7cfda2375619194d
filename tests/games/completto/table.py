"""Positions of Completto for its tests, written as rows, and what the tests ask of a game.

Tests cite the rules by their numbers, as infila/games/completto/texts/en.md has them.
"""

from typing import Any

import pytest

import infila
from infila import Game, IllegalMove
from tests.play import position_in

TILES = range(1, 101)
START = 5  # tiles that everyone inserts in the start


def row_from(text: str, spare: list[int]) -> list[str]:
    """A row from "1 . 9 .*3 89/68": dots are covered tiles, which are taken from `spare`."""
    row: list[str] = []
    for word in text.split():
        if word[0] == ".":
            row += [f"({spare.pop()})" for _ in range(int(word[2:] or 1))]
        else:
            row.append(word)
    return row


def position(*rows: str, **more: Any) -> dict[str, Any]:
    """A position with these rows; `draws` are the tiles that come next, `open` lie open, the others are covered."""
    draws, lying, hand = more.pop("draws", []), sorted(more.pop("open", [])), more.pop("hand", 0)
    used = {int(word.split("/")[0]) for row in rows for word in row.split() if word[0] != "."}
    spare = [tile for tile in TILES if tile not in {*used, *draws, *lying, hand}]
    filled = [row_from(row, spare) for row in rows]
    if more.pop("no_covered", False):
        lying, spare = sorted(lying + spare), []
    players = len(rows)
    return {
        "game": "completto",
        "rules": 1,
        "options": {"players": players, "games": more.pop("games", 1), "first": "random"},
        "chance": {"key": ["0123456789abcdef", "fedcba9876543210"], "counter": 0},
        "player": 1,
        "over": False,
        "number": 1,
        "starter": 1,
        "points": [0] * players,
        "phase": "place" if hand else "turn",
        "turns": 0,
        "hand": hand,
        "rows": filled,
        "covered": [*spare, *reversed(draws)],
        "open": lying,
        **more,
    }


ROW = "10 . . 20 30 40 50 .*15"
OTHER = "2 17 27 37 47 .*17"  # a row for the opponent
ALMOST = " ".join(str(number) for number in range(51, 71)) + " 88 ."  # one tile above 88 is missing


def game_of(*rows: str, **more: Any) -> Game:
    return infila.load(position(*rows, **more))


def refused(game: Game, move: str) -> str:
    """The rule by which a move is refused; nothing has changed."""
    before = position_in(game)
    with pytest.raises(IllegalMove) as problem:
        game.play(move)
    assert position_in(game) == before
    assert game.why_not(move) == str(problem.value)
    return problem.value.rule


def shown(game: Game, seat: int = 0) -> str:
    """A row as one sees it."""
    row = position_in(game.view(seat))["rows"][seat]
    return " ".join("." if tile == "(?)" else tile for tile in row)


def placings(game: Game) -> list[str]:
    return [move for move in game.moves if "@" in move]


def moves_of_covered(game: Game) -> list[str]:
    return [move for move in game.moves if ">" in move]


def through_the_start(game: Game) -> Game:
    while position_in(game)["phase"] == "start":
        game.play(game.moves[0])
    return game
