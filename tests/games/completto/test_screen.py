"""Completto in a terminal."""

from tests.games.completto.table import OTHER, ROW, game_of


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
