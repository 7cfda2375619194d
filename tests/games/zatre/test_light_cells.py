"""Zatre: what is laid on a light cell must be made good (Z9, Z24)."""

import pytest

from tests.games.zatre.table import CORNER, EMPTY, cells, opening, play, refused, sheet, table
from tests.play import position_in


def test_Z9_a_light_cell_needs_a_line_of_10_11_or_12() -> None:
    game = table("6@h8 3@h7", [4], [])
    assert refused(game, "4@i7") == "Z9"
    assert refused(game, "4@g7") == "Z9"
    game = table("6@h8 5@h7 3@j7", [4], [])
    assert cells(game, 4) & {"i7", "g7"} == {"i7"}  # 5 + 4 + 3
    game.play("4@i7")
    assert sheet(game) == EMPTY | {"x2": 1, "12": [4]}


def test_Z9_a_first_light_tile_waits_for_a_second_which_must_make_it_good() -> None:
    game = table("6@h8 3@h7", [4, 5], [])
    game.play("4@i7")
    assert position_in(game)["owing"] == ["i7"]
    assert game.moves == ["5@g7", "5@j7"]
    assert refused(game, "stop") == "Z9"
    assert refused(game, "5@i8") == "Z9"  # a line of 11, but not through i7
    game.play("5@g7")
    assert sheet(game) == EMPTY | {"x2": 2, "12": [4]}
    assert position_in(game)["owing"] == []


def test_Z9_without_a_way_to_make_good_the_first_tile_is_not_allowed() -> None:
    assert "4@i7" in table("6@h8 3@h7", [3, 4], []).moves  # 3 + 4 + 3
    assert "4@i7" not in table("6@h8 3@h7", [2, 4], []).moves
    assert "4@i7" in table("6@h8 3@h7", [6, 4], []).moves  # 4 + 6 in the column


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z9_a_tile_that_fits_on_no_dark_cell_may_go_on_a_light_one(keeping: str) -> None:
    game = table(CORNER, [2], [], keeping=keeping)
    lays = ["2@i7", "2@g9", "2@i9"]
    assert game.moves == (lays if keeping == "forced" else [*lays, "stop"])
    game.play("2@i9")
    assert sheet(game) == EMPTY
    game = table(CORNER, [4], [], keeping=keeping)
    game.play("4@i9")  # 6 + 4
    assert sheet(game) == EMPTY | {"x2": 1, "10": [1]} | {"10": [2]}


def test_Z24_a_light_tile_may_wait_for_several_others() -> None:
    assert "2@i7" not in table("6@h8 3@h7", [2, 4], []).moves
    game = table("6@h8 3@h7", [2, 2, 4], [])
    game.play("2@i7")  # 3 + 2, and 2 + 4 to come
    assert cells(game, 2) == {"g7", "j7"}
    assert cells(game, 4) == {"g7", "j7"}
    assert refused(game, "2@h6") == "Z9"
    play(game, "4@j7 2@k7")
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z24_two_light_tiles_may_wait_at_once_and_one_tile_may_make_good_both() -> None:
    game = table("6@h8 3@h7", [4, 3, 2, 5], [])
    play(game, "4@i7 3@g7")  # 3 + 3 + 4
    assert position_in(game)["owing"] == []
    game = table("6@h8 1@h7 1@h9", [3, 3, 4, 5], [])
    play(game, "3@i7 3@i9")
    assert position_in(game)["owing"] == ["i7", "i9"]
    assert "4@i8" in game.moves  # 3 + 4 + 3
    game.play("4@i8")
    assert position_in(game)["owing"] == []


def test_Z24_tiles_that_two_owing_lines_need_cannot_be_spent_elsewhere() -> None:
    game = table("6@h8 1@h7 1@h9", [6, 6, 3, 3], [])
    play(game, "3@i7 3@g9")
    assert position_in(game)["owing"] == ["i7", "g9"]
    assert cells(game, 6) == {"g7", "j7", "f9", "i9"}  # 6 + 1 + 3
    assert refused(game, "6@g8") == "Z9"
    game.play("6@g7")
    assert cells(game, 6) == {"f9", "i9"}


def test_Z24_a_tile_owes_at_the_edge_of_the_board() -> None:
    row = "1@h8 1@g8 1@f8 1@e8 1@d8 1@c8 1@b8 1@b9 4@a9"  # below a9 is no cell
    assert cells(table(row, [6], [], new="a9", owing="a9"), 6) == {"a10", "c9"}
    game = table(row, [6, 1], [], new="a9", owing="a9")
    assert cells(game, 6) == {"a10", "c9", "d9"}  # d9: with the 1 on c9
    assert {"a10", "c9"} < cells(game, 1)  # 1 + 4 + 6, by the 6 at the other end or next to the 1
    play(game, "6@a10 1@a11")
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z24_whether_a_tile_fits_on_no_dark_cell_is_judged_when_it_is_laid() -> None:
    game = table("6@h8 6@i8 4@h9", [2, 3], [])
    game.play("3@i9")  # 3 fits only on light cells, 2 on h7 and h10 as well
    assert position_in(game)["owing"] == []
    game.play("stop")
    assert game.player == 1
    assert refused(table("6@h8 6@i8 4@h9", [2], []), "2@i9") == "Z9"


def test_Z24_red_owes_nothing() -> None:
    game = opening([1, 2, 3], [])
    game.play("3@h8")
    assert position_in(game)["owing"] == []
    play(game, "1@h9 2@h7")
    assert game.player == 1
