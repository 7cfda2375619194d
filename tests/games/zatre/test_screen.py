"""Zatre in a terminal."""

from tests.games.zatre.table import EMPTY, opening, table


def test_the_screen_shows_the_board_the_sheets_and_only_the_viewers_tiles() -> None:
    game = table("6@h8 3@h7", [4, 5], [2, 2], known={2: [2, "23456"]}, sheets={2: EMPTY | {"x2": 1, "12": [8]}})
    game.play("4@i7")
    mine, other = str(game.view(0)), str(game.view(1))
    assert "(4)" in mine
    assert "2 of them 2 to 6" in mine
    assert "2 of them" not in other
    assert " 5 " in mine
    assert "16" in mine  # the doubled 8 of the other sheet
    assert "x2 10 11 12 bonus total" in other
    assert "opening" in str(opening([1, 2, 3], [], teams=False).view(None))
    over = table("", [5], [], bag=(), over=True)
    assert "minus" in str(over.view(None))
