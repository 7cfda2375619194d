"""Zatre: what a viewer does not know is drawn anew, fairly and within what is known."""

from collections import Counter

import pytest

import infila
from tests.games.zatre.table import BLOCK, hand, opening, pairs, table


def redrawn_hands(game: infila.Game, viewer: int | None, seat: int, times: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(hand(game.redrawn(viewer, seed), seat)) for seed in range(times))


def test_a_redraw_keeps_to_what_is_known() -> None:
    game = table(BLOCK, [1], [5, 6, 3], known={2: [3, "3456"]})
    for held in redrawn_hands(game, 0, 2, 60):
        assert min(held) >= 3


def test_a_redraw_leaves_the_seat_on_turn_something_to_do() -> None:
    game = table(BLOCK, [2, 6], [], known={1: [1, "56"]})
    for held in redrawn_hands(game, 1, 1, 60):
        assert held[0] <= 2
        assert held[1] >= 5
    game = table("6@h8 3@h7 4@i7", [5], [], new="i7", owing="i7")
    assert set(redrawn_hands(game, 1, 1, 60)) == {(3,), (4,), (5,), (6,)}
    game = pairs(BLOCK, [1], [3, 4], [], [], drawn_second=False, bag=())
    assert any(held[0] > 2 for held in redrawn_hands(game, 3, 2, 40))  # with an empty bag nobody could draw
    game = pairs(BLOCK, [1], [2, 5], [], [], drawn_second=False)
    for held in redrawn_hands(game, 3, 2, 40):
        assert held[0] <= 2


def test_a_redraw_leaves_the_starter_the_winning_tile() -> None:
    game = opening([6, 2, 3], [], start=[[1, 4], [2, 4], [1, 6], [2, 5]])
    drawn = redrawn_hands(game, 1, 1, 60)
    assert all(6 in held for held in drawn)
    assert len(drawn) > 10
    game.play("6@h8")
    assert not all(6 in held for held in redrawn_hands(game, 1, 1, 60))
    with pytest.raises(infila.BadPosition, match="won the start"):
        opening([5, 2, 3], [], start=[[1, 6], [2, 5]])


def test_a_redraw_of_a_game_that_is_over_changes_no_hand() -> None:
    game = table("6@h8", [1], [5, 6], bag=())
    game.play("stop")
    assert game.over
    assert hand(game.redrawn(0, 1), 2) == hand(game, 2)


def test_a_redraw_is_fair() -> None:
    """Seats 2 and 3 keep one tile each: a 6, and a 5 or 6. There are three 5s and two 6s: 2 × (1 + 3) ways."""
    board = "6@h8 6@i8"
    fives, sixes = [5] * 17, [6] * 16
    game = table(board, [*fives, *sixes], [6], [5], known={2: [1, "6"], 3: [1, "56"]})
    counts = redrawn_hands(game, 0, 3, 400)
    assert set(counts) == {(5,), (6,)}
    assert 60 < counts[(6,)] < 140
