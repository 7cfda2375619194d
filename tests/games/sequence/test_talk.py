"""Sequence: table talk that is forbidden (S17, S23, S24)."""

from tests.games.sequence.table import TALK, hand, refused, starting, table
from tests.play import position_in


def test_S20_a_discard_breaks_a_row_of_passes_an_offence_and_a_draw_do_not() -> None:
    game = table("7S", "8S", "", "9S", passes=2, table_talk="forbidden", draw="manual", undrawn=[3])
    game.play("3: draw")
    assert position_in(game)["passes"] == 2
    game.play("offence 2")
    assert position_in(game)["passes"] == 2
    game.play("2: discard 8S")
    assert position_in(game)["passes"] == 0


def test_S17_after_an_offence_every_member_of_the_team_discards() -> None:
    game = table("7S 2C", "8S", "9S 3C", "TS", **TALK)
    assert starting(game, "offence") == ["offence 1", "offence 2"]
    game.play("offence 1")
    assert position_in(game)["owing"] == [1, 3]
    assert game.moves == ["discard 7S", "discard 2C", "3: discard 9S", "3: discard 3C"]
    game.play("3: discard 9S")
    assert (hand(game, 3), position_in(game)["owing"]) == ("3C", [1])
    assert position_in(game)["discards"] == [[3, "9S"]]
    game.play("discard 2C")
    assert (hand(game, 1), position_in(game)["owing"], game.player) == ("7S", [], 0)
    assert "7S@b2" in game.moves


def test_S17_another_side_calls_table_talk_and_partners_are_silent() -> None:
    game = table("7S", "8S", "9S", "TS", **TALK)
    host, seen = game.contract.host, game.view(1)
    first, second = game.host_actions()
    assert seen.host_actions() == [first, second] and game.text(first) == "offence 1"
    assert host.objection(seen.states[0], first, 1) is None
    assert "S17: another side" in str(host.objection(seen.states[0], second, 1))
    assert host.call(seen.states[0], second).values == {"side": 2}
    options = game.contract.options
    silence = [host.silence(options.make({"players": players, "table_talk": talk})) for players, talk in SILENCE]
    assert [each is None or each.rule for each in silence] == [True, "S17", True]


SILENCE = ((4, "allowed"), (4, "forbidden"), (3, "forbidden"))


def test_S17_table_talk_is_allowed_by_default() -> None:
    refused(table("7S", "8S", "9S", "TS"), "offence 1", "S17")
    refused(table("7S", "8S", "9S", "TS"), "discard 7S", "S17")
    refused(table("7S", "8S", "9S", "TS", **TALK), "offence 3", "S17")


def test_S23_until_the_discards_are_made_nothing_else_may_be_done() -> None:
    game = table("7S", "8S", "9S", "TS", draw="manual", undrawn=[2], **TALK).after("offence 1")
    refused(game, "7S@b2", "S23")
    refused(game, "2: draw", "S23")
    refused(game, "4: draw", "S23")
    refused(game, "4: discard TS", "S23")
    refused(game, "3: draw", "S23")
    refused(game, "4: TS@b5", "S6")
    refused(game, "offence 2", "S23")
    refused(game, "discard 8S", "S7")
    game.play("discard 7S")
    refused(game, "pass", "S23")
    refused(game, "offence 2", "S23")


def test_S23_who_has_no_card_owes_none() -> None:
    game = table("7S", "8S", "", "TS", **TALK).after("offence 1")
    assert position_in(game)["owing"] == [1]
    none = table("", "8S", "", "TS", **TALK)
    assert starting(none, "offence") == ["offence 2"]
    refused(none, "offence 1", "S23")


def test_S23_an_offence_can_be_established_at_any_moment_also_before_a_lock() -> None:
    game = table("9H 7S", "8S", "9S", "TS", chips={1: "b4 c4 d4 f4 g4"}, **TALK).after("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4", "offence 1", "offence 2"]
    game.play("offence 2")
    game.play("2: discard 8S")
    game.play("4: discard TS")
    game.play("lock b4-f4")
    assert position_in(game)["sequences"] == [["b4-f4"], []]


def test_S24_with_sides_of_one_player_table_talk_has_no_effect() -> None:
    game = table("7S", "8S", **TALK)
    assert not starting(game, "offence")
    refused(game, "offence 1", "S24")
