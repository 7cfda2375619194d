"""Sequence: what is done in a turn: cards, jacks, dead cards, passes (S6 to S11, S20, S24)."""

import pytest

import infila
from tests.games.sequence.table import DECK, cell, hand, refused, starting, table
from tests.play import position_in


def test_S6_only_the_seat_on_turn_plays() -> None:
    refused(table("7S", "8S"), "2: 8S@b3", "S6")
    drawing = table("7S", "8S", draw="manual", undrawn=[2])
    refused(drawing, "2: 8S@b3", "S6")


def test_S7_a_card_a_chip_a_new_card() -> None:
    game = table("7S QH", "8S", top="AC").after("7S@b2")
    assert cell(game, "b2") == "1"
    assert hand(game, 1) == "QH AC"
    assert position_in(game)["discards"] == [[1, "7S"]]
    assert game.player == 1


def test_S7_either_cell_but_not_a_covered_one() -> None:
    game = table("7S", "8S", chips={2: "b2"})
    assert game.moves == ["7S@g10"]
    refused(game, "7S@b2", "S7")
    refused(game, "7S@c3", "S7")
    refused(game, "7S", "S7")
    refused(game, "9S@b4", "S7")


def test_S7_discards_are_public_and_hands_are_not_even_to_partners() -> None:
    game = infila.new("sequence", players=4, seed=4)
    game.play(game.moves[0])
    for seat in (None, 0, 1, 2, 3):
        seen = position_in(game.view(seat))
        assert seen["discards"] == position_in(game)["discards"]
        assert set(seen["pile"]) == {"?"}
        for other in range(4):
            expected = position_in(game)["hands"][other] if other == seat else ["?"] * 6
            assert seen["hands"][other] == expected


@pytest.mark.parametrize("seat", [None, 2])
def test_S7_for_a_viewer_all_cards_not_seen_are_alike(seat: int | None) -> None:
    game = infila.new("sequence", players=4, seed=4)
    for _ in range(8):
        game.play(game.moves[0])
    before = position_in(game)
    hands = set()
    for seed in range(20):
        after = position_in(game.redrawn(seat, seed))
        cards = [*after["pile"], *(card for _, card in after["discards"])]
        cards += [card for cards in after["hands"] for card in cards]
        assert sorted(cards) == sorted(DECK)
        assert after["discards"] == before["discards"]
        assert [len(cards) for cards in after["hands"]] == [6, 6, 6, 6]
        assert seat is None or after["hands"][seat] == before["hands"][seat]
        hands.add(tuple(after["hands"][0]))
    assert len(hands) == 20


def test_S7_equal_cards_are_one_move() -> None:
    assert table("7S 7S", "8S").moves == ["7S@b2", "7S@g10"]


def test_S8_a_corner_is_everybodys_chip() -> None:
    game = table("TD 2S", "TC 8S", chips={1: "b1 c1 d1", 2: "a2 a3 a4"})
    game.play("TD@e1")
    game.play("TC@a5")
    assert position_in(game)["sequences"] == [["a1-e1"], ["a1-a5"]]


def test_S8_nothing_is_put_on_a_corner() -> None:
    game = table("JC JS", "8S")
    assert not {"JC@a1", "JC@j1", "JC@a10", "JC@j10", "JSxa1"} & set(game.moves)
    refused(game, "JC@a1", "S8")
    refused(game, "JSxj10", "S8")


def test_S9_two_eyed_jacks_put_a_chip_on_any_open_cell() -> None:
    game = table("JC JD", "8S", chips={2: "b2"})
    for jack in ("JC", "JD"):
        assert len(starting(game, jack)) == 95
        refused(game, f"{jack}@b2", "S9")
        assert cell(game.after(f"{jack}@e5"), "e5") == "1"


def test_S9_one_eyed_jacks_remove_a_chip_of_another_side() -> None:
    game = table("JS JH", "8S", chips={1: "c2", 2: "b2"})
    assert game.moves == ["JSxb2", "JHxb2"]
    refused(game, "JSxc2", "S9")
    refused(game, "JSxd2", "S9")
    game.play("JHxb2")
    assert cell(game, "b2") == "."
    assert game.player == 1


def test_S9_the_jacks_eyes_say_what_they_do() -> None:
    game = table("JC JS 7S", "8S", chips={2: "b2"})
    for move in ("JSxb2", "JC@b3"):
        assert game.why_not(move) is None
    for move in ("JS@b3", "JCxb2", "7Sxb2", "JS", "JC"):
        refused(game, move, "S9")


def test_S9_S12_chips_of_a_sequence_are_safe() -> None:
    game = table("JS", "8S", chips={2: "c4 d4 e4 f4 g4 b2"}, sequences=[[], ["c4-g4"]])
    assert game.moves == ["JSxb2"]
    refused(game, "JSxe4", "S12")


def test_S10_a_dead_card_may_be_exchanged_once_before_playing() -> None:
    game = table("7S 8S KS", "9S", chips={2: "b2 g10 b3 h10"}, top="AC 2C")
    assert game.moves == ["KS@b7", "KS@j7", "dead 7S", "dead 8S"]
    refused(game, "7S@b2", "S10")
    game.play("dead 7S")
    assert (game.player, hand(game, 1)) == (0, "8S KS AC")
    assert position_in(game)["exchanged"]
    assert position_in(game)["discards"] == [[1, "7S"]]
    refused(game, "dead 8S", "S10")
    game.play("KS@b7")
    assert hand(game, 1) == "8S 2C AC"
    assert not position_in(game)["exchanged"]


def test_S10_what_is_not_dead() -> None:
    game = table("7S JC", "9S", chips={2: "b2"})
    refused(game, "dead 7S", "S10")
    refused(game, "dead JC", "S10")
    refused(game, "dead 8S", "S7")


def test_S11_S20_an_empty_pile_is_replaced_by_the_discards_with_the_card_just_played() -> None:
    game = table("7S", "8S", rest="discards").after("7S@b2")
    assert position_in(game)["discards"] == []
    assert len(position_in(game)["pile"]) == 102
    cards = [*position_in(game)["pile"], hand(game, 1), "8S"]
    assert sorted(cards) == sorted(DECK)


def test_S11_the_last_card_of_the_pile_does_not_reshuffle_yet() -> None:
    game = table("7S", "8S", top="2C", rest="discards").after("7S@b2")
    assert hand(game, 1) == "2C"
    assert position_in(game)["pile"] == []
    assert position_in(game)["discards"][-1] == [1, "7S"]


def test_S11_S20_who_can_do_nothing_passes_and_draws_nothing() -> None:
    game = table("JS", "8S")
    assert game.moves == ["pass"]
    game.play("pass")
    assert (hand(game, 1), game.player, position_in(game)["passes"]) == ("JS", 1, 1)


def test_S11_when_all_pass_the_game_is_a_draw() -> None:
    game = table("JS", "JS", "JH", chips={}).after("pass", "pass")
    assert not game.over
    game.play("pass")
    assert game.over
    assert game.winners == []
    assert game.scores == [0, 0, 0]
    assert game.player == 2
    assert position_in(game)["passes"] == 3
    assert {item.rule for items in game.explain()[-1].seats for item in items} == {"S11"}


def test_S20_pass_is_legal_only_with_no_other_move() -> None:
    dead = {2: "b2 g10"}
    refused(table("7S", "8S"), "pass", "S20")
    refused(table("7S", "8S", chips=dead), "pass", "S20")
    refused(table("", "8S", draw="manual", undrawn=[1]), "pass", "S20")
    assert starting(table("7S", "8S", chips=dead, exchanged=True), "pass")
    assert starting(table("", "8S", draw="manual", undrawn=[2]), "pass")


@pytest.mark.parametrize("move", ["7S@b2", "dead 8S"])
def test_S20_a_card_put_down_breaks_a_row_of_passes(move: str) -> None:
    game = table("7S 8S", "8S", passes=1, chips={2: "b3 h10"}).after(move)
    assert position_in(game)["passes"] == 0


def test_S24_a_player_without_cards_stays_in_and_passes() -> None:
    assert table("", "8S").after("pass").player == 1


def test_S24_jacks_that_cannot_be_played_stay_in_the_hand() -> None:
    game = table("JS 7S", "8S")
    assert game.moves == ["7S@b2", "7S@g10"]
    refused(game, "JSxb2", "S9")
    refused(game, "dead JS", "S10")
