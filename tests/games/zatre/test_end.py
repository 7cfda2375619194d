"""Zatre: the last turn and the tiles kept (Z19, Z20)."""

from collections import Counter

from tests.games.zatre.table import EMPTY, SUPPLY, hand, play, table
from tests.play import position_in


def test_Z19_the_turn_in_which_the_last_tile_is_drawn_is_the_last() -> None:
    game = table("6@h8", [1], [], [], bag=(5, 4))
    game.play("stop")
    assert (game.player, hand(game, 2), game.over) == (1, [4, 5], False)
    play(game, "4@h9 stop")
    assert game.over
    assert game.moves == []
    assert position_in(game)["player"] == 2


def test_Z19_also_if_only_one_tile_was_left_to_draw() -> None:
    game = table("6@h8", [1], [], [], bag=(4,))
    game.play("1@i8")
    assert hand(game, 2) == [4]
    game.play("4@h9")
    assert game.over


def test_Z19_kept_tiles_of_every_player_count_as_minus_and_all_see_them() -> None:
    game = table("6@h8", [1, 5, 6], [3], [], bag=(4,))
    game.play("stop")
    assert game.scores == [0, 0, 0]  # not before the end
    play(game, "4@h9 stop")
    rest = sum(value * count for value, count in SUPPLY.items()) - 6 - 4 - 12 - 3
    assert game.scores == [-12, 1 - 3, -rest]
    assert [item.points for item in game.explain()[0].seats[0]] == [-1, -5, -6]
    assert position_in(game.view(2))["hands"][0] == [1, 5, 6]


def test_Z19_equal_totals_share_the_place() -> None:
    game = table("6@h8", [3], [], [], bag=(4,), sheets={1: EMPTY | {"10": [1]}})
    play(game, "3@i8 4@h9")
    assert game.scores[:2] == [1, 1]
    assert game.winners == [0, 1]


def test_Z20_if_nobody_can_lay_the_bag_is_drawn_empty_and_all_is_minus() -> None:
    game = table("6@h8 6@i8 6@h7", [6], [])
    game.play("6@i7")
    assert game.over
    assert position_in(game)["bag"] == []
    assert sorted(hand(game, 1) + hand(game, 2)) == sorted((Counter(SUPPLY) - Counter({6: 4})).elements())
    minus = [sum(hand(game, seat)) for seat in (1, 2)]
    assert game.scores == [2 * 8 - minus[0], -minus[1]]
