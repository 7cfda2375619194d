"""Take That with the option `expert`: the extra card, and who knows it (T10 to T12)."""

from tests.games.take_that.table import table
from tests.play import position_in


def test_T10_expert_a_row_of_one_costs_the_top_card_too() -> None:
    game = table([[12, 13], [14]], row=(49,), pile=(98, 33), expert=True)
    game.play("take")
    assert position_in(game)["extra"][0] == [33]
    assert game.scores[0] == -6
    assert game.moves == ["12", "13"]
    longer = table([[12, 13], [14]], row=(49, 51), pile=(98, 33), expert=True).after("take")
    assert position_in(longer)["extra"][0] == []
    usual = table([[12, 13], [14]], row=(49,), pile=(98, 33)).after("take")
    assert position_in(usual)["extra"][0] == []


def test_T10_the_extra_card_is_known_only_to_its_taker() -> None:
    game = table([[12, 13], [14], [15]], row=(49,), pile=(98, 33), expert=True).after("take")
    assert position_in(game.view(0))["extra"][0] == [33]
    assert position_in(game.view(1))["extra"][0] == ["?"]
    assert position_in(game.view(None))["extra"][0] == ["?"]
    assert position_in(game.view(1))["minus"][0] == [49]


def test_T11_expert_with_the_last_card_of_the_pile_goes_on_without_drawing() -> None:
    game = table([[12, 13], [14]], row=(49,), pile=(33,), expert=True).after("take")
    assert not game.over
    game.play("12")
    assert position_in(game)["hands"][0] == [13]
    assert game.player == 1


def test_T11_with_the_pile_empty_there_is_no_extra_card() -> None:
    game = table([[12, 13], [14]], row=(49,), expert=True).after("take")
    assert game.over
    assert position_in(game)["extra"] == [[], []]


def test_T11_twisting_a_lone_card_away_is_not_taking() -> None:
    game = table([[94, 13], [14]], row=(49,), pile=(98, 97), expert=True).after("94x49")
    assert position_in(game)["extra"] == [[], []]


def test_T12_others_see_the_score_without_the_extra_card_until_the_round_ends() -> None:
    game = table([[12, 13], [14], [15]], row=(49,), pile=(33,), expert=True).after("take")
    assert game.view(0).scores[0] == -6
    assert game.view(1).scores[0] == game.view(None).scores[0] == -1
    assert game.view(1).explain()[0].seats[0][-1].rule == "T12"
    game.play("12")
    game.play("14")
    game.play("take")
    assert game.over
    assert game.view(1).scores[0] == game.view(None).scores[0] == -6
    assert position_in(game.view(1))["extra"][0] == [33]
    assert position_in(game.view(1))["hands"][0] == ["?"]
