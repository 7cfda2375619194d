"""Zatre: lines, boxes, crosses and the bonus (Z3, Z10, Z15 to Z18)."""

import pytest

from tests.games.zatre.table import BLOCK, CORNER, EMPTY, opening, play, sheet, table


def test_Z3_the_printed_bonus_is_3_4_5_and_from_row_13_on_6() -> None:
    full = {"x2": 0, "10": [1] * 14, "11": [2] * 14, "12": [4] * 14}
    game = table(BLOCK, [1], [], sheets={1: full})
    assert game.scores[0] == 14 * 7 + 4 * 3 + 4 * 4 + 4 * 5 + 2 * 6
    bonuses = [item.points for item in game.explain()[0].seats[0] if item.rule == "Z3"]
    assert bonuses == [3] * 4 + [4] * 4 + [5] * 4 + [6] * 2


def test_Z10_red_earns_a_cross_if_the_opening_has_a_line_of_10_11_or_12() -> None:
    assert sheet(play(opening([1, 6, 6], []), "1@h8 6@h9 6@g9")) == EMPTY | {"x2": 2, "12": [4]}
    assert sheet(play(opening([1, 6, 6], []), "6@h8 6@i8 1@h9")) == EMPTY | {"x2": 1, "12": [4]}
    assert sheet(play(opening([1, 2, 3], []), "1@h8 2@h9 3@h7")) == EMPTY


@pytest.mark.parametrize(("value", "column", "points"), [(4, "10", 1), (5, "11", 2), (6, "12", 4)])
def test_Z15_a_10_earns_1_an_11_earns_2_a_12_earns_4(value: int, column: str, points: int) -> None:
    game = table("6@h8", [value], [])
    game.play(f"{value}@h9")
    assert sheet(game) == EMPTY | {column: [points]}
    assert game.scores == [points, 0]


def test_Z15_only_the_final_position_of_a_turn_counts() -> None:
    game = table("6@h8", [4, 2], [])
    play(game, "4@h9 2@h10")
    assert sheet(game) == EMPTY | {"12": [4]}
    game = table("6@h8", [4, 2], [])
    play(game, "4@h9 2@h7")  # the second before the first in the line
    assert sheet(game) == EMPTY | {"12": [4]}


def test_Z15_lines_without_a_tile_of_this_turn_earn_nothing() -> None:
    game = table("6@h8 4@h9", [1], [])
    game.play("1@i8")
    assert sheet(game) == EMPTY


def test_Z16_equal_sums_of_a_turn_share_a_box_and_each_column_fills_from_the_top() -> None:
    game = table("6@h8 5@h7", [6, 1], [], sheets={1: {"x2": 3, "10": [1, 1], "11": [], "12": [4]}})
    play(game, "6@i8 1@h6")
    assert sheet(game) == {"x2": 3, "10": [1, 1], "11": [], "12": [4, 8]}


def test_Z16_each_cross_takes_a_box_of_its_own() -> None:
    game = table(CORNER, [5, 5], [])
    play(game, "5@i7 5@g9")
    assert sheet(game) == EMPTY | {"x2": 2, "11": [4]}


def test_Z17_a_light_tile_earns_its_cross_only_in_a_line_of_10_11_or_12() -> None:
    game = table(CORNER, [3, 5], [])
    play(game, "3@i7 5@g9")  # 6 + 3 is no line that scores, 6 + 5 is
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z18_a_row_is_its_boxes_plus_the_bonus_if_full_doubled_by_a_cross() -> None:
    written = {"x2": 4, "10": [1, 2], "11": [2], "12": [8, 4, 4]}
    game = table(BLOCK, [1], [], sheets={1: written, 2: written | {"x2": 0}})
    assert game.scores == [2 * (1 + 2 + 8 + 3) + 2 * (2 + 4) + 2 * 4 + 0, 14 + 6 + 4]
