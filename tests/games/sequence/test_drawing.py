"""Sequence: drawing by hand (S16, S22)."""

from tests.games.sequence.table import hand, refused, table
from tests.play import position_in


def test_S16_with_manual_draw_the_card_comes_only_by_drawing() -> None:
    game = table("7S 2C", "8S", draw="manual", top="AC").after("7S@b2")
    assert (hand(game, 1), game.player, position_in(game)["undrawn"]) == ("2C", 1, [1])
    assert "1: draw" in game.moves
    game.play("1: draw")
    assert (hand(game, 1), game.player, position_in(game)["undrawn"]) == ("2C AC", 1, [])
    refused(game, "1: draw", "S22")
    refused(table("7S", "8S"), "draw", "S7")
    refused(table("7S", "8S"), "2: draw", "S7")


def test_S16_who_has_not_drawn_before_the_next_player_has_played_and_drawn_loses_the_card() -> None:
    game = table("7S 2C", "8S", draw="manual").after("7S@b2", "8S@b3")
    assert position_in(game)["undrawn"] == [1, 2]
    assert game.why_not("draw") is None
    game.play("2: draw")
    assert position_in(game)["undrawn"] == []
    refused(game, "draw", "S22")
    assert hand(game, 1) == "2C"


def test_S22_a_seat_without_the_right_may_not_draw_whoever_is_on_turn() -> None:
    game = table("7S", "8S", "9S", draw="manual", undrawn=[2])
    for seat in (1, 3):
        refused(game, f"{seat}: draw", "S22")
    refused(game, "3: 9S@b4", "S6")
    refused(game, "3: no move at all", "S6")
    refused(game, "3: discard 9S", "S17")


def test_S22_a_draw_takes_the_right_only_from_those_who_played_earlier() -> None:
    game = table("7S 2C", "8S", "9S", draw="manual", undrawn=[2, 3, 1]).after("3: draw")
    assert position_in(game)["undrawn"] == [1]


def test_S22_playing_again_loses_the_old_right() -> None:
    game = table("7S 2C", "8S", "", draw="manual", undrawn=[1, 2]).after("7S@b2")
    assert position_in(game)["undrawn"] == [2, 1]


def test_S22_an_exchange_a_pass_and_a_discard_leave_the_rights_as_they_are() -> None:
    game = table("7S 2C", "JS", draw="manual", undrawn=[1, 2], chips={2: "b2 g10"}, top="AC 3C")
    game.play("dead 7S")
    assert hand(game, 1) == "2C AC"
    assert position_in(game)["undrawn"] == [1, 2]
    passing = table("JS", "JS", "JH", draw="manual", undrawn=[2, 3]).after("pass")
    assert position_in(passing)["undrawn"] == [2, 3]
    owing = table("7S", "8S", "9S", "", draw="manual", undrawn=[3, 1], table_talk="forbidden")
    owing.play("offence 1")
    owing.play("3: discard 9S")
    owing.play("discard 7S")
    assert position_in(owing)["undrawn"] == [3, 1]


def test_S22_the_turn_passes_when_the_card_is_played_and_locked() -> None:
    game = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}, draw="manual", undrawn=[2]).after("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4", "2: draw"]
    assert position_in(game)["undrawn"] == [2]
    game.play("lock b4-f4")
    assert (game.player, position_in(game)["undrawn"]) == (1, [2, 1])


def test_S22_drawing_from_an_empty_pile_reshuffles() -> None:
    game = table("7S", "8S", rest="discards", draw="manual").after("7S@b2")
    assert len(position_in(game)["discards"]) == 103
    game.play("1: draw")
    assert (len(position_in(game)["discards"]), len(position_in(game)["pile"])) == (0, 102)
