"""Zatre: lines, and where a tile may be laid (Z6 to Z8)."""

from tests.games.zatre.table import BLOCK, EMPTY, play, refused, sheet, table


def test_Z6_a_line_is_all_tiles_next_to_each_other_and_all_its_pips_count() -> None:
    game = table("6@h8 1@i8 2@g8 2@f8", [1], [])
    game.play("1@j8")
    assert sheet(game)["12"] == [4]  # 2 + 2 + 6 + 1 + 1
    assert refused(table(BLOCK, [1], []), "2@g8") == "Z6"


def test_Z7_every_tile_goes_next_to_another_orthogonally() -> None:
    game = table(BLOCK, [1, 1], [])
    assert refused(game, "1@g9") == "Z7"  # only a corner
    assert refused(game, "1@c5") == "Z7"
    assert refused(game, "1@h8") == "Z7"
    play(game, "1@g8 1@j7")  # tiles of a turn need not touch


def test_Z8_no_line_may_reach_13() -> None:
    game = table("6@h8 6@i8 3@h7", [1, 4], [])
    assert refused(game, "1@j8") == "Z8"
    assert refused(game, "4@h6") == "Z8"
    assert refused(game, "4@h9") == "Z8"
    assert "4@i7" in game.moves


def test_Z8_lines_of_nine_or_less_score_nothing() -> None:
    game = table("6@h8", [3], [])
    game.play("3@h9")
    assert sheet(game) == EMPTY
