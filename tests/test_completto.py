"""Completto, rule by rule (C1 …), and the rulebook's worked examples."""

import random
from typing import Any

import numpy as np
import pytest

import infila
from infila import BadPosition, Game, IllegalMove
from infila.core import driver
from infila.core.games import contract_of
from infila.core.notation import position_of, set_up

TILES = range(1, 101)
START = 5  # tiles that everyone inserts in the start


def row_from(text: str, spare: list[int]) -> list[str]:
    """A row from "1 . 9 .*3 89/68": dots are covered tiles, which are taken from `spare`."""
    row: list[str] = []
    for word in text.split():
        if word[0] == ".":
            row += [f"({spare.pop()})" for _ in range(int(word[2:] or 1))]
        else:
            row.append(word)
    return row


def position(*rows: str, **more: Any) -> dict[str, Any]:
    """A position with these rows; `draws` are the tiles that come next, `open` lie open, the others are covered."""
    draws, lying, hand = more.pop("draws", []), sorted(more.pop("open", [])), more.pop("hand", 0)
    used = {int(word.split("/")[0]) for row in rows for word in row.split() if word[0] != "."}
    spare = [tile for tile in TILES if tile not in {*used, *draws, *lying, hand}]
    filled = [row_from(row, spare) for row in rows]
    if more.pop("no_covered", False):
        lying, spare = sorted(lying + spare), []
    players = len(rows)
    return {
        "game": "completto",
        "rules": 1,
        "options": {"players": players, "games": more.pop("games", 1), "first": "random"},
        "chance": {"key": ["0123456789abcdef", "fedcba9876543210"], "counter": 0},
        "player": 1,
        "over": False,
        "number": 1,
        "starter": 1,
        "points": [0] * players,
        "phase": "place" if hand else "turn",
        "turns": 0,
        "hand": hand,
        "rows": filled,
        "covered": [*spare, *reversed(draws)],
        "open": lying,
        **more,
    }


ROW = "10 . . 20 30 40 50 .*15"
OTHER = "2 17 27 37 47 .*17"  # a row for the opponent
ALMOST = " ".join(str(number) for number in range(51, 71)) + " 88 ."  # one tile above 88 is missing


def game_of(*rows: str, **more: Any) -> Game:
    return infila.load(position(*rows, **more))


def refused(game: Game, move: str) -> str:
    """The rule by which a move is refused; nothing has changed."""
    before = game.position()
    with pytest.raises(IllegalMove) as problem:
        game.play(move)
    assert game.position() == before
    assert game.why(move) == str(problem.value)
    return problem.value.rule


def shown(game: Game, seat: int = 0) -> str:
    """A row as one sees it."""
    row = game.view(seat).position()["rows"][seat]
    return " ".join("." if tile == "(?)" else tile for tile in row)


def placings(game: Game) -> list[str]:
    return [move for move in game.moves if "@" in move]


def moves_of_covered(game: Game) -> list[str]:
    return [move for move in game.moves if ">" in move]


def through_the_start(game: Game) -> Game:
    while game.position()["phase"] == "start":
        game.play(game.moves[0])
    return game


# Material and start


@pytest.mark.parametrize("players", [2, 3, 4])
def test_C1_a_hundred_tiles_each_once(players: int) -> None:
    position = infila.new("completto", players=players, seed=1).position()
    tiles = [int(tile.strip("()")) for row in position["rows"] for tile in row]
    assert sorted([*tiles, *position["covered"], position["hand"]]) == list(TILES)
    assert position["open"] == []


def test_C1_there_is_no_tile_0_or_101() -> None:
    game = game_of(OTHER, ". 1 3 5 7 9 .*16")
    assert refused(game, "take 0") == "C1"
    assert refused(game, "take 101") == "C1"


def test_C2_seventeen_covered_tiles_each_and_a_tile_turned_up() -> None:
    game = infila.new("completto", players=3, seed=1, first=2)
    position = game.position()
    assert [len(row) for row in position["rows"]] == [17, 17, 17]
    assert shown(game, 1) == " ".join(["."] * 17)
    assert (position["phase"], position["player"]) == ("start", 2)
    assert len(position["covered"]) == 100 - 3 * 17 - 1
    assert game.moves == [f"{position['hand']}@{place}" for place in range(1, 19)]


def test_C2_inserted_anywhere_nothing_is_swapped_out() -> None:
    start = position(". .*16", ".*17", hand=42, phase="start")
    for place in (1, 9, 18):
        game = infila.load(start).play(f"42@{place}")
        assert len(game.position()["rows"][0]) == 18
        assert game.position()["rows"][0][place - 1] == "42"
        assert len(game.position()["covered"]) == len(start["covered"]) - 1


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
    assert (game.player, game.position()["hand"]) == (1, 50)


def test_C2_only_placing_in_the_start() -> None:
    game = infila.new("completto", seed=1)
    for move in ("draw", "take 5", "1>3"):
        assert refused(game, move) == "C2"


def test_C3_first_is_a_seat_or_random() -> None:
    for seat in (1, 2, 3):
        game = infila.new("completto", players=3, seed=1, first=seat)
        assert game.player == seat - 1
        assert game.position()["starter"] == seat
    assert {infila.new("completto", players=3, seed=seed).player for seed in range(30)} == {0, 1, 2}


def test_C3_clockwise_and_the_start_moves_left_each_game() -> None:
    game = game_of(OTHER, ALMOST, player=2, starter=2, games=3, draws=[100])
    game.play("draw").play("100@22")
    after = game.position()
    assert (after["number"], after["starter"], after["player"], after["phase"]) == (2, 1, 1, "start")


# A turn


def test_C4_a_drawn_tile_takes_the_place_of_a_covered_one_which_is_mixed_in() -> None:
    before = position(ROW, OTHER, draws=[15])
    game = infila.load(before).play("draw")
    assert (game.position()["phase"], game.position()["hand"]) == ("place", 15)
    assert game.moves == ["15@2", "15@3"]
    game.play("15@3")
    after = game.position()
    assert shown(game) == "10 . 15 20 30 40 50" + " ." * 15
    given = int(before["rows"][0][2].strip("()"))
    assert sorted(after["covered"]) == sorted([*before["covered"][:-1], given])
    assert after["chance"]["counter"] == 1
    assert (after["turns"], after["player"], after["hand"], after["phase"]) == (1, 2, 0, "turn")


def test_C4_an_open_tile_is_taken_by_choice() -> None:
    game = game_of(ROW, OTHER, open=[15, 35, 60])
    assert [move for move in game.moves if move.startswith("take")] == ["take 15", "take 60"]
    game.play("take 60")
    assert game.position()["open"] == [15, 35]
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
    game = infila.load(before).play("2>5")
    row = before["rows"][0]
    assert game.position()["rows"][0] == [row[0], row[2], row[3], row[4], row[1], *row[5:]]
    assert (game.player, game.position()["turns"]) == (1, 1)
    game = infila.load(before).play("8>1")
    assert game.position()["rows"][0] == [row[7], *row[:7], *row[8:]]


def test_C5_no_placing_rules_and_never_another_turn() -> None:
    game = game_of("10 . 11 30 40 50 .*16", OTHER).play("2>7")  # 10 and 11 now stand side by side
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
    game = game_of(ROW, OTHER, draws=[35]).play("draw")
    assert (game.position()["open"], game.position()["hand"]) == ([35], 0)
    assert (game.player, game.position()["turns"]) == (1, 1)


def test_C7_one_that_fits_must_be_placed() -> None:
    game = game_of(ROW, OTHER, draws=[15]).play("draw")
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
    assert game.play(move).player == (0 if again else 1)
    assert game.position()["turns"] == 1


def test_C8_a_triplet_gives_one_more_turn_not_two() -> None:
    game = game_of("10 . 12 40 50 60 .*16", OTHER, hand=11).play("11@2")
    assert game.player == 0
    assert game.play("7>1").player == 1  # that was the one


def test_C8_no_limit_and_either_action() -> None:
    game = game_of("10 .*4 40 50 60 70 .*13", OTHER, open=[11, 12, 13])
    for number, place in ((11, 2), (12, 3), (13, 4)):
        game.play(f"take {number}").play(f"{number}@{place}")
        assert game.player == 0
    assert {"draw", "5>1"} <= set(game.moves)


@pytest.mark.parametrize(("row", "hand", "place"), [(".*17 20 30 40 50 .", 100, 22), (". 20 30 40 50 .*17", 1, 1)])
def test_C8_the_ends_of_the_row_are_no_neighbours(row: str, hand: int, place: int) -> None:
    assert game_of(row, "2 14 31 41 .*18", hand=hand).play(f"{hand}@{place}").player == 1


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
    assert game.position()["rows"][0][1] == "89/68"
    assert game.view(1).position()["rows"][0][1] == "89/68"


def test_C9_in_the_start_too() -> None:
    game = game_of(".*8 50 .*9", ".*17", hand=91, phase="start")
    assert placings(game) == [f"91@{place}" for place in range(10, 20)] + [f"16@{place}" for place in range(1, 10)]
    game.play("16@1")
    assert game.position()["rows"][0][0] == "91/16"


def test_C9_an_open_tile_may_be_turned_by_who_takes_it() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, open=[89]).play("take 89")
    assert game.moves == ["68@2"]


def test_C9_one_row_never_shows_a_number_twice() -> None:
    game = game_of("50 . 89/68 . 90 91 .*16", OTHER, hand=68)
    assert game.moves == ["89@4"]
    assert refused(game, "68@4") == "C6"
    start = game_of(".*8 89/68 .*9", ".*17", hand=68, phase="start")
    assert placings(start) == [f"89@{place}" for place in range(10, 20)]


# End


def test_C10_the_first_with_22_open_tiles_wins_at_once() -> None:
    game = game_of(ALMOST, OTHER, hand=100).play("100@22")
    assert game.over
    assert game.moves == []
    assert (game.player, game.scores, game.winners) == (0, [0, -17], [0])
    with pytest.raises(IllegalMove):
        game.play("draw")


def test_C10_at_once_even_with_a_pair() -> None:
    game = game_of(ALMOST, OTHER, hand=89).play("89@22")
    assert game.over


def test_C11_the_covered_tiles_are_noted_and_the_fewest_win() -> None:
    game = game_of(ALMOST, OTHER, ".*3 21 31 41 .*16", hand=100, games=2, points=[9, 0, 3], number=2)
    game.play("100@22")
    assert game.over
    assert game.position()["points"] == [9, 17, 22]
    assert (game.scores, game.winners) == ([-9, -17, -22], [0])


def test_C11_a_match_has_as_many_games_as_players() -> None:
    for players in (2, 3, 4):
        assert infila.new("completto", players=players, seed=1).options["games"] == players
    assert infila.new("completto", players=3, games=1, seed=1).options["games"] == 1


def test_C11_every_minus_point_is_explained() -> None:
    game = game_of(ALMOST, OTHER, hand=100, games=2).play("100@22")
    first, now = game.explain()
    assert (first.title, now.title) == ("game 1", "game 2")
    assert [[(item.points, item.text, item.rule) for item in seat] for seat in first.seats] == [
        [(0, "all 22 tiles open", "C10")],
        [(-17, "17 tiles still covered", "C11")],
    ]
    assert [sum(item.points for item in seat) for seat in now.seats] == [0, 0]  # a running game counts nothing
    assert game.scores == [0, -17]


def test_C12_without_covered_tiles_only_open_ones_and_moves_remain() -> None:
    game = game_of(ROW, OTHER, no_covered=True)
    assert "draw" not in game.moves
    assert refused(game, "draw") == "C12"
    assert {move.split()[0] if " " in move else ">" for move in game.moves} == {"take", ">"}


def test_C12_a_game_of_1000_turns_ends_and_equal_share_the_place() -> None:
    game = game_of(ROW, "11 . . 21 31 41 51 .*15", ".*17 1 2 3 4 5", turns=999).play("2>1")
    assert game.over
    assert (game.scores, game.winners, game.player) == ([-17, -17, -17], [0, 1, 2], 0)
    game = game_of(ROW, "11 . . 21 31 41 51 52 .*14", turns=998).play("2>1")
    assert not game.over
    game.play("2>1")
    assert (game.over, game.winners, game.player) == (True, [1], 1)


def test_C12_nobody_ever_passes() -> None:
    row = " ".join(str(number) for number in range(80, 101))
    game = game_of(f"{row} .", OTHER, ".*22", ".*22", no_covered=True)
    assert game.moves == ["22>1", *(f"22>{place}" for place in range(2, 22))]  # no covered tile, and no open one fits


# Move by move


def test_C14_seat_by_seat_with_all_five_tiles() -> None:
    game = infila.new("completto", players=3, seed=3, first=2)
    seats = []
    while game.position()["phase"] == "start":
        seats.append(game.player)
        game.play(random.Random(len(seats)).choice(game.moves))
    assert seats == [1] * START + [2] * START + [0] * START
    assert (game.player, game.position()["turns"], game.position()["hand"]) == (1, 0, 0)
    assert [len(row) for row in game.position()["rows"]] == [22, 22, 22]


def test_C14_a_pair_in_the_start_gives_no_further_turn() -> None:
    game = game_of(".*17", ".*17", hand=1, phase="start", draws=[2, 3, 4, 5, 50])
    for number in range(1, 6):
        game.play(f"{number}@{number}")
    assert game.player == 1


def test_C14_putting_back_is_part_of_draw() -> None:
    game = game_of(ROW, OTHER, draws=[35]).play("draw")
    assert game.history == ("draw",)
    assert game.player == 1


def test_C15_what_fits_only_turned_must_be_placed_turned() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, draws=[89]).play("draw")
    assert game.moves == ["68@2"]
    assert refused(game, "89@2") == "C15"


def test_C15_a_turn_is_one_action_and_a_further_turn_counts_too() -> None:
    game = game_of("10 . . 30 40 50 60 .*15", OTHER, draws=[11]).play("draw")
    assert game.position()["turns"] == 0  # the tile has yet to be placed
    game.play("11@2")
    assert (game.position()["turns"], game.player) == (1, 0)
    game.play("3>1")
    assert (game.position()["turns"], game.player) == (2, 1)


def test_C15_winning_comes_before_the_cap() -> None:
    game = game_of(ALMOST, OTHER, hand=100, turns=999).play("100@22")
    assert (game.over, game.winners, game.position()["turns"]) == (True, [0], 1000)


def test_C16_take_names_the_tile_by_its_own_number() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, open=[89])
    assert "take 89" in game.moves
    assert "take 68" not in game.moves
    assert refused(game, "take 68") == "C16"


def test_C16_any_pair_with_the_placed_tile_is_new() -> None:
    game = game_of("30 31 . 40 50 .*17", OTHER, hand=32).play("32@3")
    assert game.player == 0


def test_C16_a_tile_put_back_may_be_taken_by_anyone_later() -> None:
    game = game_of(ROW, "1 2 33 . 44 .*17", draws=[35]).play("draw")
    assert game.play("take 35").play("35@4").player == 0
    assert game.position()["open"] == []


def test_C16_a_take_makes_draw_possible_again() -> None:
    game = game_of(ROW, OTHER, open=[100], no_covered=True)
    lying = game.position()["open"]
    game.play("take 100").play("100@22")
    assert len(game.position()["covered"]) == 1
    assert len(game.position()["open"]) == len(lying) - 1
    assert "draw" in game.moves


def test_C17_the_cap_counts_all_seats_but_not_the_start() -> None:
    game = through_the_start(infila.new("completto", seed=1))
    for turn in range(4):
        assert game.position()["turns"] == turn
        game.play(moves_of_covered(game)[0])


def test_C17_the_next_game_begins_at_once_and_a_capped_game_is_noted() -> None:
    game = game_of(ROW, "11 . . 21 31 41 51 52 .*14", turns=999, games=2, points=[1, 2])
    game.play("2>1")
    after = game.position()
    assert not game.over
    assert (after["number"], after["starter"], after["player"], after["phase"], after["turns"]) == (2, 2, 2, "start", 0)
    assert (after["points"], game.scores) == ([18, 18], [-18, -18])
    assert after["open"] == []
    assert after["hand"] > 0


def test_C18_moves_that_make_the_same_row_are_one_move() -> None:
    game = game_of(". . 10 20 30 40 50 .*15", OTHER)
    assert moves_of_covered(game) == [
        *("1>3", "1>4", "1>5", "1>6", "1>7"),
        *("8>1", "8>4", "8>5", "8>6", "8>7"),
    ]
    for move in ("1>3", "2>3"):
        assert shown(game.copy().play(move)).startswith(". 10 . 20 30")
    same = [game.copy().play(move).position() for move in ("1>7", "2>7", "2>22", "1>15", " 2 > 9 ")]
    assert all(position == same[0] for position in same)
    assert game.play("2>22").history == ("1>7",)


def test_C18_a_covered_tile_moved_to_the_left() -> None:
    game = game_of(". . 10 20 30 40 50 .*15", OTHER).play("22>3")
    assert game.history == ("8>1",)
    assert shown(game).startswith(". . . 10 20")


# What is known


def test_C13_nobody_knows_a_covered_tile() -> None:
    game = through_the_start(infila.new("completto", players=3, seed=2))
    views = [game.view(seat).position() for seat in (None, 0, 1, 2)]
    assert all(view == views[0] for view in views)
    assert sum(tile == "(?)" for row in views[0]["rows"] for tile in row) == 3 * 17
    assert set(views[0]["covered"]) == {"?"}
    assert "chance" not in views[0]


def test_C13_the_same_number_may_stand_in_two_rows() -> None:
    game = game_of("50 . 89/68 . 90 91 .*16", "51 . 68 . 92 93 .*16")
    rows = game.view().position()["rows"]
    assert (rows[0][2], rows[1][2]) == ("89/68", "68")


def test_C13_the_tile_in_hand_is_open_to_all() -> None:
    game = game_of(ROW, OTHER, draws=[15]).play("draw")
    assert [game.view(seat).position()["hand"] for seat in (None, 0, 1)] == [15, 15, 15]


# The rulebook's examples


def test_rulebook_21_32_and_22() -> None:
    game = game_of("1 . 9 . 14 . . 33 . 50 .*12", OTHER, draws=[21])
    game.play("draw")
    assert game.moves == ["21@6", "21@7"]
    game.play("21@6")
    assert (shown(game), game.player) == ("1 . 9 . 14 21 . 33 . 50" + " ." * 12, 1)

    game = game_of("1 . 9 . 14 21 . 33 . 50 .*12", OTHER, draws=[32]).play("draw")
    assert game.moves == ["32@7"]
    game.play("32@7")
    assert game.player == 0  # 32 and 33 are a pair

    game = game_of("1 . 9 . 14 21 32 33 . 50 .*12", OTHER, draws=[22]).play("draw")
    assert game.position()["open"] == [22]  # no covered tile between 21 and 32
    assert game.player == 1


def test_rulebook_89_turned_and_a_covered_tile_moved() -> None:
    game = game_of(".*9 49 . 55 . 67 . 81 82 85 . . 93 .", OTHER, draws=[89]).play("draw")
    assert game.moves == ["89@19", "89@20", "68@15"]
    other = game.copy().play("89@19")
    assert other.player == 1  # 89 beside 85 makes no pair
    game.play("68@15")
    assert game.player == 0
    assert game.position()["rows"][0][14] == "89/68"
    game.play("19>16")
    assert shown(game) == ". . . . . . . . . 49 . 55 . 67 89/68 . 81 82 85 . 93 ."
    assert game.player == 1


def test_rulebook_10_is_not_01() -> None:
    assert refused(game_of(".*22", ".*22", hand=10), "1@1") == "C9"


# Positions that do not exist


GOOD = position(ROW, OTHER)
IN_START = position(".*8 50 .*9", ".*17", hand=42, phase="start")
CAPPED = position(ROW, OTHER, turns=1000, over=True, points=[17, 17])


def _begins(position: dict[str, Any], tile: Any) -> dict[str, Any]:
    """The position with this as the first tile of the first row."""
    return {**position, "rows": [[tile, *position["rows"][0][1:]], *position["rows"][1:]]}


def test_the_positions_that_the_wrong_ones_are_made_of_exist() -> None:
    for good in (GOOD, IN_START, CAPPED):
        assert infila.load(good).position() == good


@pytest.mark.parametrize(
    ("reason", "wrong"),
    [
        ("C1:", {**GOOD, "covered": GOOD["covered"][1:]}),
        ("C1:", {**GOOD, "covered": [*GOOD["covered"], 10]}),
        ("C1:", {**GOOD, "open": [GOOD["covered"][0]]}),
        ("C1:", {**GOOD, "hand": 5}),
        ("C1:", _begins(GOOD, "11")),
        ("C2:", position("10 . . 20 30 40 50 .*14", OTHER)),
        ("C2:", position("10 . . 20 30 40 50 .*16", OTHER)),
        ("C2:", {**GOOD, "phase": "start"}),
        ("C2:", {**IN_START, "turns": 1}),
        ("C2:", {**IN_START, "over": True}),
        ("C2:", {**IN_START, "hand": 0, "covered": [*IN_START["covered"], 42]}),
        ("C2:", {**IN_START, "covered": IN_START["covered"][1:], "open": IN_START["covered"][:1]}),
        ("C2:", {**IN_START, "phase": "turn"}),
        ("C4:", {**GOOD, "phase": "place"}),
        ("C4:", {**position(ROW, OTHER, hand=15), "phase": "turn"}),
        ("C6:", position("20 . . 10 30 40 50 .*15", OTHER)),
        ("C6:", position("50 . 89/68 68 90 91 .*16", OTHER)),
        ("C7:", position(ROW, OTHER, hand=35)),
        ("C9:", _begins(GOOD, "10/1")),
        ("C9:", _begins(GOOD, "10/10")),
        ("C9:", _begins(GOOD, "89/86")),
        ("C10:", position(" ".join(str(number) for number in range(51, 73)), OTHER)),
        ("C10:", {**GOOD, "over": True}),
        ("C10:", {**position(ROW, OTHER, hand=15), "turns": 1000, "over": True}),
        ("C11:", {**CAPPED, "points": [17, 16]}),
        ("C11:", {**CAPPED, "options": {"players": 2, "games": 2, "first": 1}}),
        ("C12:", {**GOOD, "turns": 1000}),
        ("C14:", {**IN_START, "player": 2}),
        ("C14:", {**IN_START, "starter": 2}),
        ("C14:", position(".*18", ".*17", hand=42, phase="start")),
        ("C14:", position("1 2 3 4 5 .*17", ".*17", hand=42, phase="start")),
        ("phase", {**GOOD, "phase": "end"}),
        ("turns", {**GOOD, "turns": 1001}),
        ("turns", {**GOOD, "turns": -1}),
        ("number", {**GOOD, "number": 2}),
        ("player", {**GOOD, "player": 3}),
        ("starter", {**GOOD, "starter": 0}),
        ("points", {**GOOD, "points": [0, -1]}),
        ("points", {**GOOD, "points": [0]}),
        ("rows", {**GOOD, "rows": GOOD["rows"][:1]}),
        *(("rows", _begins(GOOD, tile)) for tile in ("(?)", "ten", "010", "0", "101", "(10", 10, None)),
        ("covered", {**GOOD, "covered": ["?"] * len(GOOD["covered"])}),
    ],
)
def test_positions_that_do_not_exist_are_refused(reason: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadPosition, match=f"^{reason}"):
        infila.load(wrong)


def test_harmless_positions_are_accepted() -> None:
    for rows in ((".*22", ".*22"), ("1 .*21", ".*22")):
        assert game_of(*rows).moves
        assert game_of(*rows, no_covered=True).moves


# Random games


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_every_promise(players: int) -> None:
    contract = contract_of("completto")
    rules, notation = contract.rules, contract.notation
    luck = random.Random(players)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    states = np.zeros(1, rules.State)
    contract.options.make({"players": players, "games": 2}).write(states[0])
    driver.deal_at(states, 0, np.uint64(11), np.uint64(players))
    while n := driver.legal_at(states, 0, out):
        actions = out[:n].tolist()
        if luck.random() < 0.03:
            full = position_of(contract, states)
            assert set_up(contract, full).tobytes() == states.tobytes()
            seat = int(states[0].turn)
            for viewer in range(-1, players):
                view, redrawn = states.copy(), states.copy()
                driver.hide_at(view, 0, viewer)
                driver.redraw_at(redrawn, 0, viewer, np.uint64(luck.getrandbits(64)), np.uint64(1))
                set_up(contract, position_of(contract, redrawn))
                assert driver.legal_at(redrawn, 0, out) == n
                assert out[:n].tolist() == actions
                driver.hide_at(redrawn, 0, viewer)
                assert redrawn.tobytes() == view.tobytes()
            assert [notation.parse(view[0], notation.text(view[0], action), seat) for action in actions] == actions
            paths = {notation.parts(view[0], action) for action in actions}
            assert len(paths) == n
            for action in set(range(rules.ACTIONS)) - set(actions):
                assert isinstance(notation.refusal(view[0], action, seat), IllegalMove)
            _check_moves_of_covered(contract, view[0], [action for action in actions if action >= rules.KIND_FIRST[3]])
        kind = luck.choice(sorted({int(np.searchsorted(rules.KIND_FIRST, action, "right")) - 1 for action in actions}))
        low, high = rules.KIND_FIRST[kind : kind + 2]
        driver.play_at(states, 0, luck.choice([action for action in actions if low <= action < high]))


def _check_moves_of_covered(contract: Any, view: Any, actions: list[int]) -> None:
    """C18, by trying all pairs of places."""
    row = contract.notation.to_json(view)["rows"][int(view.turn)]
    first: dict[tuple[str, ...], tuple[int, int]] = {}
    if contract.notation.to_json(view)["phase"] != "turn":
        return
    for source in range(22):
        for target in range(22):
            after = row[:source] + row[source + 1 :]
            after.insert(target, row[source])
            if row[source] == "(?)" and after != row:
                standard = first.setdefault(tuple(after), (source, target))
                meant = contract.notation.parse(view, f"{source + 1}>{target + 1}", int(view.turn))
                assert contract.notation.text(view, meant) == f"{standard[0] + 1}>{standard[1] + 1}"
    assert len(first) == len(actions)


def test_the_screen_shows_rows_middle_and_hand() -> None:
    game = game_of("50 . 70 80 90 95 .*15 100", OTHER, open=[68, 89], hand=99)
    text = str(game.view(0))
    assert "in hand 99  can go to places 7 to 21" in text
    assert "in hand 66  upside down, can go to place 2" in text
    assert "68 89" in text
    game.play("66@2")
    assert "66↻" in str(game.view())
    assert "66 is tile 99, upside down" in str(game.view(1))
    assert "17 18 19 20 21 22" in str(game.view(1))
    game = game_of(ROW, OTHER, open=[15, 35], games=2, number=2, points=[3, 0])
    assert "15 fits in the row of seat 1" in str(game.view(1))
    assert "3 minus points" in str(game.view(1))
