"""Sequence: the cards and the board, sides, the cut and the deal (S1 to S6, S19)."""

import numpy as np
import pytest

import infila
from infila.core import chance
from infila.games.sequence.board import CARD_NAMES, PRINTED
from infila.games.sequence.notation import CELL_NAMES
from infila.games.sequence.state import State
from tests.games.sequence.table import DECK, RANKS, cell, position, starting, table
from tests.play import position_in


def test_S1_two_full_decks_without_jokers() -> None:
    game = infila.new("sequence", seed=1)
    cards = [*position_in(game)["pile"], *position_in(game)["hands"][0], *position_in(game)["hands"][1]]
    assert sorted(cards) == sorted(2 * [rank + suit for rank in RANKS for suit in "SHDC"])


def test_S2_every_card_but_the_jacks_stands_on_the_board_twice() -> None:
    assert sorted(name for name in PRINTED if name != "**") == sorted(name for name in DECK if name[0] != "J")
    assert [number for number, name in enumerate(PRINTED) if name == "**"] == [0, 9, 90, 99]
    at = dict(zip(CELL_NAMES, PRINTED, strict=True))
    assert (at["b1"], at["j2"], at["b2"], at["f6"], at["a9"], at["i10"]) == ("AD", "5D", "7S", "4H", "6C", "9S")


def test_S2_columns_from_the_left_rows_from_the_bottom() -> None:
    assert table("7S QH", "8S").moves == ["7S@b2", "7S@g10", "QH@g4", "QH@h9"]


def test_S3_chips_never_run_out() -> None:
    """Chips almost everywhere, and no five of them in a line."""
    many = [name for name, x, y in CELL_PLACES if (x + 2 * y + 4) % 5 and PRINTED[10 * y + x] != "**"]
    assert len(many) == 76
    assert cell(table("AD", "8S", chips={1: " ".join(many)}).after("AD@b1"), "b1") == "1"


CELL_PLACES = [(name, number % 10, number // 10) for number, name in enumerate(CELL_NAMES)]


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (4, 2), (6, 2), (8, 2), (9, 3), (10, 2), (12, 2)])
def test_S4_S19_sides_left_out_are_two_where_possible(players: int, sides: int) -> None:
    assert infila.new("sequence", players=players).options["sides"] == sides


@pytest.mark.parametrize(("players", "sides"), [(6, 3), (12, 3), (6, 2), (12, 2)])
def test_S4_with_six_and_twelve_the_host_chooses(players: int, sides: int) -> None:
    assert infila.new("sequence", players=players, sides=sides).options["sides"] == sides


@pytest.mark.parametrize(("players", "sides", "possible"), [(2, 3, "2"), (3, 2, "3"), (9, 2, "3"), (10, 3, "2")])
def test_S4_sides_must_be_of_equal_size(players: int, sides: int, possible: str) -> None:
    with pytest.raises(infila.BadOptions, match=f"sides is {possible}"):
        infila.new("sequence", players=players, sides=sides)


@pytest.mark.parametrize("players", [1, 5, 7, 11, 13])
def test_S4_other_numbers_of_players_cannot_play(players: int) -> None:
    with pytest.raises(infila.BadOptions):
        infila.new("sequence", players=players)


@pytest.mark.parametrize("sides", [2, 3])
def test_S4_S19_sides_alternate_around_the_table(sides: int) -> None:
    game = infila.new("sequence", players=6, sides=sides, seed=3)
    for _ in range(6):
        seat = game.player
        move = next(move for move in game.moves if "@" in move)
        game.play(move)
        assert cell(game, move.split("@")[1]) == str(seat % sides + 1)


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 6), (4, 6), (6, 5), (8, 4), (9, 4), (10, 3), (12, 3)])
def test_S5_cards_each(players: int, each: int) -> None:
    game = infila.new("sequence", players=players, seed=5)
    assert [len(cards) for cards in position_in(game)["hands"]] == [each] * players


def test_S6_S19_the_lowest_cut_deals_and_ties_cut_again() -> None:
    tied = 0
    for seed in range(200):
        at_start = position_in(infila.new("sequence", players=12, seed=seed))
        cut = [(seat, RANKS.index(card[0])) for seat, card in at_start["cut"]]
        seats = list(range(1, 13))
        while len(seats) > 1:
            now, cut = cut[: len(seats)], cut[len(seats) :]
            assert [seat for seat, _ in now] == seats
            lowest = min(rank for _, rank in now)
            seats = [seat for seat, rank in now if rank == lowest]
            tied += len(seats) > 1
        assert cut == []
        assert at_start["dealer"] == seats[0]
        assert at_start["player"] == seats[0] % 12 + 1
    assert tied > 10


def test_S6_aces_are_high_and_jacks_between_ten_and_queen() -> None:
    for low, high in (("2S", "AS"), ("TS", "JD"), ("JH", "QD"), ("KC", "AC")):
        cut = [[1, high], [2, low]]
        infila.load(position("7S", "8S", cut=cut, dealer=2))
        with pytest.raises(infila.BadPosition, match="S6"):
            infila.load(position("7S", "8S", cut=cut, dealer=1))


def test_S6_suits_do_not_count_in_the_cut() -> None:
    again = [[1, "7S"], [2, "7C"], [1, "KS"], [2, "QS"]]
    assert position_in(table("7S", "8S", cut=again, dealer=2))["cut"] == again
    with pytest.raises(infila.BadPosition, match="S6"):
        infila.load(position("7S", "8S", cut=again[:2], dealer=1))


def test_S6_play_goes_clockwise() -> None:
    game = infila.new("sequence", players=4, seed=2)
    first = game.player
    for k in (1, 2, 3, 4):
        game.play(starting(game, "")[0])
        assert game.player == (first + k) % 4


def test_S19_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    game = infila.new("sequence", players=4, seed=11)
    start = position_in(game)
    state = np.zeros(1, State)
    state[0].key = game.states[0].key
    state[0].counter = len(start["cut"])  # a word for each card of the cut
    state[0].pile[:] = [1 + i // 2 for i in range(104)]
    chance.shuffle(state[0], state[0].pile, 104)
    pile = [CARD_NAMES[card] for card in state[0].pile]
    hands: list[list[str]] = [[], [], [], []]
    for k in range(24):
        hands[(start["dealer"] + k) % 4].append(pile.pop())
    assert start["pile"] == pile
    assert start["hands"] == [sorted(cards, key=CARD_NAMES.index) for cards in hands]
