"""The worked examples of Completto's rulebook."""

from tests.games.completto.table import OTHER, game_of, refused, shown
from tests.play import position_in


def test_rulebook_21_32_and_22() -> None:
    game = game_of("1 . 9 . 14 . . 33 . 50 .*12", OTHER, draws=[21])
    game.play("draw")
    assert game.moves == ["21@6", "21@7"]
    game.play("21@6")
    assert (shown(game), game.player) == ("1 . 9 . 14 21 . 33 . 50" + " ." * 12, 1)

    game = game_of("1 . 9 . 14 21 . 33 . 50 .*12", OTHER, draws=[32]).after("draw")
    assert game.moves == ["32@7"]
    game.play("32@7")
    assert game.player == 0  # 32 and 33 are a pair

    game = game_of("1 . 9 . 14 21 32 33 . 50 .*12", OTHER, draws=[22]).after("draw")
    assert position_in(game)["open"] == [22]  # no covered tile between 21 and 32
    assert game.player == 1


def test_rulebook_89_turned_and_a_covered_tile_moved() -> None:
    game = game_of(".*9 49 . 55 . 67 . 81 82 85 . . 93 .", OTHER, draws=[89]).after("draw")
    assert game.moves == ["89@19", "89@20", "68@15"]
    other = game.after("89@19")
    assert other.player == 1  # 89 beside 85 makes no pair
    game.play("68@15")
    assert game.player == 0
    assert position_in(game)["rows"][0][14] == "89/68"
    game.play("19>16")
    assert shown(game) == ". . . . . . . . . 49 . 55 . 67 89/68 . 81 82 85 . 93 ."
    assert game.player == 1


def test_rulebook_10_is_not_01() -> None:
    assert refused(game_of(".*22", ".*22", hand=10), "1@1") == "C9"
