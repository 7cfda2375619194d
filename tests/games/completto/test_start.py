"""Completto: the tiles, and the start until everybody has a row (C1, C2, C3, C14)."""

import random

import pytest

import infila
from tests.games.completto.table import ALMOST, OTHER, START, TILES, game_of, placings, position, refused, shown
from tests.play import position_in


@pytest.mark.parametrize("players", [2, 3, 4])
def test_C1_a_hundred_tiles_each_once(players: int) -> None:
    position = position_in(infila.new("completto", players=players, seed=1))
    tiles = [int(tile.strip("()")) for row in position["rows"] for tile in row]
    assert sorted([*tiles, *position["covered"], position["hand"]]) == list(TILES)
    assert position["open"] == []


def test_C1_there_is_no_tile_0_or_101() -> None:
    game = game_of(OTHER, ". 1 3 5 7 9 .*16")
    assert refused(game, "take 0") == "C1"
    assert refused(game, "take 101") == "C1"


def test_C2_seventeen_covered_tiles_each_and_a_tile_turned_up() -> None:
    game = infila.new("completto", players=3, seed=1, first=1)
    position = position_in(game)
    assert [len(row) for row in position["rows"]] == [17, 17, 17]
    assert shown(game, 1) == " ".join(["."] * 17)
    assert (position["phase"], position["player"]) == ("start", 2)
    assert len(position["covered"]) == 100 - 3 * 17 - 1
    assert game.moves == [f"{position['hand']}@{place}" for place in range(1, 19)]


def test_C2_inserted_anywhere_nothing_is_swapped_out() -> None:
    start = position(". .*16", ".*17", hand=42, phase="start")
    for place in (1, 9, 18):
        game = infila.load(start).after(f"42@{place}")
        assert len(position_in(game)["rows"][0]) == 18
        assert position_in(game)["rows"][0][place - 1] == "42"
        assert len(position_in(game)["covered"]) == len(start["covered"]) - 1


def test_C2_the_open_numbers_ascend_in_the_start() -> None:
    game = game_of(".*8 50 .*9", ".*17", hand=42, phase="start")
    assert placings(game) == [f"42@{place}" for place in range(1, 10)]  # right before 50, too
    assert refused(game, "42@10") == "C6"
    game = game_of(".*8 50 .*9", ".*17", hand=60, phase="start")
    assert placings(game) == [f"60@{place}" for place in range(10, 20)]
    assert refused(game, "60@9") == "C6"
    assert refused(game, "60@20") == "C2"


def test_C2_the_five_tiles_of_the_rulebooks_example() -> None:
    game = game_of(".*17", ".*17", hand=3, phase="start", draws=[14, 42, 82, 85, 50])
    for move in ("3@1", "14@4", "42@10", "82@18", "85@19"):
        game.play(move)
    assert shown(game) == "3 . . 14 . . . . . 42 . . . . . . . 82 85 . . ."
    assert (game.player, position_in(game)["hand"]) == (1, 50)


def test_C2_only_placing_in_the_start() -> None:
    game = infila.new("completto", seed=1)
    for move in ("draw", "take 5", "1>3"):
        assert refused(game, move) == "C2"


def test_C3_first_is_a_seat_or_random() -> None:
    for seat in (0, 1, 2):
        game = infila.new("completto", players=3, seed=1, first=seat)
        assert game.player == seat
        assert position_in(game)["starter"] == seat + 1
    assert {infila.new("completto", players=3, seed=seed).player for seed in range(30)} == {0, 1, 2}


def test_C3_clockwise_and_the_start_moves_left_each_game() -> None:
    game = game_of(OTHER, ALMOST, player=2, starter=2, games=3, draws=[100])
    game.play("draw")
    game.play("100@22")
    after = position_in(game)
    assert (after["number"], after["starter"], after["player"], after["phase"]) == (2, 1, 1, "start")


def test_C14_seat_by_seat_with_all_five_tiles() -> None:
    game = infila.new("completto", players=3, seed=3, first=1)
    seats = []
    while position_in(game)["phase"] == "start":
        seats.append(game.player)
        game.play(random.Random(len(seats)).choice(game.moves))
    assert seats == [1] * START + [2] * START + [0] * START
    assert (game.player, position_in(game)["turns"], position_in(game)["hand"]) == (1, 0, 0)
    assert [len(row) for row in position_in(game)["rows"]] == [22, 22, 22]


def test_C14_a_pair_in_the_start_gives_no_further_turn() -> None:
    game = game_of(".*17", ".*17", hand=1, phase="start", draws=[2, 3, 4, 5, 50])
    for number in range(1, 6):
        game.play(f"{number}@{number}")
    assert game.player == 1


def test_C9_in_the_start_too() -> None:
    game = game_of(".*8 50 .*9", ".*17", hand=91, phase="start")
    assert placings(game) == [f"91@{place}" for place in range(10, 20)] + [f"16@{place}" for place in range(1, 10)]
    game.play("16@1")
    assert position_in(game)["rows"][0][0] == "91/16"
