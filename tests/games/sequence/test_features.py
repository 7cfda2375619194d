"""Observations of Sequence: what a seat sees, as the position says."""

from tests.play import position_in, random_game
from tests.test_features import fields_of


def test_it_shows_chips_from_the_viewers_side_and_its_cards() -> None:
    from infila.games.sequence.board import CARD_NAMES, PRINTED

    for number, game in enumerate(random_game("sequence", 8, most=200, players=3)):
        if number % 20:
            continue
        position = position_in(game.view(1))
        fields = fields_of(game, 1)
        cells = "".join(reversed(position["board"]))
        for steps, chip in enumerate("231"):
            assert fields["chips"][steps] == [int(cell in ("*", chip)) for cell in cells]
        hand = position["hands"][1]
        assert fields["hand"] == [hand.count(card) for card in CARD_NAMES[1:]]
        assert fields["held"] == [hand.count(card) for card in PRINTED]
