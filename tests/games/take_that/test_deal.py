"""Take That: the cards and the deal (T1, T2, T12). The rules are in infila/games/take_that/texts/en.md."""

import pytest

import infila
from infila.games.take_that.rules import CARDS, DECK, TOADS
from tests.games.take_that.table import refused, table
from tests.play import position_in


def test_T1_79_cards_without_tens_seven_toads_and_36_pairs() -> None:
    assert len(DECK) == CARDS == 79
    assert not {20, 30, 40, 50, 60, 70, 80, 90} & set(DECK.tolist())
    toads = [card for card in DECK.tolist() if card % 11 == 0]
    assert toads == [22, 33, 44, 55, 66, 77, 88]
    assert len(toads) == TOADS
    assert len([card for card in DECK.tolist() if card < card % 10 * 10 + card // 10]) == 36
    game = table([[34], [12]], row=(33,))
    assert refused(game, "30") == "T1"
    assert refused(game, "99") == "T1"


@pytest.mark.parametrize(("players", "each"), [(2, 9), (3, 9), (4, 8)])
def test_T2_nine_cards_each_eight_with_four_and_the_dealers_left_starts(players: int, each: int) -> None:
    game = infila.new("take_that", players=players, seed=1, dealer=0)
    position = position_in(game)
    assert [len(hand) for hand in position["hands"]] == [each] * players
    assert len(position["pile"]) == 79 - players * each
    assert game.player == 1
    game.play(game.moves[0])
    assert game.player == 2 % players


def test_T12_the_dealer_is_a_seat_or_random() -> None:
    assert infila.new("take_that", players=4, seed=1, dealer=3).player == 0
    assert {infila.new("take_that", players=4, seed=seed).player for seed in range(30)} == {0, 1, 2, 3}
    with pytest.raises(infila.BadOptions, match="random or 0 to 1"):
        infila.new("take_that", players=2, dealer=2)
