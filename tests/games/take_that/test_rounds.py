"""Take That: how a round ends, what it counts, and who wins (T7 to T9)."""

import pytest

import infila
from infila.games.take_that.rules import DECK, row_cost
from tests.games.take_that.table import table
from tests.play import position_in


def test_T7_with_the_pile_empty_the_round_ends_when_the_row_is_taken() -> None:
    game = table([[12, 13], [14]], row=(49, 51))
    game.play("take")
    assert game.over
    assert game.scores[0] == -2


def test_T7_with_the_pile_empty_the_round_ends_when_the_last_card_is_twisted_away() -> None:
    game = table([[94, 13], [14]], row=(49,))
    game.play("94x49")
    assert game.over
    assert game.scores[0] == 2


def test_T7_nothing_is_drawn_from_an_empty_pile_and_an_empty_hand_must_take() -> None:
    game = table([[51], []], row=(49,))
    game.play("51")
    assert position_in(game)["hands"] == [[], []]
    assert game.moves == ["take"]
    assert not game.over


def test_T7_if_the_pile_runs_out_on_the_draw_after_the_last_twist_the_next_player_opens() -> None:
    game = table([[94, 13], [14, 15]], row=(49,), pile=(98,))
    game.play("94x49")
    assert not game.over
    assert game.moves == ["14", "15"]


def test_T8_plus_one_minus_one_and_toads_minus_five() -> None:
    """The rulebook's example: 12 points in plus cards and 17 minus are -5."""
    plus = [12, 21, 13, 31, 14, 41, 15, 51, 16, 61, 17, 71]
    minus = [33, 44, 23, 24, 25, 26, 27, 28]
    game = table([[93, 58], [94]], row=(96,), pile=(98,), plus={1: plus}, minus={1: minus})
    assert sum(5 if card in (33, 44) else 1 for card in minus) == 16
    game.play("take")
    assert game.scores[0] == 12 - 17 == -5
    counted = {item.text: item.points for item in game.explain()[0].seats[0]}
    assert counted["toad 33"] == -5
    assert counted["12 and 21 twisted"] == 2
    assert counted["96"] == -1


@pytest.mark.parametrize(("row", "points"), [((), 0), ((34,), 1), ((34, 33, 41), 7), ((44, 55), 10)])
def test_T8_a_row_costs_its_cards_and_five_for_each_toad(row: tuple[int, ...], points: int) -> None:
    game = table([[12, 13], [14]], row=row, pile=(98,))
    assert row_cost(game.states[0]) == points
    if row:
        game.play("take")
        assert game.scores[0] == -points


def test_T9_the_best_sum_of_all_rounds_wins_and_the_deal_moves_left() -> None:
    game = infila.new("take_that", players=3, seed=4, dealer=2, rounds=2)
    while position_in(game)["round"] == 1:
        game.play(game.moves[-1])
    assert position_in(game)["dealer"] == 1
    assert game.player == 1
    first = position_in(game)["points"]
    assert game.scores == first
    while not game.over:
        game.play(game.moves[-1])
    assert game.winners == [seat for seat in range(3) if game.scores[seat] == max(game.scores)]
    assert [sum(item.points for item in seat) for seat in game.explain()[0].seats] == first


def test_T9_equal_sums_share_the_place() -> None:
    rest = [int(card) for card in DECK if card not in (12, 98, 97, 96)]
    toads = [card for card in rest if card % 11 == 0]
    others = [card for card in rest if card % 11]
    ours, theirs = toads[:3] + others[:36], toads[3:] + others[36:]
    game = table([[98, 96], [97]], row=(12,), minus={1: ours, 2: theirs})
    assert game.scores == [-51, -52]
    game.play("take")
    assert game.scores == [-52, -52]
    assert game.winners == [0, 1]


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_T9_any_number_of_rounds(rounds: int) -> None:
    game = infila.new("take_that", players=2, seed=4, rounds=rounds)
    while not game.over:
        game.play(game.moves[0])
    assert len(game.explain()) == rounds
