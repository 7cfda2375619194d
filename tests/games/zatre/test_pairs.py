"""Zatre: the team game (Z21, Z26)."""

import pytest

import infila
from tests.games.zatre.table import EMPTY, hand, opening, pairs, play, refused, sheet
from tests.play import position_in


def test_Z21_pairs_are_for_four_or_six() -> None:
    for players in (2, 3, 5):
        with pytest.raises(infila.BadOptions, match="4 or 6"):
            infila.new("zatre", players=players, teams=True)
    assert len(position_in(infila.new("zatre", players=6, teams=True, seed=1))["sheets"]) == 3


def test_Z21_partners_share_a_sheet_and_see_each_others_tiles() -> None:
    game = pairs("6@h8", [4, 1], [5, 3], [2], [])
    assert position_in(game.view(0))["hands"] == [[1, 4], [3, 5], ["?"], []]
    assert position_in(game.view(1))["hands"] == [[1, 4], [3, 5], ["?"], []]
    assert position_in(game.view(2))["hands"] == [["?", "?"], ["?", "?"], [2], []]
    play(game, "4@h9 stop")
    assert game.scores == [1, 1, 0, 0]


def test_Z21_both_partners_draw_when_the_pairs_turn_begins() -> None:
    game = pairs("6@h8", [1], [2], [], [], draws=(1, 3, 2, 4))
    play(game, "stop")
    assert position_in(game)["second"]
    play(game, "stop")
    assert (hand(game, 3), hand(game, 4)) == ([1, 3], [2, 4])
    position = position_in(game)
    assert (position["second"], position["drawn"], position["drawn_second"]) == (False, True, True)


def test_Z26_in_the_opening_the_starter_lays_first_and_the_partner_has_drawn_two() -> None:
    game = opening([4, 4], [1, 2, 3], [], [], teams=True, starter=2, player=2)
    play(game, "1@h8 2@h9 3@i8")
    assert (game.player, position_in(game)["second"]) == (0, True)
    assert "stop" in game.moves
    play(game, "stop")
    assert (game.player, position_in(game)["second"]) == (2, False)
    while game.player != 0:
        game.play("stop")
    assert not position_in(game)["second"]  # the lower seat first


def test_Z26_the_starters_partner_draws_two_in_the_deal() -> None:
    position = position_in(infila.new("zatre", players=4, teams=True, seed=3))
    starter = position["starter"]
    partner = (starter - 1 ^ 1) + 1
    assert [len(held) for held in position["hands"]] == [
        3 * (seat == starter) + 2 * (seat == partner) for seat in range(1, 5)
    ]


def test_Z26_when_the_second_part_begins_the_draw_is_asked_again() -> None:
    game = pairs("6@h8 5@i8 5@i7", [5], [3, 4], [], [], drawn_second=False, draws=(2,))
    game.play("5@h7")  # now neither 3 nor 4 fits
    position = position_in(game)
    assert (game.player, hand(game, 2)) == (1, [2, 3, 4])
    assert (position["drawn"], position["drawn_second"]) == (True, True)
    assert position["known"][1] == [2, "3456"]
    game = pairs("6@h8", [5], [3, 4], [], [], drawn_second=False)
    game.play("5@h9")
    assert (game.player, hand(game, 2), position_in(game)["drawn"]) == (1, [3, 4], False)
    game.play("draw")
    assert position_in(game)["drawn_second"]


def test_Z26_each_part_is_scored_by_itself() -> None:
    game = pairs("6@h8", [4], [4], [], [])
    play(game, "4@h9 4@i8")
    assert sheet(game) == EMPTY | {"10": [1, 1]}


def test_Z26_the_last_turn_is_the_whole_pairs_and_both_hands_are_its_minus() -> None:
    game = pairs("6@h8", [5, 5], [3], [], [2], bag=(), drawn=True)
    game.play("stop")
    assert not game.over
    game.play("stop")
    assert game.over
    assert game.scores[:2] == [-13, -13]
    assert game.scores[2] == game.scores[3]


def test_Z26_with_an_empty_bag_the_second_partner_draws_nothing() -> None:
    game = pairs("6@h8 5@i8 5@i7", [5], [3, 4], [], [], drawn_second=False, bag=())
    game.play("5@h7")
    assert game.over
    assert position_in(game)["known"][1] == [2, "3456"]
    game = pairs("6@h8", [5], [3], [], [], drawn_second=False, bag=())
    game.play("5@h9")
    assert (game.player, position_in(game)["drawn"]) == (1, False)
    assert refused(game, "draw") == "Z25"
    assert refused(game, "stop") == "Z23"
