"""Zatre: moves as texts and as paths of parts, and positions that cannot be."""

from typing import Any

import pytest

import infila
from tests.games.zatre.table import BLOCK, EMPTY, begun, opening, pairs, refused, table
from tests.play import position_in


def test_texts_that_are_no_moves() -> None:
    game = table("6@h8", [1, 2], [])
    assert refused(game, "five") == ""
    assert refused(game, "1@") == ""
    game.play("1@H9")
    game.play("STOP")
    assert game.history == ("1@h9", "stop")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"start": [[1, 6], [2, 6]]}, "Z4"),
        ({"start": [[1, 6], [2, 3]], "starter": 2}, "Z4"),
        ({"start": [[2, 6], [1, 3]]}, "Z4"),
        ({"start": [[1, 6], [2, 6]] * 11 + [[1, 2], [2, 1]]}, "Z1"),
        ({"board": ["." * 15] * 15}, "Z2"),
        ({"board": 15 * [""]}, "15 texts"),
        ({"laid": ["c3"]}, "cells with tiles"),
        ({"laid": ["h8", "i7"]}, "ascending"),
        ({"laid": ["h8"], "owing": ["h8"]}, "Z9"),
        ({"laid": ["i7"], "owing": ["i7"]}, "Z9"),
        ({"second": True}, "Z21"),
        ({"drawn_second": True}, "Z21"),
        ({"over": True}, "Z19"),
        ({"opening": True}, "Z4"),
        ({"drawn": False}, "Z13"),
        ({"player": 2}, "Z22"),
        ({"known": [[1, "6"], [0, ""]]}, "does not hold"),
        ({"known": [[1, "13"], [0, ""]]}, "from a certain one up"),
        ({"known": [[0, "6"], [0, ""]]}, "from a certain one up"),
        ({"known": [[0, ""], [1, "6"]]}, "of all or of none"),
        ({"sheets": [EMPTY]}, "list of length 2"),
        ({"sheets": [EMPTY, []]}, "object"),
        ({"sheets": [EMPTY, EMPTY | {"12": [2]}]}, "cannot hold"),
        ({"sheets": [EMPTY, EMPTY | {"10": [1] * 60}]}, "Z15"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], sentence: str) -> None:
    position = position_in(table(BLOCK, [1], [6, 5]))
    with pytest.raises(infila.BadPosition, match=sentence):
        infila.load(position | change)


def test_positions_of_the_board_that_cannot_be() -> None:
    with pytest.raises(infila.BadPosition, match="Z8"):
        table("6@h8 6@i8 1@j8", [1], [])
    with pytest.raises(infila.BadPosition, match="Z4"):
        table("6@i8", [1], [])
    with pytest.raises(infila.BadPosition, match="Z9"):
        table("6@h8 3@h7 4@i7", [2], [], new="i7", owing="i7")
    with pytest.raises(infila.BadPosition, match="Z4"):
        opening([1, 2], [])
    with pytest.raises(infila.BadPosition, match="Z26"):
        pairs(BLOCK, [1], [3, 4], [], [], drawn_second=False)
    with pytest.raises(infila.BadPosition, match="Z26"):
        pairs("6@h8", [1], [3, 4], [], [], player=2, second=True, drawn_second=False)


def test_moves_as_paths_of_parts() -> None:
    game = begun([2, 4], "free")
    assert game.parts("2@g7") == ("hand-2", "cell-g7")
    assert game.parts("draw") == ("bag",)
    game.play("draw")
    assert game.parts("stop") == ("stop",)
