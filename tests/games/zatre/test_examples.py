"""The rulebook's example of Zatre, replayed."""

from collections import Counter

import pytest

import infila
from tests.games.zatre.table import hand, opening, play, sheet, table


@pytest.fixture(params=["free", "forced"])
def example(request: pytest.FixtureRequest) -> infila.Game:
    return opening([6, 5, 5], [], keeping=request.param, draws=(5, 3, 1, 2, 3, 1, 6))


STEPS = ("6@h8 5@i8 5@i7", "5@h7", "1@g8 2@g7", "3@g6 3@g5")


def test_example_1_andrea_opens_with_an_11_a_10_and_two_crosses(example: infila.Game) -> None:
    play(example, STEPS[0])
    assert sheet(example) == {"x2": 2, "10": [1], "11": [2], "12": []}


def test_example_2_beate_keeps_a_3_that_fits_nowhere(example: infila.Game) -> None:
    play(example, STEPS[0])
    assert hand(example, 2) == [3, 5]
    play(example, STEPS[1])
    assert sheet(example, 2) == {"x2": 0, "10": [1], "11": [2], "12": []}
    assert (example.player, hand(example, 2)) == (0, [3])


def test_example_3_andrea_makes_two_12s_and_a_cross(example: infila.Game) -> None:
    play(example, " ".join(STEPS[:2]))
    assert hand(example, 1) == [1, 2]
    play(example, STEPS[2])
    assert sheet(example) == {"x2": 3, "10": [1], "11": [2], "12": [8]}


def test_example_4_beate_draws_one_and_lays_both_3s_for_nothing(example: infila.Game) -> None:
    play(example, " ".join(STEPS[:3]))
    assert hand(example, 2) == [3, 3]
    play(example, STEPS[3])
    assert sheet(example, 2) == {"x2": 0, "10": [1], "11": [2], "12": []}


def test_example_5_andrea_has_two_choices(example: infila.Game) -> None:
    play(example, " ".join(STEPS))
    assert hand(example, 1) == [1, 6]
    first = play(example.copy(), "1@i9 6@f5")
    assert sheet(first) == {"x2": 4, "10": [1], "11": [2, 2], "12": [8]}
    second = play(example, "1@h6 6@f6")
    assert sheet(second) == {"x2": 4, "10": [1, 1], "11": [2], "12": [8, 4]}


def test_example_6_a_final_count_of_324() -> None:
    written = {
        "x2": 13,
        "10": [1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        "11": [2, 2, 2, 2, 4, 2, 2, 2, 2, 2, 2, 2],
        "12": [8, 4, 4, 8, 4, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    }
    game = table("", [5], [], bag=(), sheets={1: written}, over=True)
    assert game.scores[0] == 324
    items = game.explain()[0].seats[0]
    assert sum(item.points for item in items) == 324
    by_row = Counter[int]()
    for item in items[:-1]:
        by_row[int(item.text.split(":")[0].removeprefix("row "))] += item.points
    totals = [28, 20, 20, 30, 26, 30, 30, 22, 24, 24, 24, 24, 10, 5, 4, 4, 4]
    assert [by_row[row] for row in range(1, 18)] == totals
    assert sum(totals) == 329
