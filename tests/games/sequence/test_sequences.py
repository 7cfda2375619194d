"""Sequence: what is a sequence, which five are locked, what wins, and what jacks break (S12 to S15, S21)."""

import pytest

import infila
from infila.games.sequence.board import CELLS_OF_FIVES, LINE, PLACE, are_apart, too_near
from tests.games.sequence.table import cell, hand, refused, starting, table
from tests.play import position_in


def test_S12_five_in_a_row_a_column_and_both_diagonals() -> None:
    for chips, card, five in (
        ("c4 d4 e4 f4", "QH@g4", "c4-g4"),
        ("c3 c4 c5 c6", "6C@c7", "c3-c7"),
        ("c3 d4 e5 f6", "2C@g7", "c3-g7"),
        ("c7 d6 e5 f4", "AD@g3", "c7-g3"),
    ):
        game = table(card[:2], "8S", chips={1: chips}).after(card)
        assert position_in(game)["sequences"] == [[five], []]
        assert game.explain()[-1].seats[0][0].text == f"sequence {five}"


def test_S12_lines_do_not_go_around_the_edge() -> None:
    for chips, card in (("i4 j4 a5 b5", "QD@h4"), ("h3 i4 j5 a7", "KS@b8"), ("g2 h2 i2 j2", "7D@h1")):
        with_card = card.replace("KS@b8", "AS@b8")
        game = table(with_card[:2], "8S", chips={1: chips}).after(with_card)
        assert position_in(game)["sequences"] == [[], []]


def test_S12_four_are_not_enough_and_other_sides_chips_do_not_count() -> None:
    game = table("QH", "8S", chips={1: "d4 e4 f4", 2: "c4"}).after("QH@g4")
    assert position_in(game)["sequences"] == [[], []]


def test_S12_more_than_five_in_a_line_let_the_player_choose() -> None:
    game = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}, top="AC").after("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4"]
    assert (game.player, hand(game, 1), position_in(game)["locking"]) == (0, "", "e4")
    assert position_in(game)["sequences"] == [[], []]
    refused(game, "pass", "S12")
    refused(game, "lock a4-e4", "S12")
    refused(game, "lock a4-f4", "S12")
    game.play("lock c4-g4")
    assert position_in(game)["sequences"] == [["c4-g4"], []]
    assert (game.player, hand(game, 1), position_in(game)["locking"]) == (1, "AC", None)


def test_S21_only_the_five_are_safe() -> None:
    game = table("JS", "8S", chips={2: "b4 c4 d4 e4 f4 g4"}, sequences=[[], ["c4-g4"]])
    assert game.moves == ["JSxb4"]


def test_S13_nine_in_a_line_are_two_sequences() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4 f4 g4 h4 i4"}).after("9H@e4")
    assert position_in(game)["sequences"] == [["a4-e4", "e4-i4"], []]
    assert position_in(game)["winner"] == 1


@pytest.mark.parametrize(("more", "fives"), [("i4", 4), ("a4", 4), ("", 3)])
def test_S13_six_to_eight_in_a_line_are_one(more: str, fives: int) -> None:
    game = table("9H", "8S", chips={1: f"b4 c4 d4 f4 g4 h4 {more}"}).after("9H@e4")
    assert len(starting(game, "lock")) == fives
    game.play(game.moves[0])
    assert len(position_in(game)["sequences"][0]) == 1
    assert not game.over


def test_S13_the_second_sequence_may_use_one_cell_of_the_first() -> None:
    sharing = table("QC", "8S", chips={1: "c4 d4 e4 f4 g4 d5 d6 d7"}, sequences=[["c4-g4"], []]).after("QC@d3")
    assert position_in(sharing)["sequences"] == [["d3-d7", "c4-g4"], []]
    assert sharing.over
    longer = table("5H", "8S", chips={1: "c4 d4 e4 f4 g4 h4"}, sequences=[["c4-g4"], []]).after("5H@i4")
    assert position_in(longer)["sequences"] == [["c4-g4"], []]


def test_S13_nine_by_extending_a_turned_five_at_its_end() -> None:
    game = table("5H", "8S", chips={1: "a4 b4 c4 d4 e4 f4 g4 h4"}, sequences=[["a4-e4"], []]).after("5H@i4")
    assert position_in(game)["sequences"] == [["a4-e4", "e4-i4"], []]


def test_S13_one_chip_may_complete_two_at_once() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4 e5 e6 e7 e8"}).after("9H@e4")
    assert position_in(game)["sequences"] == [["a4-e4", "e4-e8"], []]
    assert game.over


def test_S13_two_sequences_may_not_share_two_cells_even_if_one_is_a_corner() -> None:
    game = table("9D", "8S", chips={1: "b1 c1 d1 e1"}, sequences=[["a1-e1"], []]).after("9D@f1")
    assert position_in(game)["sequences"] == [["a1-e1"], []]


def test_S13_where_no_other_sequence_can_begin_is_known_as_bits() -> None:
    for five in CELLS_OF_FIVES:
        beside = [other for other in CELLS_OF_FIVES if LINE[other] == LINE[five]]
        assert [are_apart(five, other) for other in beside] == [
            not too_near(five) >> int(PLACE[other]) & 1 for other in beside
        ]


def test_S14_with_two_sides_two_sequences_win() -> None:
    game = table("QH 7S", "8S", "9S", "2C", chips={1: "c4 d4 e4 f4 a2 a3 a4 a5"}, sequences=[["a1-a5"], []])
    game.play("QH@g4")
    assert game.over
    assert game.winners == [0, 2]
    assert game.scores == [1, 0, 1, 0]
    assert [sum(item.points for item in items) for items in game.explain()[-1].seats] == game.scores


def test_S14_with_three_sides_one_sequence_wins() -> None:
    game = table("QH", "8S", "9S", chips={1: "c4 d4 e4 f4"}).after("QH@g4")
    assert game.winners == [0]
    assert position_in(game)["sequences"] == [["c4-g4"], [], []]


def test_S14_one_sequence_of_two_sides_does_not_win_yet() -> None:
    game = table("QH", "8S", chips={1: "c4 d4 e4 f4"}).after("QH@g4")
    assert not game.over
    assert game.scores == [0, 0]


def test_S21_a_winning_chip_is_not_asked_and_takes_the_first_fives() -> None:
    three_sides = table("9H", "8S", "9S", chips={1: "b4 c4 d4 f4 g4"}).after("9H@e4")
    assert position_in(three_sides)["sequences"] == [["b4-f4"], [], []]
    second = table("9H", "8S", chips={1: "a6 a7 a8 a9 b4 c4 d4 f4 g4"}, sequences=[["a6-a10"], []]).after("9H@e4")
    assert position_in(second)["sequences"] == [["b4-f4", "a6-a10"], []]
    both = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4 e5 e6 e7 e8 e3"}).after("9H@e4")
    assert position_in(both)["sequences"] == [["e3-e7", "b4-f4"], []]
    assert both.over


def test_S21_a_five_that_can_be_counted_must_be_counted() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4"}).after("9H@e4")
    assert position_in(game)["sequences"] == [["a4-e4"], []]
    assert not starting(game, "lock")


def test_S21_turned_fives_are_never_regrouped() -> None:
    game = table("5H", "8S", chips={1: "a4 b4 c4 d4 e4 f4 g4 h4"}, sequences=[["c4-g4"], []]).after("5H@i4")
    assert position_in(game)["sequences"] == [["c4-g4"], []]
    assert not game.over


def test_S21_lock_names_the_ends_from_left_to_right_in_a_column_upwards() -> None:
    column = table("8C", "8S", chips={1: "c3 c4 c6 c7 c8"}).after("8C@c5")
    assert column.moves == ["lock c3-c7", "lock c4-c8"]
    falling = table("2H", "8S", chips={1: "b8 c7 d6 f4 g3"}).after("2H@e5")
    assert falling.moves == ["lock c7-g3", "lock b8-f4"]
    falling.play("lock f4-b8")  # people may name them the other way round
    assert position_in(falling)["sequences"] == [["b8-f4"], []]


def test_S21_there_is_nothing_to_lock_without_a_choice() -> None:
    refused(table("7S", "8S"), "lock c4-g4", "S21")


def test_S15_advanced_jacks_break_sequences_and_the_others_turn_back() -> None:
    chips = {2: "c4 d4 e4 f4 g4"}
    assert table("JS", "8S", chips=chips, sequences=[[], ["c4-g4"]]).moves == ["pass"]
    game = table("JS JH", "8S", chips=chips, sequences=[[], ["c4-g4"]], advanced=True)
    assert len(game.moves) == 10
    game.play("JSxe4")
    assert position_in(game)["sequences"] == [[], []]
    assert position_in(game)["board"][6] == "..22.22..."
    after = position_in(game) | {"options": game.options | {"advanced": False}, "player": 1}
    assert starting(infila.load(after), "JHx") == ["JHxc4", "JHxd4", "JHxf4", "JHxg4"]


def test_S15_what_still_stands_in_a_line_counts_again_at_once() -> None:
    game = table("JS", "8S", chips={2: "b4 c4 d4 e4 f4 g4"}, sequences=[[], ["c4-g4"]], advanced=True).after("JSxg4")
    assert position_in(game)["sequences"] == [[], ["b4-f4"]]
    assert cell(game, "g4") == "."


def test_S15_S21_of_several_fives_the_first_by_name_counts_again() -> None:
    row = "a4 b4 c4 d4 e4 f4 g4"
    game = table("JS", "8S", chips={2: row}, sequences=[[], ["c4-g4"]], advanced=True).after("JSxg4")
    assert position_in(game)["sequences"] == [[], ["a4-e4"]]


def test_S15_corners_of_a_broken_sequence_stay_corners() -> None:
    game = table("JS", "8S", chips={2: "b1 c1 d1 e1"}, sequences=[[], ["a1-e1"]], advanced=True).after("JSxc1")
    assert position_in(game)["board"][9] == "*2.22....*"
    assert infila.load(game.position).states.tobytes() == game.states.tobytes()


def test_S15_removing_a_loose_chip_recounts_nothing() -> None:
    chips = {2: "c4 d4 e4 f4 g4 h4 i4 b2"}
    game = table("JS", "8S", chips=chips, sequences=[[], ["c4-g4"]], advanced=True).after("JSxi4")
    assert position_in(game)["sequences"] == [[], ["c4-g4"]]


@pytest.mark.parametrize("gone", ["c4", "d4", "e4", "f4", "g4"])
def test_S15_S21_of_ten_in_a_line_one_sequence_counts_again_at_most(gone: str) -> None:
    row = "a4 b4 c4 d4 e4 f4 g4 h4 i4 j4"
    game = table("JS", "8S", chips={2: row}, sequences=[[], ["c4-g4"]], advanced=True).after(f"JSx{gone}")
    again = {"c4": "d4-h4", "d4": "e4-i4", "e4": "f4-j4", "f4": "a4-e4", "g4": "a4-e4"}[gone]
    assert position_in(game)["sequences"] == [[], [again]]
    assert not game.over


def test_S24_with_three_sides_advanced_changes_nothing() -> None:
    game = table("JS", "8S", "9S", advanced=True, chips={1: "b2", 2: "c2", 3: "d2"})
    assert game.moves == ["JSxc2", "JSxd2"]
