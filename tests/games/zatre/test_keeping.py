"""Zatre: what may be kept, what is drawn, and who sees it (Z11 to Z14, Z23, Z25)."""

import pytest

from tests.games.zatre.table import BLOCK, begun, hand, pairs, play, refused, table
from tests.play import position_in


def test_Z11_both_tiles_must_be_laid_if_that_is_possible() -> None:
    game = table("6@h8", [1, 2], [], keeping="forced")
    assert refused(game, "stop") == "Z12"
    game.play("1@h9")
    assert refused(game, "stop") == "Z12"
    game.play("2@i8")
    assert game.player == 1


def test_Z12_free_one_may_keep_tiles_that_fit() -> None:
    game = table("6@h8", [1, 2], [])
    game.play("stop")
    assert hand(game) == [1, 2]
    game = table("6@h8", [1, 2], [])
    play(game, "1@h9 stop")
    assert hand(game) == [2]


def test_Z12_forced_a_tile_may_be_kept_only_if_it_fits_nowhere_after_what_was_laid() -> None:
    game = table("6@h8 5@i8 5@i7", [3, 5], [], keeping="forced")
    assert "3@h9" in game.moves
    game.play("5@h7")
    assert (game.player, hand(game)) == (1, [3])


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_nothing_kept_draws_two(keeping: str) -> None:
    game = begun([], keeping, draws=(1, 4))
    assert hand(game) == [1, 4]


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_one_kept_tile_draws_one(keeping: str) -> None:
    for kept in (2, 4):
        game = begun([kept], keeping, draws=(1, 6))
        assert hand(game) == sorted([kept, 1])


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_two_or_more_of_which_none_fits_draw_exactly_one(keeping: str) -> None:
    for kept in ([3, 4], [3, 4, 5]):
        game = begun(kept, keeping, draws=(2, 1))
        assert hand(game) == [2, *kept]
        assert position_in(game)["drawn"]


def test_Z13_two_or_more_of_which_one_fits_may_draw_one_under_free() -> None:
    game = begun([2, 4], "free")
    assert hand(game) == [2, 4]
    assert "draw" in game.moves
    game.play("draw")
    assert hand(game) == [2, 3, 4]
    assert position_in(begun([2, 4], "free").after("2@g7"))["player"] == 1  # or lay without drawing


def test_Z13_two_or_more_of_which_one_fits_draw_nothing_under_forced() -> None:
    game = begun([2, 4], "forced")
    assert hand(game) == [2, 4]
    assert refused(game, "draw") == "Z13"


def test_Z13_after_drawing_all_tiles_may_be_laid_even_more_than_two() -> None:
    game = begun([1, 1, 2], "free", draws=(1, 3))
    play(game, "draw 1@j7 1@j8 1@j9 2@k9")
    assert game.player == 1
    assert hand(game) == []


def test_Z14_kept_tiles_are_hidden_but_their_number_is_public() -> None:
    game = table(BLOCK, [1, 3], [2, 2, 6])
    assert position_in(game.view(0))["hands"] == [[1, 3], ["?"] * 3]
    assert position_in(game.view(1))["hands"] == [["?"] * 2, [2, 2, 6]]
    assert position_in(game.view(None))["hands"] == [["?"] * 2, ["?"] * 3]
    assert set(position_in(game.view(0))["bag"]) == {"?"}
    assert "known" in position_in(game.view(0))


def test_Z23_the_optional_draw_comes_once_and_before_laying() -> None:
    game = begun([2, 4], "free")
    play(game, "draw")
    assert refused(game, "draw") == "Z23"
    game = begun([1, 1], "free")
    game.play("1@j8")
    assert refused(game, "draw") == "Z23"


def test_Z23_who_has_not_drawn_must_lay_a_tile() -> None:
    game = begun([2, 4], "free")
    assert refused(game, "stop") == "Z23"
    assert "stop" in game.after("draw").moves
    game.play("2@g7")
    assert game.player == 0  # now 4 fits beside it
    assert "stop" in game.moves


def test_Z25_a_bag_with_too_few_tiles_is_drawn_empty() -> None:
    game = table("6@h8", [1], [], [], bag=(4,))
    game.play("stop")
    assert hand(game, 2) == [4]
    game = pairs("6@h8", [1], [2], [], [], [], [], bag=(4, 3, 5))
    play(game, "stop stop")
    assert (hand(game, 3), hand(game, 4)) == ([3, 4], [5])
    play(game, "stop stop")
    assert game.over
