"""Completto: how a game and a match end, and what they cost (C10, C11, C12, C17)."""

import pytest

import infila
from infila import IllegalMove
from tests.games.completto.table import ALMOST, OTHER, ROW, game_of, moves_of_covered, refused, through_the_start
from tests.play import position_in


def test_C10_the_first_with_22_open_tiles_wins_at_once() -> None:
    game = game_of(ALMOST, OTHER, hand=100).after("100@22")
    assert game.over
    assert game.moves == []
    assert (game.player, game.scores, game.winners) == (0, [0, -17], [0])
    with pytest.raises(IllegalMove):
        game.play("draw")


def test_C10_at_once_even_with_a_pair() -> None:
    game = game_of(ALMOST, OTHER, hand=89).after("89@22")
    assert game.over


def test_C11_the_covered_tiles_are_noted_and_the_fewest_win() -> None:
    game = game_of(ALMOST, OTHER, ".*3 21 31 41 .*16", hand=100, games=2, points=[9, 0, 3], number=2)
    game.play("100@22")
    assert game.over
    assert position_in(game)["points"] == [9, 17, 22]
    assert (game.scores, game.winners) == ([-9, -17, -22], [0])


def test_C11_a_match_has_as_many_games_as_players() -> None:
    for players in (2, 3, 4):
        assert infila.new("completto", players=players, seed=1).options["games"] == players
    assert infila.new("completto", players=3, games=1, seed=1).options["games"] == 1


def test_C11_every_minus_point_is_explained() -> None:
    game = game_of(ALMOST, OTHER, hand=100, games=2).after("100@22")
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
    game = game_of(ROW, "11 . . 21 31 41 51 .*15", ".*17 1 2 3 4 5", turns=999).after("2>1")
    assert game.over
    assert (game.scores, game.winners, game.player) == ([-17, -17, -17], [0, 1, 2], 0)
    game = game_of(ROW, "11 . . 21 31 41 51 52 .*14", turns=998).after("2>1")
    assert not game.over
    game.play("2>1")
    assert (game.over, game.winners, game.player) == (True, [1], 1)


def test_C12_nobody_ever_passes() -> None:
    row = " ".join(str(number) for number in range(80, 101))
    game = game_of(f"{row} .", OTHER, ".*22", ".*22", no_covered=True)
    assert game.moves == ["22>1", *(f"22>{place}" for place in range(2, 22))]  # no covered tile, and no open one fits


def test_C15_winning_comes_before_the_cap() -> None:
    game = game_of(ALMOST, OTHER, hand=100, turns=999).after("100@22")
    assert (game.over, game.winners, position_in(game)["turns"]) == (True, [0], 1000)


def test_C17_the_cap_counts_all_seats_but_not_the_start() -> None:
    game = through_the_start(infila.new("completto", seed=1))
    for turn in range(4):
        assert position_in(game)["turns"] == turn
        game.play(moves_of_covered(game)[0])


def test_C17_the_next_game_begins_at_once_and_a_capped_game_is_noted() -> None:
    game = game_of(ROW, "11 . . 21 31 41 51 52 .*14", turns=999, games=2, points=[1, 2])
    game.play("2>1")
    after = position_in(game)
    assert not game.over
    assert (after["number"], after["starter"], after["player"], after["phase"], after["turns"]) == (2, 2, 2, "start", 0)
    assert (after["points"], game.scores) == ([18, 18], [-18, -18])
    assert after["open"] == []
    assert after["hand"] > 0
