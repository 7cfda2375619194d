"""Sequence: how a game ends (S18, S20, S24)."""

import infila
from tests.games.sequence.table import hand, starting, table
from tests.play import position_in


def test_S20_the_chip_that_wins_ends_the_game_without_a_draw() -> None:
    row = "a4 b4 c4 d4 f4 g4 h4 i4"
    game = table("9H 7S", "8S", draw="manual", undrawn=[2], exchanged=True, chips={1: row}).after("9H@e4")
    assert game.over
    assert hand(game, 1) == "7S"
    end = position_in(game)
    assert (end["player"], end["undrawn"], end["locking"], end["exchanged"]) == (1, [], None, False)
    assert game.moves == []


def test_S18_a_game_of_1000_turns_is_a_draw() -> None:
    game = table("7S", "8S", turns=998, top="2C AC", chips={1: "b1 c1 d1 e1"}, sequences=[["a1-e1"], []])
    game.play("7S@b2")
    assert not game.over
    game.play("8S@b3")
    assert game.over
    assert game.winners == []  # S24: whoever is ahead
    assert (position_in(game)["turns"], position_in(game)["player"], hand(game, 2)) == (1000, 2, "")
    assert {item.rule for items in game.explain()[-1].seats for item in items} == {"S12", "S18"}


def test_S24_the_1000th_turn_may_still_win() -> None:
    game = table("QH", "8S", "9S", turns=999, chips={1: "c4 d4 e4 f4"}).after("QH@g4")
    assert game.winners == [0]


def test_S24_the_1000th_turn_may_be_a_pass_and_pending_draws_are_void() -> None:
    game = table("JS", "8S", turns=999, draw="manual", undrawn=[2]).after("pass")
    assert game.over
    assert (game.winners, position_in(game)["undrawn"]) == ([], [])


def test_S18_S21_the_lock_of_the_1000th_turn_comes_before_the_draw() -> None:
    game = table("9H", "8S", turns=999, chips={1: "b4 c4 d4 f4 g4"}, draw="manual", undrawn=[2]).after("9H@e4")
    assert not game.over
    game = infila.load(game.position).after("2: draw", "lock c4-g4")
    assert game.over
    assert position_in(game)["sequences"] == [["c4-g4"], []]
    assert (position_in(game)["undrawn"], hand(game, 1)) == ([], "")


def test_S24_an_exchange_is_no_turn_a_pass_is_one() -> None:
    game = table("7S", "8S", chips={2: "b2 g10"}, top="JS")
    game.play("dead 7S")
    assert position_in(game)["turns"] == 21 - 1
    assert starting(game, "JS")
    passing = table("JS", "8S").after("pass")
    assert position_in(passing)["turns"] == 21
