"""Observations of Zatre: what a seat sees, as the position says."""

from tests.play import random_game
from tests.test_features import fields_of


def test_it_shows_the_board_what_fits_and_the_sheets() -> None:
    from infila.games.zatre.board import has
    from infila.games.zatre.state import VALUES

    for number, game in enumerate(random_game("zatre", 8, most=200, players=4, teams=True)):
        if number % 20:
            continue
        fields = fields_of(game, 1)
        state = game.states[0]
        for row in range(15):
            for column in range(15):
                place = 16 * row + column
                fitting = [value for value in range(1, VALUES + 1) if has(state.fits[value - 1], place)]
                assert fields["room"][row][column] == max(fitting, default=0)
                assert fields["tiles"][row][column] == state.board[place]
        assert fields["hand"] == state.hand[1].tolist()
        assert fields["partner"] == state.hand[0].tolist()
        assert sum(fields["unseen"]) == int(state.n_bag) + int(state.n_hand[2]) + int(state.n_hand[3])
        before = game.scores
        if not game.over and fields["next_rows"][0][0]:
            state.crosses[0] += 1
            assert game.scores[0] - before[0] == fields["next_rows"][0][0]
            state.crosses[0] -= 1
