"""Completto: a turn (C4 to C9), and what it means move by move (C14 to C18)."""

import pytest

import infila
from tests.games.completto.table import OTHER, ROW, TILES, game_of, moves_of_covered, placings, position, refused, shown
from tests.play import position_in


def test_C4_a_drawn_tile_takes_the_place_of_a_covered_one_which_is_mixed_in() -> None:
    before = position(ROW, OTHER, draws=[15])
    game = infila.load(before).after("draw")
    assert (position_in(game)["phase"], position_in(game)["hand"]) == ("place", 15)
    assert game.moves == ["15@2", "15@3"]
    game.play("15@3")
    after = position_in(game)
    assert shown(game) == "10 . 15 20 30 40 50" + " ." * 15
    given = int(before["rows"][0][2].strip("()"))
    assert sorted(after["covered"]) == sorted([*before["covered"][:-1], given])
    assert after["chance"]["counter"] == 1
    assert (after["turns"], after["player"], after["hand"], after["phase"]) == (1, 2, 0, "turn")


def test_C4_an_open_tile_is_taken_by_choice() -> None:
    game = game_of(ROW, OTHER, open=[15, 35, 60])
    assert [move for move in game.moves if move.startswith("take")] == ["take 15", "take 60"]
    game.play("take 60")
    assert position_in(game)["open"] == [15, 35]
    game.play("60@22")
    assert shown(game) == "10 . . 20 30 40 50" + " ." * 14 + " 60"


def test_C4_refusals() -> None:
    game = game_of(ROW, OTHER, draws=[15])
    assert refused(game, "15@2") == "C4"  # nothing in hand
    assert refused(game, "take 15") == "C4"  # not open
    game.play("draw")
    assert refused(game, "15@1") == "C4"  # an open tile
    assert refused(game, "15@23") == "C4"
    assert refused(game, "16@2") == "C9"
    assert refused(game, "fifteen") == ""


def test_C5_moving_a_covered_tile_closes_the_row() -> None:
    before = position(ROW, OTHER)
    game = infila.load(before).after("2>5")
    row = before["rows"][0]
    assert position_in(game)["rows"][0] == [row[0], row[2], row[3], row[4], row[1], *row[5:]]
    assert (game.player, position_in(game)["turns"]) == (1, 1)
    game = infila.load(before).after("8>1")
    assert position_in(game)["rows"][0] == [row[7], *row[:7], *row[8:]]


def test_C5_no_placing_rules_and_never_another_turn() -> None:
    game = game_of("10 . 11 30 40 50 .*16", OTHER).after("2>7")  # 10 and 11 now stand side by side
    assert shown(game).startswith("10 11 30 40 50 .")
    assert game.player == 1


def test_C5_the_row_must_look_different() -> None:
    game = game_of(ROW, OTHER)
    for move in ("2>2", "2>3", "3>2", "8>22"):
        assert refused(game, move) == "C5"


def test_C5_only_covered_tiles_and_only_places_that_exist() -> None:
    game = game_of(ROW, OTHER)
    for move in ("1>9", "4>2", "2>23", "0>5"):
        assert refused(game, move) == "C5"


def test_C6_open_numbers_ascend_strictly() -> None:
    game = game_of(". 10 . 20 . 30 40 50 .*14", OTHER, hand=25)
    assert game.moves == ["25@5"]
    assert refused(game, "25@3") == "C6"
    assert refused(game, "25@9") == "C6"
    assert refused(game, "25@1") == "C6"


def test_C6_one_may_leave_too_little_room() -> None:
    game = game_of("10 .*3 14 30 40 50 .*14", OTHER, hand=13)
    assert game.moves == ["13@2", "13@3", "13@4"]
    game.play("13@2")
    assert shown(game).startswith("10 13 . . 14 30")


def test_C7_a_drawn_tile_that_fits_nowhere_stays_open_and_the_turn_ends() -> None:
    game = game_of(ROW, OTHER, draws=[35]).after("draw")
    assert (position_in(game)["open"], position_in(game)["hand"]) == ([35], 0)
    assert (game.player, position_in(game)["turns"]) == (1, 1)


def test_C7_one_that_fits_must_be_placed() -> None:
    game = game_of(ROW, OTHER, draws=[15]).after("draw")
    assert all("@" in move for move in game.moves)
    for move in ("draw", "take 15", "2>5"):
        assert refused(game, move) == "C7"


def test_C7_an_open_tile_may_be_taken_only_if_it_fits() -> None:
    game = game_of(ROW, OTHER, open=[35])
    assert "take 35" not in game.moves
    assert refused(game, "take 35") == "C7"


@pytest.mark.parametrize(
    ("row", "move", "again"),
    [
        ("10 . 30 40 50 60 .*16", "11@2", True),
        ("1 . 12 40 50 60 .*16", "11@2", True),
        ("10 . . 30 40 50 60 .*15", "11@3", False),  # a covered tile between
        ("1 . . 12 40 50 60 .*15", "11@2", False),
        ("9 . 13 40 50 60 .*16", "11@2", False),
        ("10 . 12 40 50 60 .*16", "11@2", True),
    ],
)
def test_C8_a_new_pair_gives_another_turn(row: str, move: str, again: bool) -> None:
    game = game_of(row, OTHER, hand=11)
    game.play(move)
    assert game.player == (0 if again else 1)
    assert position_in(game)["turns"] == 1


def test_C8_a_triplet_gives_one_more_turn_not_two() -> None:
    game = game_of("10 . 12 40 50 60 .*16", OTHER, hand=11).after("11@2")
    assert game.player == 0
    game.play("7>1")
    assert game.player == 1  # that was the one


def test_C8_no_limit_and_either_action() -> None:
    game = game_of("10 .*4 40 50 60 70 .*13", OTHER, open=[11, 12, 13])
    for number, place in ((11, 2), (12, 3), (13, 4)):
        game.play(f"take {number}")
        game.play(f"{number}@{place}")
        assert game.player == 0
    assert {"draw", "5>1"} <= set(game.moves)


@pytest.mark.parametrize(("row", "hand", "place"), [(".*17 20 30 40 50 .", 100, 22), (". 20 30 40 50 .*17", 1, 1)])
def test_C8_the_ends_of_the_row_are_no_neighbours(row: str, hand: int, place: int) -> None:
    assert game_of(row, "2 14 31 41 .*18", hand=hand).after(f"{hand}@{place}").player == 1


PAIRS = {6: 9, 16: 91, 18: 81, 19: 61, 66: 99, 68: 89, 86: 98}
TURNED = {**PAIRS, **{other: one for one, other in PAIRS.items()}}


@pytest.mark.parametrize("tile", TILES)
def test_C9_exactly_these_tiles_read_as_another_number(tile: int) -> None:
    game = game_of(".*22", ".*22", hand=tile)
    readings = dict.fromkeys((tile, TURNED.get(tile, tile)))
    assert game.moves == [f"{number}@{place}" for number in readings for place in range(1, 23)]


def test_C9_chosen_when_placed_and_then_fixed() -> None:
    game = game_of("50 . 70 80 .*18", OTHER, hand=89)
    assert game.moves == ["89@" + str(place) for place in range(5, 23)] + ["68@2"]
    game.play("68@2")
    assert position_in(game)["rows"][0][1] == "89/68"
    assert position_in(game.view(1))["rows"][0][1] == "89/68"


def test_C9_an_open_tile_may_be_turned_by_who_takes_it() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, open=[89]).after("take 89")
    assert game.moves == ["68@2"]


def test_C9_one_row_never_shows_a_number_twice() -> None:
    game = game_of("50 . 89/68 . 90 91 .*16", OTHER, hand=68)
    assert game.moves == ["89@4"]
    assert refused(game, "68@4") == "C6"
    start = game_of(".*8 89/68 .*9", ".*17", hand=68, phase="start")
    assert placings(start) == [f"89@{place}" for place in range(10, 20)]


def test_C14_putting_back_is_part_of_draw() -> None:
    game = game_of(ROW, OTHER, draws=[35]).after("draw")
    assert game.history == ("draw",)
    assert game.player == 1


def test_C15_what_fits_only_turned_must_be_placed_turned() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, draws=[89]).after("draw")
    assert game.moves == ["68@2"]
    assert refused(game, "89@2") == "C15"


def test_C15_a_turn_is_one_action_and_a_further_turn_counts_too() -> None:
    game = game_of("10 . . 30 40 50 60 .*15", OTHER, draws=[11]).after("draw")
    assert position_in(game)["turns"] == 0  # the tile has yet to be placed
    game.play("11@2")
    assert (position_in(game)["turns"], game.player) == (1, 0)
    game.play("3>1")
    assert (position_in(game)["turns"], game.player) == (2, 1)


def test_C16_take_names_the_tile_by_its_own_number() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, open=[89])
    assert "take 89" in game.moves
    assert "take 68" not in game.moves
    assert refused(game, "take 68") == "C16"


def test_C16_any_pair_with_the_placed_tile_is_new() -> None:
    game = game_of("30 31 . 40 50 .*17", OTHER, hand=32).after("32@3")
    assert game.player == 0


def test_C16_a_tile_put_back_may_be_taken_by_anyone_later() -> None:
    game = game_of(ROW, "1 2 33 . 44 .*17", draws=[35]).after("draw")
    game.play("take 35")
    game.play("35@4")
    assert game.player == 0
    assert position_in(game)["open"] == []


def test_C16_a_take_makes_draw_possible_again() -> None:
    game = game_of(ROW, OTHER, open=[100], no_covered=True)
    lying = position_in(game)["open"]
    game.play("take 100")
    game.play("100@22")
    assert len(position_in(game)["covered"]) == 1
    assert len(position_in(game)["open"]) == len(lying) - 1
    assert "draw" in game.moves


def test_C18_moves_that_make_the_same_row_are_one_move() -> None:
    game = game_of(". . 10 20 30 40 50 .*15", OTHER)
    assert moves_of_covered(game) == [
        *("1>3", "1>4", "1>5", "1>6", "1>7"),
        *("8>1", "8>4", "8>5", "8>6", "8>7"),
    ]
    for move in ("1>3", "2>3"):
        assert shown(game.after(move)).startswith(". 10 . 20 30")
    same = [position_in(game.after(move)) for move in ("1>7", "2>7", "2>22", "1>15", " 2 > 9 ")]
    assert all(position == same[0] for position in same)
    game.play("2>22")
    assert game.history == ("1>7",)


def test_C18_a_covered_tile_moved_to_the_left() -> None:
    game = game_of(". . 10 20 30 40 50 .*15", OTHER).after("22>3")
    assert game.history == ("8>1",)
    assert shown(game).startswith(". . . 10 20")
