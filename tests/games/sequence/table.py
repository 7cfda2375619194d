"""Positions of Sequence for its tests, by the hands and chips that matter, and what is read off them.

The tests read like the rules, infila/games/sequence/texts/en.md: each names the one that decides in it.
"""

from typing import Any

import pytest

import infila
from infila.games.sequence.board import CARD_NAMES
from infila.games.sequence.notation import CELL_NAMES
from tests.compare import OPTION_SETS
from tests.play import option_id, position_in

RANKS = "23456789TJQKA"
DECK = [name for name in CARD_NAMES[1:] for _ in range(2)]
EVERY_OPTION_SET = pytest.mark.parametrize("options", OPTION_SETS["sequence"], ids=option_id)
TALK = {"table_talk": "forbidden"}


def position(
    *hands: str, chips: dict[int, str] | None = None, top: str = "", rest: str = "pile", **fields: Any
) -> dict[str, Any]:
    """A position from its hands and each side's chips; `top` lies on the pile, the rest below it or on the discards."""
    options: dict[str, Any] = {"players": len(hands)}
    for name in ("sides", "advanced", "draw", "table_talk"):
        if name in fields:
            options[name] = fields.pop(name)
    empty = infila.new("sequence", seed=1, **options)
    sides = empty.options["sides"]
    board = [["." for _ in range(10)] for _ in range(10)]
    for side, cells in (chips or {}).items():
        for cell in cells.split():
            number = CELL_NAMES.index(cell)
            board[9 - number // 10][number % 10] = str(side)
    for row, column in ((0, 0), (0, 9), (9, 0), (9, 9)):
        board[row][column] = "*"
    left = list(DECK)
    for card in " ".join((*hands, top)).split():
        left.remove(card)
    return {
        "game": "sequence",
        "rules": 1,
        "options": empty.options,
        "chance": {"key": ["0" * 16, "0" * 16], "counter": 0},
        "player": 1,
        "over": False,
        "cut": [],
        "dealer": len(hands),
        "turns": 20,
        "passes": 0,
        "exchanged": False,
        "board": ["".join(row) for row in board],
        "sequences": [[] for _ in range(sides)],
        "locking": None,
        "hands": [hand.split() for hand in hands],
        "pile": (left if rest == "pile" else []) + list(reversed(top.split())),
        "discards": [] if rest == "pile" else [[1, card] for card in left],
        "undrawn": [],
        "owing": [],
        "winner": None,
    } | fields


def table(*hands: str, **fields: Any) -> infila.Game:
    return infila.load(position(*hands, **fields))


def cell(game: infila.Game, name: str) -> str:
    number = CELL_NAMES.index(name)
    mark: str = position_in(game)["board"][9 - number // 10][number % 10]
    return mark


def hand(game: infila.Game, seat: int) -> str:
    return " ".join(position_in(game)["hands"][seat - 1])


def refused(game: infila.Game, move: str, rule: str) -> None:
    before = position_in(game)
    with pytest.raises(infila.IllegalMove) as problem:
        game.play(move)
    assert problem.value.rule == rule
    assert position_in(game) == before
    assert game.why_not(move) == str(problem.value)


def starting(game: infila.Game, word: str) -> list[str]:
    return [move for move in game.moves if move.split(": ")[-1].startswith(word)]
