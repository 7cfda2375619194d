"""Zatre: what happens by itself, and what others learn from it (Z22)."""

from tests.games.zatre.table import BLOCK, hand, table
from tests.play import position_in


def test_Z22_a_turn_ends_by_itself_when_the_hand_is_empty_or_nothing_fits() -> None:
    assert table("6@h8", [1], []).after("1@h9").player == 1
    assert table("6@h8 5@i8 5@i7", [5, 3, 4], []).after("5@h7").player == 1


def test_Z22_a_seat_that_can_do_nothing_is_passed_over() -> None:
    game = table("6@h8 5@i8 5@i7", [5], [4], [], draws=(6, 1, 2))
    game.play("5@h7")  # seat 2 draws the 6, and neither 4 nor 6 fits
    assert (game.player, hand(game, 2), hand(game, 3)) == (2, [4, 6], [1, 2])


def test_Z22_equal_tiles_are_one_move() -> None:
    assert table("6@h8", [2, 2], []).moves == ["2@h7", "2@g8", "2@i8", "2@h9", "stop"]


def test_Z22_what_is_known_of_kept_tiles() -> None:
    game = table("6@h8 5@i8 5@i7", [5, 3, 4], [1])
    game.play("5@h7")
    assert position_in(game)["known"] == [[2, "3456"], [0, ""]]
    game.play("stop")  # and nothing is known of one who stops; seat 1 must draw, as neither 3 nor 4 fits
    position = position_in(game)
    assert position["known"] == [[2, "3456"], [0, ""]]
    assert len(position["hands"][0]) == 3


def test_Z22_with_the_first_tile_laid_nothing_is_known_any_more() -> None:
    game = table(BLOCK, [1, 4, 4], [], known={1: [2, "3456"]})
    game.play("1@j8")
    assert position_in(game)["known"] == [[0, ""], [0, ""]]


def test_Z22_what_was_known_before_is_not_forgotten_when_one_must_draw() -> None:
    game = table("6@h8 5@i8 5@i7", [5], [5, 6], known={2: [2, "56"]})
    game.play("5@h7")
    assert position_in(game)["known"][1] == [2, "56"]
    assert len(hand(game, 2)) == 3
