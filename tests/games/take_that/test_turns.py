"""Take That: what may be done in a turn, and what it does (T2 to T6)."""

import pytest

from infila.games.take_that.rules import fits, reach
from tests.games.take_that.table import refused, table
from tests.play import position_in


def test_T2_out_of_turn_is_refused() -> None:
    assert refused(table([[34], [35]], row=(33,)), "2: 35") == "T2"


def test_T3_after_placing_and_twisting_one_card_is_drawn() -> None:
    game = table([[34, 94], [12]], row=(49, 41), pile=(98, 97))
    assert position_in(game.after("34"))["hands"][0] == [94, 97]
    assert position_in(game.after("94x49"))["hands"][0] == [34, 97]
    assert refused(game, "12") == "T3"


def test_T4_at_most_ten_away_from_the_rightmost_card() -> None:
    game = table([[23, 24, 44, 45, 62], [12]], row=(61, 34))
    assert game.moves == ["24", "44", "take"]
    assert game.why_not("58") == "T3: you do not hold 58. Your hand: 23, 24, 44, 45, 62."
    assert game.why_not("45") == "T4: 45 is more than 10 away from 34. Place another card, twist or take."


@pytest.mark.parametrize(("right", "low", "high"), [(34, 24, 44), (12, 12, 22), (21, 12, 31), (98, 88, 98)])
def test_T4_the_reach_ends_with_the_lowest_and_the_highest_card(right: int, low: int, high: int) -> None:
    assert reach(right) == (low, high)
    assert fits(low, right) and fits(high, right)


def test_T4_with_no_row_placing_any_card_is_the_only_choice() -> None:
    game = table([[13, 98], [31]])
    assert game.moves == ["13", "98"]
    assert refused(game, "take") == "T4"
    assert refused(game, "13x31") == "T4"


def test_T5_a_twist_takes_a_card_from_anywhere_and_the_gap_closes() -> None:
    game = table([[94], [12]], row=(34, 41, 49, 51), pile=(98,))
    game.play("94x49")
    position = position_in(game)
    assert position["row"] == [34, 41, 51]
    assert position["plus"][0] == [49, 94]
    assert game.scores[0] == 2


def test_T5_toads_cannot_be_removed() -> None:
    game = table([[22, 31], [12]], row=(33, 32), pile=(98,))
    assert "33x33" not in game.moves
    assert refused(game, "22x22") == "T5"
    assert refused(game, "31x33") == "T5"


def test_T5_the_twisted_card_must_lie_in_the_row() -> None:
    game = table([[94, 35], [49]], row=(34,), pile=(98,))
    assert refused(game, "94x49") == "T5"
    assert refused(game, "94x35") == "T5"


def test_T5_the_only_card_may_be_removed_and_the_next_player_opens() -> None:
    game = table([[94, 12], [13, 14]], row=(49,), pile=(98, 97))
    game.play("94x49")
    assert position_in(game)["row"] == []
    assert game.player == 1
    assert game.moves == ["13", "14"]


def test_T6_who_takes_the_row_opens_a_new_one_and_draws_once() -> None:
    game = table([[12, 13], [14]], row=(49, 51), pile=(98, 97))
    game.play("take")
    assert game.player == 0
    assert position_in(game)["minus"][0] == [49, 51]
    assert len(position_in(game)["pile"]) == 2
    game.play("13")
    assert position_in(game)["hands"][0] == [12, 97]
    assert game.player == 1


def test_the_rulebooks_first_turns() -> None:
    """Alex opens with 34, Sara places 41, Lino 49, and Marlene twists 49 out with her 94."""
    hands = [[34, 12], [41, 13], [49, 14], [94, 15]]
    game = table(hands, pile=(81, 82, 83, 84, 85))
    for move in ("34", "41", "49", "94x49"):
        game.play(move)
    position = position_in(game)
    assert position["row"] == [34, 41]
    assert position["plus"] == [[], [], [], [49, 94]]
    assert game.player == 0
