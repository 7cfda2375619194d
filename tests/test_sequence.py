"""Sequence, rule by rule. The rules are in infila/games/sequence/texts/en.md; each test names the one that decides."""

import random
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import infila
from infila.core import chance, dispatch
from infila.games.sequence.board import CARD_NAMES, PRINTED
from infila.games.sequence.notation import CELL_NAMES
from infila.games.sequence.state import State
from tests.compare import OPTION_SETS
from tests.play import option_id, random_game

RANKS = "23456789TJQKA"
DECK = [name for name in CARD_NAMES[1:] for _ in range(2)]
EVERY_OPTION_SET = pytest.mark.parametrize("options", OPTION_SETS["sequence"], ids=option_id)


def position(
    *hands: str, chips: dict[int, str] | None = None, top: str = "", rest: str = "pile", **fields: Any
) -> dict[str, Any]:
    """A position from its hands and each side's chips; `top` lies on the pile, the rest below it or on the discards."""
    options: dict[str, Any] = {"players": len(hands)}
    for name in ("sides", "advanced", "draw", "table_talk"):
        if name in fields:
            options[name] = fields.pop(name)
    empty = infila.new("sequence", seed=1, **options)
    sides = empty.options["sides"]
    board = [["." for _ in range(10)] for _ in range(10)]
    for side, cells in (chips or {}).items():
        for cell in cells.split():
            number = CELL_NAMES.index(cell)
            board[9 - number // 10][number % 10] = str(side)
    for row, column in ((0, 0), (0, 9), (9, 0), (9, 9)):
        board[row][column] = "*"
    left = list(DECK)
    for card in " ".join((*hands, top)).split():
        left.remove(card)
    return {
        "game": "sequence",
        "rules": 1,
        "options": empty.options,
        "chance": {"key": ["0" * 16, "0" * 16], "counter": 0},
        "player": 1,
        "over": False,
        "cut": [],
        "dealer": len(hands),
        "turns": 20,
        "passes": 0,
        "exchanged": False,
        "board": ["".join(row) for row in board],
        "sequences": [[] for _ in range(sides)],
        "locking": None,
        "hands": [hand.split() for hand in hands],
        "pile": (left if rest == "pile" else []) + list(reversed(top.split())),
        "discards": [] if rest == "pile" else [[1, card] for card in left],
        "undrawn": [],
        "owing": [],
        "winner": None,
    } | fields


def table(*hands: str, **fields: Any) -> infila.Game:
    return infila.load(position(*hands, **fields))


def cell(game: infila.Game, name: str) -> str:
    number = CELL_NAMES.index(name)
    mark: str = game.position()["board"][9 - number // 10][number % 10]
    return mark


def hand(game: infila.Game, seat: int) -> str:
    return " ".join(game.position()["hands"][seat - 1])


def refused(game: infila.Game, move: str, rule: str) -> None:
    before = game.position()
    with pytest.raises(infila.IllegalMove) as problem:
        game.play(move)
    assert problem.value.rule == rule
    assert game.position() == before
    assert game.why(move) == str(problem.value)


def starting(game: infila.Game, word: str) -> list[str]:
    return [move for move in game.moves if move.split(": ")[-1].startswith(word)]


# material


def test_S1_two_full_decks_without_jokers() -> None:
    game = infila.new("sequence", seed=1)
    cards = [*game.position()["pile"], *game.position()["hands"][0], *game.position()["hands"][1]]
    assert sorted(cards) == sorted(2 * [rank + suit for rank in RANKS for suit in "SHDC"])


def test_S1_a_position_holds_every_card_twice() -> None:
    broken = position("7S", "8S")
    broken["pile"][0] = "AC"
    with pytest.raises(infila.BadPosition, match="S1"):
        infila.load(broken)


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
    assert cell(table("AD", "8S", chips={1: " ".join(many)}).play("AD@b1"), "b1") == "1"


CELL_PLACES = [(name, number % 10, number // 10) for number, name in enumerate(CELL_NAMES)]


# players and start


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
        assert cell(game.play(move), move.split("@")[1]) == str(seat % sides + 1)


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 6), (4, 6), (6, 5), (8, 4), (9, 4), (10, 3), (12, 3)])
def test_S5_cards_each(players: int, each: int) -> None:
    game = infila.new("sequence", players=players, seed=5)
    assert [len(cards) for cards in game.position()["hands"]] == [each] * players


def test_S6_S19_the_lowest_cut_deals_and_ties_cut_again() -> None:
    tied = 0
    for seed in range(200):
        at_start = infila.new("sequence", players=12, seed=seed).position()
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
    assert table("7S", "8S", cut=again, dealer=2).position()["cut"] == again
    with pytest.raises(infila.BadPosition, match="S6"):
        infila.load(position("7S", "8S", cut=again[:2], dealer=1))


def test_S6_play_goes_clockwise() -> None:
    game = infila.new("sequence", players=4, seed=2)
    first = game.player
    seats = [game.play(starting(game, "")[0]).player for _ in range(4)]
    assert seats == [(first + k) % 4 for k in (1, 2, 3, 4)]


def test_S6_only_the_seat_on_turn_plays() -> None:
    refused(table("7S", "8S"), "2: 8S@b3", "S6")
    drawing = table("7S", "8S", draw="manual", undrawn=[2])
    refused(drawing, "2: 8S@b3", "S6")


def test_S19_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    game = infila.new("sequence", players=4, seed=11)
    start = game.position()
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


# a turn


def test_S7_a_card_a_chip_a_new_card() -> None:
    game = table("7S QH", "8S", top="AC").play("7S@b2")
    assert cell(game, "b2") == "1"
    assert hand(game, 1) == "QH AC"
    assert game.position()["discards"] == [[1, "7S"]]
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
        seen = game.view(seat).position()
        assert seen["discards"] == game.position()["discards"]
        assert set(seen["pile"]) == {"?"}
        for other in range(4):
            expected = game.position()["hands"][other] if other == seat else ["?"] * 6
            assert seen["hands"][other] == expected


@pytest.mark.parametrize("seat", [None, 2])
def test_S7_for_a_viewer_all_cards_not_seen_are_alike(seat: int | None) -> None:
    game = infila.new("sequence", players=4, seed=4)
    for _ in range(8):
        game.play(game.moves[0])
    before = game.position()
    hands = set()
    for seed in range(20):
        after = game.redrawn(seat, seed).position()
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
    game.play("TD@e1").play("TC@a5")
    assert game.position()["sequences"] == [["a1-e1"], ["a1-a5"]]


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
        assert cell(game.copy().play(f"{jack}@e5"), "e5") == "1"


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
        assert game.why(move) is None
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
    assert game.position()["exchanged"]
    assert game.position()["discards"] == [[1, "7S"]]
    refused(game, "dead 8S", "S10")
    game.play("KS@b7")
    assert hand(game, 1) == "8S 2C AC"
    assert not game.position()["exchanged"]


def test_S10_what_is_not_dead() -> None:
    game = table("7S JC", "9S", chips={2: "b2"})
    refused(game, "dead 7S", "S10")
    refused(game, "dead JC", "S10")
    refused(game, "dead 8S", "S7")


def test_S11_S20_an_empty_pile_is_replaced_by_the_discards_with_the_card_just_played() -> None:
    game = table("7S", "8S", rest="discards").play("7S@b2")
    assert game.position()["discards"] == []
    assert len(game.position()["pile"]) == 102
    cards = [*game.position()["pile"], hand(game, 1), "8S"]
    assert sorted(cards) == sorted(DECK)


def test_S11_the_last_card_of_the_pile_does_not_reshuffle_yet() -> None:
    game = table("7S", "8S", top="2C", rest="discards").play("7S@b2")
    assert hand(game, 1) == "2C"
    assert game.position()["pile"] == []
    assert game.position()["discards"][-1] == [1, "7S"]


def test_S11_S20_who_can_do_nothing_passes_and_draws_nothing() -> None:
    game = table("JS", "8S")
    assert game.moves == ["pass"]
    game.play("pass")
    assert (hand(game, 1), game.player, game.position()["passes"]) == ("JS", 1, 1)


def test_S11_when_all_pass_the_game_is_a_draw() -> None:
    game = table("JS", "JS", "JH", chips={}).play("pass").play("pass")
    assert not game.over
    game.play("pass")
    assert game.over
    assert game.winners == []
    assert game.scores == [0, 0, 0]
    assert game.player == 2
    assert game.position()["passes"] == 3
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
    game = table("7S 8S", "8S", passes=1, chips={2: "b3 h10"}).play(move)
    assert game.position()["passes"] == 0


def test_S20_a_discard_breaks_a_row_of_passes_an_offence_and_a_draw_do_not() -> None:
    game = table("7S", "8S", "", "9S", passes=2, table_talk="forbidden", draw="manual", undrawn=[3])
    assert game.play("3: draw").position()["passes"] == 2
    assert game.play("offence 2").position()["passes"] == 2
    assert game.play("2: discard 8S").position()["passes"] == 0


def test_S20_the_chip_that_wins_ends_the_game_without_a_draw() -> None:
    row = "a4 b4 c4 d4 f4 g4 h4 i4"
    game = table("9H 7S", "8S", draw="manual", undrawn=[2], exchanged=True, chips={1: row}).play("9H@e4")
    assert game.over
    assert hand(game, 1) == "7S"
    end = game.position()
    assert (end["player"], end["undrawn"], end["locking"], end["exchanged"]) == (1, [], None, False)
    assert game.moves == []


# sequences and winning


def test_S12_five_in_a_row_a_column_and_both_diagonals() -> None:
    for chips, card, five in (
        ("c4 d4 e4 f4", "QH@g4", "c4-g4"),
        ("c3 c4 c5 c6", "6C@c7", "c3-c7"),
        ("c3 d4 e5 f6", "2C@g7", "c3-g7"),
        ("c7 d6 e5 f4", "AD@g3", "c7-g3"),
    ):
        game = table(card[:2], "8S", chips={1: chips}).play(card)
        assert game.position()["sequences"] == [[five], []]
        assert game.explain()[-1].seats[0][0].text == f"sequence {five}"


def test_S12_lines_do_not_go_around_the_edge() -> None:
    for chips, card in (("i4 j4 a5 b5", "QD@h4"), ("h3 i4 j5 a7", "KS@b8"), ("g2 h2 i2 j2", "7D@h1")):
        with_card = card.replace("KS@b8", "AS@b8")
        game = table(with_card[:2], "8S", chips={1: chips}).play(with_card)
        assert game.position()["sequences"] == [[], []]


def test_S12_four_are_not_enough_and_other_sides_chips_do_not_count() -> None:
    game = table("QH", "8S", chips={1: "d4 e4 f4", 2: "c4"}).play("QH@g4")
    assert game.position()["sequences"] == [[], []]


def test_S12_more_than_five_in_a_line_let_the_player_choose() -> None:
    game = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}, top="AC").play("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4"]
    assert (game.player, hand(game, 1), game.position()["locking"]) == (0, "", "e4")
    assert game.position()["sequences"] == [[], []]
    refused(game, "pass", "S12")
    refused(game, "lock a4-e4", "S12")
    refused(game, "lock a4-f4", "S12")
    game.play("lock c4-g4")
    assert game.position()["sequences"] == [["c4-g4"], []]
    assert (game.player, hand(game, 1), game.position()["locking"]) == (1, "AC", None)


def test_S21_only_the_five_are_safe() -> None:
    game = table("JS", "8S", chips={2: "b4 c4 d4 e4 f4 g4"}, sequences=[[], ["c4-g4"]])
    assert game.moves == ["JSxb4"]


def test_S13_nine_in_a_line_are_two_sequences() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4 f4 g4 h4 i4"}).play("9H@e4")
    assert game.position()["sequences"] == [["a4-e4", "e4-i4"], []]
    assert game.position()["winner"] == 1


@pytest.mark.parametrize(("more", "fives"), [("i4", 4), ("a4", 4), ("", 3)])
def test_S13_six_to_eight_in_a_line_are_one(more: str, fives: int) -> None:
    game = table("9H", "8S", chips={1: f"b4 c4 d4 f4 g4 h4 {more}"}).play("9H@e4")
    assert len(starting(game, "lock")) == fives
    game.play(game.moves[0])
    assert len(game.position()["sequences"][0]) == 1
    assert not game.over


def test_S13_the_second_sequence_may_use_one_cell_of_the_first() -> None:
    sharing = table("QC", "8S", chips={1: "c4 d4 e4 f4 g4 d5 d6 d7"}, sequences=[["c4-g4"], []]).play("QC@d3")
    assert sharing.position()["sequences"] == [["d3-d7", "c4-g4"], []]
    assert sharing.over
    longer = table("5H", "8S", chips={1: "c4 d4 e4 f4 g4 h4"}, sequences=[["c4-g4"], []]).play("5H@i4")
    assert longer.position()["sequences"] == [["c4-g4"], []]


def test_S13_nine_by_extending_a_turned_five_at_its_end() -> None:
    game = table("5H", "8S", chips={1: "a4 b4 c4 d4 e4 f4 g4 h4"}, sequences=[["a4-e4"], []]).play("5H@i4")
    assert game.position()["sequences"] == [["a4-e4", "e4-i4"], []]


def test_S13_one_chip_may_complete_two_at_once() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4 e5 e6 e7 e8"}).play("9H@e4")
    assert game.position()["sequences"] == [["a4-e4", "e4-e8"], []]
    assert game.over


def test_S13_two_sequences_may_not_share_two_cells_even_if_one_is_a_corner() -> None:
    game = table("9D", "8S", chips={1: "b1 c1 d1 e1"}, sequences=[["a1-e1"], []]).play("9D@f1")
    assert game.position()["sequences"] == [["a1-e1"], []]


def test_S14_with_two_sides_two_sequences_win() -> None:
    game = table("QH 7S", "8S", "9S", "2C", chips={1: "c4 d4 e4 f4 a2 a3 a4 a5"}, sequences=[["a1-a5"], []])
    game.play("QH@g4")
    assert game.over
    assert game.winners == [0, 2]
    assert game.scores == [1, 0, 1, 0]
    assert [sum(item.points for item in items) for items in game.explain()[-1].seats] == game.scores


def test_S14_with_three_sides_one_sequence_wins() -> None:
    game = table("QH", "8S", "9S", chips={1: "c4 d4 e4 f4"}).play("QH@g4")
    assert game.winners == [0]
    assert game.position()["sequences"] == [["c4-g4"], [], []]


def test_S14_one_sequence_of_two_sides_does_not_win_yet() -> None:
    game = table("QH", "8S", chips={1: "c4 d4 e4 f4"}).play("QH@g4")
    assert not game.over
    assert game.scores == [0, 0]


# move by move


def test_S21_a_winning_chip_is_not_asked_and_takes_the_first_fives() -> None:
    three_sides = table("9H", "8S", "9S", chips={1: "b4 c4 d4 f4 g4"}).play("9H@e4")
    assert three_sides.position()["sequences"] == [["b4-f4"], [], []]
    second = table("9H", "8S", chips={1: "a6 a7 a8 a9 b4 c4 d4 f4 g4"}, sequences=[["a6-a10"], []]).play("9H@e4")
    assert second.position()["sequences"] == [["b4-f4", "a6-a10"], []]
    both = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4 e5 e6 e7 e8 e3"}).play("9H@e4")
    assert both.position()["sequences"] == [["e3-e7", "b4-f4"], []]
    assert both.over


def test_S21_a_five_that_can_be_counted_must_be_counted() -> None:
    game = table("9H", "8S", chips={1: "a4 b4 c4 d4"}).play("9H@e4")
    assert game.position()["sequences"] == [["a4-e4"], []]
    assert not starting(game, "lock")


def test_S21_turned_fives_are_never_regrouped() -> None:
    game = table("5H", "8S", chips={1: "a4 b4 c4 d4 e4 f4 g4 h4"}, sequences=[["c4-g4"], []]).play("5H@i4")
    assert game.position()["sequences"] == [["c4-g4"], []]
    assert not game.over


def test_S21_lock_names_the_ends_from_left_to_right_in_a_column_upwards() -> None:
    column = table("8C", "8S", chips={1: "c3 c4 c6 c7 c8"}).play("8C@c5")
    assert column.moves == ["lock c3-c7", "lock c4-c8"]
    falling = table("2H", "8S", chips={1: "b8 c7 d6 f4 g3"}).play("2H@e5")
    assert falling.moves == ["lock c7-g3", "lock b8-f4"]
    falling.play("lock f4-b8")  # people may name them the other way round
    assert falling.position()["sequences"] == [["b8-f4"], []]


def test_S21_there_is_nothing_to_lock_without_a_choice() -> None:
    refused(table("7S", "8S"), "lock c4-g4", "S21")


# options


def test_S15_advanced_jacks_break_sequences_and_the_others_turn_back() -> None:
    chips = {2: "c4 d4 e4 f4 g4"}
    assert table("JS", "8S", chips=chips, sequences=[[], ["c4-g4"]]).moves == ["pass"]
    game = table("JS JH", "8S", chips=chips, sequences=[[], ["c4-g4"]], advanced=True)
    assert len(game.moves) == 10
    game.play("JSxe4")
    assert game.position()["sequences"] == [[], []]
    assert game.position()["board"][6] == "..22.22..."
    after = game.position() | {"options": game.options | {"advanced": False}, "player": 1}
    assert starting(infila.load(after), "JHx") == ["JHxc4", "JHxd4", "JHxf4", "JHxg4"]


def test_S15_what_still_stands_in_a_line_counts_again_at_once() -> None:
    game = table("JS", "8S", chips={2: "b4 c4 d4 e4 f4 g4"}, sequences=[[], ["c4-g4"]], advanced=True).play("JSxg4")
    assert game.position()["sequences"] == [[], ["b4-f4"]]
    assert cell(game, "g4") == "."


def test_S15_S21_of_several_fives_the_first_by_name_counts_again() -> None:
    row = "a4 b4 c4 d4 e4 f4 g4"
    game = table("JS", "8S", chips={2: row}, sequences=[[], ["c4-g4"]], advanced=True).play("JSxg4")
    assert game.position()["sequences"] == [[], ["a4-e4"]]


def test_S15_corners_of_a_broken_sequence_stay_corners() -> None:
    game = table("JS", "8S", chips={2: "b1 c1 d1 e1"}, sequences=[[], ["a1-e1"]], advanced=True).play("JSxc1")
    assert game.position()["board"][9] == "*2.22....*"
    assert infila.load(game.position()).states.tobytes() == game.states.tobytes()


def test_S15_removing_a_loose_chip_recounts_nothing() -> None:
    chips = {2: "c4 d4 e4 f4 g4 h4 i4 b2"}
    game = table("JS", "8S", chips=chips, sequences=[[], ["c4-g4"]], advanced=True).play("JSxi4")
    assert game.position()["sequences"] == [[], ["c4-g4"]]


@pytest.mark.parametrize("gone", ["c4", "d4", "e4", "f4", "g4"])
def test_S15_S21_of_ten_in_a_line_one_sequence_counts_again_at_most(gone: str) -> None:
    row = "a4 b4 c4 d4 e4 f4 g4 h4 i4 j4"
    game = table("JS", "8S", chips={2: row}, sequences=[[], ["c4-g4"]], advanced=True).play(f"JSx{gone}")
    again = {"c4": "d4-h4", "d4": "e4-i4", "e4": "f4-j4", "f4": "a4-e4", "g4": "a4-e4"}[gone]
    assert game.position()["sequences"] == [[], [again]]
    assert not game.over


def test_S16_with_manual_draw_the_card_comes_only_by_drawing() -> None:
    game = table("7S 2C", "8S", draw="manual", top="AC").play("7S@b2")
    assert (hand(game, 1), game.player, game.position()["undrawn"]) == ("2C", 1, [1])
    assert "1: draw" in game.moves
    game.play("1: draw")
    assert (hand(game, 1), game.player, game.position()["undrawn"]) == ("2C AC", 1, [])
    refused(game, "1: draw", "S22")
    refused(table("7S", "8S"), "draw", "S7")
    refused(table("7S", "8S"), "2: draw", "S7")


def test_S16_who_has_not_drawn_before_the_next_player_has_played_and_drawn_loses_the_card() -> None:
    game = table("7S 2C", "8S", draw="manual").play("7S@b2").play("8S@b3")
    assert game.position()["undrawn"] == [1, 2]
    assert game.why("draw") is None
    game.play("2: draw")
    assert game.position()["undrawn"] == []
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
    game = table("7S 2C", "8S", "9S", draw="manual", undrawn=[2, 3, 1]).play("3: draw")
    assert game.position()["undrawn"] == [1]


def test_S22_playing_again_loses_the_old_right() -> None:
    game = table("7S 2C", "8S", "", draw="manual", undrawn=[1, 2]).play("7S@b2")
    assert game.position()["undrawn"] == [2, 1]


def test_S22_an_exchange_a_pass_and_a_discard_leave_the_rights_as_they_are() -> None:
    game = table("7S 2C", "JS", draw="manual", undrawn=[1, 2], chips={2: "b2 g10"}, top="AC 3C")
    game.play("dead 7S")
    assert hand(game, 1) == "2C AC"
    assert game.position()["undrawn"] == [1, 2]
    passing = table("JS", "JS", "JH", draw="manual", undrawn=[2, 3]).play("pass")
    assert passing.position()["undrawn"] == [2, 3]
    owing = table("7S", "8S", "9S", "", draw="manual", undrawn=[3, 1], table_talk="forbidden")
    owing.play("offence 1").play("3: discard 9S").play("discard 7S")
    assert owing.position()["undrawn"] == [3, 1]


def test_S22_the_turn_passes_when_the_card_is_played_and_locked() -> None:
    game = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}, draw="manual", undrawn=[2]).play("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4", "2: draw"]
    assert game.position()["undrawn"] == [2]
    game.play("lock b4-f4")
    assert (game.player, game.position()["undrawn"]) == (1, [2, 1])


def test_S22_drawing_from_an_empty_pile_reshuffles() -> None:
    game = table("7S", "8S", rest="discards", draw="manual").play("7S@b2")
    assert len(game.position()["discards"]) == 103
    game.play("1: draw")
    assert (len(game.position()["discards"]), len(game.position()["pile"])) == (0, 102)


TALK = {"table_talk": "forbidden"}


def test_S17_after_an_offence_every_member_of_the_team_discards() -> None:
    game = table("7S 2C", "8S", "9S 3C", "TS", **TALK)
    assert starting(game, "offence") == ["offence 1", "offence 2"]
    game.play("offence 1")
    assert game.position()["owing"] == [1, 3]
    assert game.moves == ["discard 7S", "discard 2C", "3: discard 9S", "3: discard 3C"]
    game.play("3: discard 9S")
    assert (hand(game, 3), game.position()["owing"]) == ("3C", [1])
    assert game.position()["discards"] == [[3, "9S"]]
    game.play("discard 2C")
    assert (hand(game, 1), game.position()["owing"], game.player) == ("7S", [], 0)
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
    game = table("7S", "8S", "9S", "TS", draw="manual", undrawn=[2], **TALK).play("offence 1")
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
    game = table("7S", "8S", "", "TS", **TALK).play("offence 1")
    assert game.position()["owing"] == [1]
    none = table("", "8S", "", "TS", **TALK)
    assert starting(none, "offence") == ["offence 2"]
    refused(none, "offence 1", "S23")


def test_S23_an_offence_can_be_established_at_any_moment_also_before_a_lock() -> None:
    game = table("9H 7S", "8S", "9S", "TS", chips={1: "b4 c4 d4 f4 g4"}, **TALK).play("9H@e4")
    assert game.moves == ["lock b4-f4", "lock c4-g4", "offence 1", "offence 2"]
    game.play("offence 2").play("2: discard 8S").play("4: discard TS").play("lock b4-f4")
    assert game.position()["sequences"] == [["b4-f4"], []]


def test_S24_with_sides_of_one_player_table_talk_has_no_effect() -> None:
    game = table("7S", "8S", **TALK)
    assert not starting(game, "offence")
    refused(game, "offence 1", "S24")


def test_S18_a_game_of_1000_turns_is_a_draw() -> None:
    game = table("7S", "8S", turns=998, top="2C AC", chips={1: "b1 c1 d1 e1"}, sequences=[["a1-e1"], []])
    game.play("7S@b2")
    assert not game.over
    game.play("8S@b3")
    assert game.over
    assert game.winners == []  # S24: whoever is ahead
    assert (game.position()["turns"], game.position()["player"], hand(game, 2)) == (1000, 2, "")
    assert {item.rule for items in game.explain()[-1].seats for item in items} == {"S12", "S18"}


def test_S24_the_1000th_turn_may_still_win() -> None:
    game = table("QH", "8S", "9S", turns=999, chips={1: "c4 d4 e4 f4"}).play("QH@g4")
    assert game.winners == [0]


def test_S24_the_1000th_turn_may_be_a_pass_and_pending_draws_are_void() -> None:
    game = table("JS", "8S", turns=999, draw="manual", undrawn=[2]).play("pass")
    assert game.over
    assert (game.winners, game.position()["undrawn"]) == ([], [])


def test_S18_S21_the_lock_of_the_1000th_turn_comes_before_the_draw() -> None:
    game = table("9H", "8S", turns=999, chips={1: "b4 c4 d4 f4 g4"}, draw="manual", undrawn=[2]).play("9H@e4")
    assert not game.over
    game = infila.load(game.position()).play("2: draw").play("lock c4-g4")
    assert game.over
    assert game.position()["sequences"] == [["c4-g4"], []]
    assert (game.position()["undrawn"], hand(game, 1)) == ([], "")


def test_S24_an_exchange_is_no_turn_a_pass_is_one() -> None:
    game = table("7S", "8S", chips={2: "b2 g10"}, top="JS")
    assert game.play("dead 7S").position()["turns"] == 21 - 1
    assert starting(game, "JS")
    passing = table("JS", "8S").play("pass")
    assert passing.position()["turns"] == 21


def test_S24_with_three_sides_advanced_changes_nothing() -> None:
    game = table("JS", "8S", "9S", advanced=True, chips={1: "b2", 2: "c2", 3: "d2"})
    assert game.moves == ["JSxc2", "JSxd2"]


def test_S24_a_player_without_cards_stays_in_and_passes() -> None:
    assert table("", "8S").play("pass").player == 1


def test_S24_jacks_that_cannot_be_played_stay_in_the_hand() -> None:
    game = table("JS 7S", "8S")
    assert game.moves == ["7S@b2", "7S@g10"]
    refused(game, "JSxb2", "S9")
    refused(game, "dead JS", "S10")


# text, JSON, screen


def test_moves_of_the_rules_file_in_any_case() -> None:
    game = table("7S JC JS TC", "8S", chips={2: "e5"})
    for move in ("7S@b2", "7s@B2", " 7S @ b2 ", "jc@E6", "JSXe5", "10C@a5", "TC@a5"):
        assert game.why(move) is None


@pytest.mark.parametrize(
    "move", ["", "7", "b2", "7S@k2", "7S@b11", "7S-b2", "lock", "dead", "offence x", "draw 2", "é@b2"]
)
def test_texts_that_are_no_moves(move: str) -> None:
    refused(table("7S", "8S"), move, "")


@pytest.mark.parametrize("move", ["dead 1S", "discard XX", "dead 7X"])
def test_S1_cards_that_do_not_exist(move: str) -> None:
    refused(table("7S", "8S"), move, "S1")


def test_moves_as_paths_of_parts() -> None:
    game = table("7S JC JS KS", "8S", "9S", "2C", chips={2: "e5 b7 j7"}, **TALK)
    paths = {move: game.parts(move) for move in ("7S@b2", "JC@e6", "JSxe5", "dead KS", "offence 2")}
    assert paths["7S@b2"] == ("hand-7S", "cell-b2")
    assert paths["JC@e6"] == ("hand-JC", "cell-e6")
    assert paths["JSxe5"] == ("hand-JS", "cell-e5")
    assert paths["dead KS"] == ("hand-KS", "discards")
    assert paths["offence 2"] == ("side-2",)
    assert game.play("offence 1").parts("3: discard 9S") == ("hand-9S", "discards")
    assert table("", "8S", draw="manual", undrawn=[2]).parts("pass") == ("pass",)
    assert table("", "8S", draw="manual", undrawn=[2]).parts("2: draw") == ("pile",)
    locking = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}).play("9H@e4")
    assert locking.parts("lock b4-f4") == ("cell-b4", "cell-f4")


@EVERY_OPTION_SET
def test_positions_go_to_json_and_back(options: dict[str, Any]) -> None:
    chosen = random.Random(option_id(options))
    for game in random_game("sequence", 77, **options):
        if game.over or chosen.random() < 0.1:
            assert infila.load(game.position()).states.tobytes() == game.states.tobytes()


CHIPS = {1: "b4 c4 d4 e4 f4 g4 h4", 2: "a2 a3 a4 a5"}
COUNTED: dict[str, Any] = {"sequences": [["b4-f4"], ["a1-a5"]]}
LOCKING: dict[str, Any] = {"sequences": [[], ["a1-a5"]], "locking": "d4"}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"cut": [[1, "7S"]]}, "S6"),
        ({"cut": [[2, "7S"], [1, "8S"]]}, "S6"),
        ({"cut": [[1, "7S"], [2, "7S"], [1, "7S"], [2, "6S"]]}, "S6"),
        ({"cut": [[1, "1S"], [2, "8S"]]}, "cut"),
        ({"cut": [[3, "7S"], [2, "8S"]]}, "cut"),
        ({"board": ["." * 10] * 10}, "corners"),
        ({"board": ["*........*", *["." * 10] * 8, "*.......3*"]}, "i1"),
        ({"board": ["*........*"]}, "board"),
        ({"board": [*["." * 9] * 10]}, "board"),
        ({"sequences": [["b4-f4", "d4-h4"], []], "winner": 1, "over": True}, "S13"),
        ({"sequences": [["b5-f5"], []]}, "S12"),
        ({"sequences": [["b4-f4"], ["a1-a5", "a1-a5", "a1-a5"]]}, "S14"),
        ({"sequences": [["b4-c4"], []]}, "sequences"),
        ({"sequences": [[]]}, "sequences"),
        ({"winner": 1}, "S14"),
        ({"winner": 3}, "winner"),
        ({"over": True, "exchanged": True}, "S10"),
        ({"over": True, "undrawn": [1]}, "S16"),
        ({"passes": 2}, "S11"),
        ({"passes": 3}, "passes"),
        ({"turns": 1000}, "S18"),
        ({"turns": 1001}, "turns"),
        ({"undrawn": [1, 1]}, "twice"),
        ({"owing": [1]}, "S17"),
        ({"locking": "a5"}, "S21"),
        ({"locking": "a1"}, "S21"),
        ({"locking": "d4", "sequences": [["b4-f4"], []]}, "S21"),
        (LOCKING | {"turns": 0}, "S12"),
        (LOCKING | {"player": 2}, "S21"),
        (LOCKING | {"over": True}, "S12"),
        (LOCKING | {"locking": "c4"}, "S21: side 1 covers d4-h4"),
        (LOCKING | {"locking": None}, "S21: side 1 covers b4-f4"),
        (LOCKING | {"sequences": [[], []]}, "S21: side 2 covers a1-a5"),
        ({"sequences": [["b4-f4"], []]}, "S21: side 2 covers a1-a5"),
        ({"locking": "z9"}, "locking"),
        ({"player": 3}, "player"),
        ({"player": True}, "player"),
    ],
    ids=str,
)
def test_positions_that_do_not_exist_are_refused(changed: dict[str, Any], rule: str) -> None:
    infila.load(position("7S", "8S", chips=CHIPS, **COUNTED))
    infila.load(position("7S", "8S", chips=CHIPS, **LOCKING))
    with pytest.raises(infila.BadPosition, match=rule):
        infila.load(position("7S", "8S", chips=CHIPS, **COUNTED) | changed)


def test_S21_a_five_that_nobody_counted_is_no_position() -> None:
    with pytest.raises(infila.BadPosition, match=r"S21: side 1 covers c4-g4, .* add it to sequences"):
        table("7S", "8S", chips={1: "c4 d4 e4 f4 g4"})
    with pytest.raises(infila.BadPosition, match="S21: side 3 covers a1-a5"):
        table("7S", "8S", "9S", chips={3: "a2 a3 a4 a5"})
    beside = {2: "c4 d4 e4 f4 g4 b1 c1 d1 e1"}
    with pytest.raises(infila.BadPosition, match="S21: side 2 covers a1-e1"):
        table("7S", "8S", chips=beside, sequences=[[], ["c4-g4"]])
    regrouped = {1: "a4 b4 c4 d4 e4 f4 g4 h4 i4"}  # one sequence, as it was turned over
    assert table("7S", "8S", chips=regrouped, sequences=[["c4-g4"], []]).moves
    with pytest.raises(infila.BadPosition, match="S21: side 1 covers e4-i4"):
        table("7S", "8S", chips=regrouped, sequences=[["a4-e4"], []])


def test_S21_what_a_winning_chip_completes_beyond_what_wins_is_not_counted() -> None:
    star = "a4 b4 c4 d4 e5 e6 e7 e8 f5 g6 h7 i8"
    game = table("9H", "8S", chips={1: star}).play("9H@e4")
    assert game.position()["sequences"] == [["a4-e4", "e4-e8"], []]
    assert infila.load(game.position()).winners == [0]


@EVERY_OPTION_SET
def test_S11_a_position_that_loads_is_over_or_its_mover_has_a_move(options: dict[str, Any]) -> None:
    chosen = random.Random(option_id(options))
    seats = range(1, options["players"] + 1)
    loaded = 0
    for game in random_game("sequence", 5, most=120, **options):
        if chosen.random() > 0.06:
            continue
        at = game.position()
        changes: list[dict[str, Any]] = [
            {"player": chosen.choice(seats)},
            {"exchanged": True},
            {"undrawn": chosen.sample(seats, 2)},
            {"owing": chosen.sample(seats, 2)},
            {"discards": at["discards"] + [[1, card] for card in at["hands"][0]], "hands": [[], *at["hands"][1:]]},
            {"discards": at["discards"] + [[1, card] for card in at["pile"]], "pile": []},
        ]
        for change in changes:
            try:
                set_up = infila.load(at | change)
            except infila.BadPosition:
                continue
            loaded += 1
            mover = dispatch.mover(set_up.states[0])
            assert set_up.over or mover in set_up.acting()
    assert loaded


def test_a_game_that_is_won_is_over() -> None:
    won = position("7S", "8S", chips={1: "b1 c1 d1 e1", 2: "a2 a3 a4 a5 f10 g10 h10 i10"})
    won["sequences"] = [["a1-e1"], ["a1-a5", "f10-j10"]]
    assert infila.load(won | {"winner": 2, "over": True}).winners == [1]
    for changed in ({"winner": 2}, {"over": True}, {"winner": 1, "over": True}):
        with pytest.raises(infila.BadPosition, match="S14"):
            infila.load(won | changed)


def test_hands_have_room_for_what_may_still_be_drawn() -> None:
    full = "2S 3S 4S 5S 6S 7S 8S"
    with pytest.raises(infila.BadPosition, match="S5"):
        table(f"{full} 9S", "")
    with pytest.raises(infila.BadPosition, match="S22"):
        table(full, "", draw="manual", undrawn=[1])
    with pytest.raises(infila.BadPosition, match="S12"):
        table(full, "", chips=CHIPS, **LOCKING)
    with pytest.raises(infila.BadPosition, match="S12"):
        table("7S", "", chips=CHIPS, draw="manual", undrawn=[1], **LOCKING)
    with pytest.raises(infila.BadPosition, match="S23"):
        table("7S", "8S", "9S", "", owing=[4], **TALK)
    with pytest.raises(infila.BadPosition, match="S23"):
        table("7S", "8S", "9S", "", owing=[1, 2], **TALK)


@pytest.mark.parametrize("options", OPTION_SETS["sequence"][7::8], ids=option_id)
def test_the_screen_fits_into_80_columns(options: dict[str, Any]) -> None:
    names = [f"a very long name {seat}" for seat in range(options["players"])]
    console = Console(width=200, color_system=None, legacy_windows=False)
    for game in random_game("sequence", 3, **options):
        if game.position()["turns"] % 25 and not game.over:
            continue
        for seat in (-1, 0):
            view = game.view(None if seat < 0 else seat)
            with console.capture() as capture:
                console.print(game.contract.screen.draw(view.states[0], seat, names[:2] + [n[:6] for n in names[2:]]))
            board = capture.get().splitlines()[2:15]
            assert max(len(line.rstrip()) for line in board) <= 80


def test_the_screen_shows_the_backs_of_cards_that_are_not_known() -> None:
    game = infila.new("sequence", seed=1)
    console = Console(width=80, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(game.contract.screen.draw(game.view().states[0], 0, game.names))
    assert capture.get().count("▒▒") == 7


def test_the_screen_says_what_the_table_waits_for() -> None:
    lock = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}).play("9H@e4")
    assert "which five with e4" in str(lock.view(0))
    assert "discard is owed by seat 1" in str(table("7S", "8S", "9S", "TS", **TALK).play("offence 1").view(0))
    assert "a draw" in str(table("JS", "8S", turns=999).play("pass").view())
    dead = str(table("7S JC JS", "8S", chips={2: "b2 g10"}).view(0))
    assert "covered: 7S" in dead
    assert "one eye" in dead
    assert "two eyes" in dead
    assert "side 1 has won" in str(table("QH", "8S", "9S", chips={1: "c4 d4 e4 f4"}).play("QH@g4").view(1))
    assert "may still draw: seat 2" in str(table("7S", "8S", draw="manual", undrawn=[2]).view(1))
