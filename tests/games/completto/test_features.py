"""Observations of Completto: what a seat sees, as the position says."""

from tests.play import position_in, random_game
from tests.test_features import fields_of


def test_it_shows_rows_and_what_fits_between() -> None:
    for number, game in enumerate(random_game("completto", 4, most=80, players=2, games=1)):
        if number % 8:
            continue
        position = position_in(game.view(0))
        fields = fields_of(game, 1)
        for steps, seat in ((0, 1), (1, 0)):
            row = position["rows"][seat]
            shown = [0 if tile == "(?)" else int(tile.split("/")[-1]) for tile in row]
            assert fields["shows"][steps][: len(row)] == shown
            assert fields["covered"][steps] == [int(tile == "(?)") for tile in row] + [0] * (22 - len(row))
            for place, tile in enumerate(shown):
                below = max([number for number in shown[:place] if number], default=0)
                above = min([number for number in shown[place + 1 :] if number], default=101)
                wanted = (tile, tile) if tile else (below + 1, above - 1)
                assert (fields["lowest"][steps][place], fields["highest"][steps][place]) == wanted
        assert [n + 1 for n, there in enumerate(fields["middle"]) if there] == [int(t) for t in position["open"]]
