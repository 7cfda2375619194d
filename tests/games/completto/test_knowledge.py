"""Completto: what everybody knows (C13)."""

import infila
from tests.games.completto.table import OTHER, ROW, game_of, through_the_start
from tests.play import position_in


def test_C13_nobody_knows_a_covered_tile() -> None:
    game = through_the_start(infila.new("completto", players=3, seed=2))
    views = [position_in(game.view(seat)) for seat in (None, 0, 1, 2)]
    assert all(view == views[0] for view in views)
    assert sum(tile == "(?)" for row in views[0]["rows"] for tile in row) == 3 * 17
    assert set(views[0]["covered"]) == {"?"}
    assert "chance" not in views[0]


def test_C13_the_same_number_may_stand_in_two_rows() -> None:
    game = game_of("50 . 89/68 . 90 91 .*16", "51 . 68 . 92 93 .*16")
    rows = position_in(game.view())["rows"]
    assert (rows[0][2], rows[1][2]) == ("89/68", "68")


def test_C13_the_tile_in_hand_is_open_to_all() -> None:
    game = game_of(ROW, OTHER, draws=[15]).after("draw")
    assert [position_in(game.view(seat))["hand"] for seat in (None, 0, 1)] == [15, 15, 15]
