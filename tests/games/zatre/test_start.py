"""Zatre: what there is, the start and the opening (Z1, Z2, Z4, Z5, Z25)."""

from collections import Counter

import pytest

import infila
from infila.games.zatre.board import PLAN
from tests.games.zatre.table import BLOCK, SUPPLY, hand, opening, play, refused, table
from tests.play import position_in


def test_Z1_121_tiles_21_ones_and_20_of_each_other_value() -> None:
    position = position_in(infila.new("zatre", players=3, seed=1))
    tiles = Counter([*position["bag"], *(tile for held in position["hands"] for tile in held)])
    assert tiles == SUPPLY
    assert tiles.total() == 121
    assert refused(table(BLOCK, [1], []), "7@g8") == "Z1"
    with pytest.raises(infila.BadPosition, match="Z1"):
        infila.load(position | {"bag": position["bag"][1:]})


def test_Z2_the_board_has_160_dark_cells_32_light_ones_and_red_in_the_middle() -> None:
    count = Counter("".join(PLAN))
    assert (count["."], count["o"], count["R"]) == (160, 32, 1)
    assert opening([1, 2, 3], []).moves == ["1@h8", "2@h8", "3@h8"]
    for cell in ("a1", "h1", "h15", "a8", "o8", "p3", "c16", "c0"):
        assert refused(table(BLOCK, [1], []), f"1@{cell}") == "Z2"


def test_Z4_the_highest_starts_and_keeps_the_winning_tile() -> None:
    for seed in range(20):
        game = infila.new("zatre", players=4, seed=seed)
        position = position_in(game)
        start, starter = position["start"], position["starter"]
        last = start[-len({seat for seat, _ in start[4:]}) or -4 :]
        assert max(last, key=lambda drawn: drawn[1])[0] == starter
        assert max(value for _, value in last) in hand(game, starter)
        assert [len(held) for held in position["hands"]] == [3 * (seat == starter) for seat in range(1, 5)]
        assert (game.player, position["opening"], len(position["bag"])) == (starter - 1, True, 118)


def test_Z4_those_tied_for_highest_draw_again() -> None:
    ties = 0
    for seed in range(40):
        start = position_in(infila.new("zatre", players=3, seed=seed))["start"]
        highest = max(value for _, value in start[:3])
        tied = [seat for seat, value in start[:3] if value == highest]
        assert [seat for seat, _ in start[3 : 3 + len(tied)]] == (tied if len(tied) > 1 else [])
        ties += len(tied) > 1
    assert ties > 3


def test_Z4_all_three_opening_tiles_are_laid_and_the_first_covers_red() -> None:
    game = opening([2, 3, 4], [])
    assert refused(game, "2@h9") == "Z4"
    assert refused(game, "stop") == "Z4"
    assert refused(game, "draw") == "Z4"
    play(game, "3@h8 2@i8")
    assert refused(game, "stop") == "Z4"
    assert game.player == 0
    game.play("4@j8")
    assert game.player == 1
    assert len(hand(game, 2)) == 2


def test_Z5_play_goes_clockwise_and_nobody_moves_out_of_turn() -> None:
    game = table("6@h8", [1], [], [])
    assert refused(game, "2: stop") == "Z5"
    order = [game.player]
    while len(order) < 4:
        game.play("stop")
        order.append(game.player)
    assert order == [0, 1, 2, 0]


def test_Z25_in_the_start_all_but_the_winning_tile_go_back_into_the_bag() -> None:
    position = position_in(infila.new("zatre", players=6, seed=4))
    assert len(position["start"]) >= 6
    assert len(position["bag"]) == 118
