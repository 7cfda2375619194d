"""Observations of Take That: what a seat sees, as the position says."""

from tests.play import position_in, random_game
from tests.test_features import fields_of


def test_it_shows_hand_row_and_minus_cards() -> None:
    deck = [n for n in range(12, 99) if n % 10]

    def cards(plane: list[int]) -> list[int]:
        return [card for card, there in zip(deck, plane, strict=True) if there]

    for number, game in enumerate(random_game("take_that", 8, most=120, players=3, expert=True)):
        if number % 10:
            continue
        position = position_in(game.view(1))
        fields = fields_of(game, 1)
        assert cards(fields["hand"]) == [int(card) for card in position["hands"][1]]
        row = [int(card) for card in position["row"]]
        assert cards(fields["row"]) == sorted(row)
        assert [fields["depth"][deck.index(card)] for card in row] == list(range(len(row), 0, -1))
        assert cards(fields["right"]) == row[-1:]
        assert cards(fields["minus"][2]) == [int(card) for card in position["minus"][0]]
        assert cards(fields["minus"][0]) == sorted(int(c) for c in (*position["minus"][1], *position["extra"][1]))
        assert cards(fields["plus"][1]) == [int(card) for card in position["plus"][2]]
