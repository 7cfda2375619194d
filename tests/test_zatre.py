"""Zatre, rule by rule: Z1 … Z26, and the rulebook's example replayed."""

from collections import Counter
from typing import Any

import pytest

import infila
from infila.games.zatre.board import PLAN
from infila.games.zatre.notation import place_of

SUPPLY = {1: 21, 2: 20, 3: 20, 4: 20, 5: 20, 6: 20}
EMPTY: dict[str, Any] = {"x2": 0, "10": [], "11": [], "12": []}


def table(
    laid: str,
    *hands: list[int],
    draws: tuple[int, ...] = (),
    bag: tuple[int, ...] | None = None,
    sheets: dict[int, dict[str, Any]] | None = None,
    known: dict[int, list[Any]] | None = None,
    new: str = "",
    owing: str = "",
    keeping: str = "free",
    teams: bool = False,
    **more: Any,
) -> infila.Game:
    """A position: `laid` is what lies, as "6@h8 5@i8", `new` the cells laid in this turn, `owing` those that owe.

    `draws` are the tiles that come next; all tiles not named are in the bag below them, ones on top. With `bag`, its
    tiles in the order in which they come, all tiles not named are in the last hand instead.
    """
    left = Counter(SUPPLY)
    rows = [["#" if cell == "#" else "." for cell in line] for line in PLAN]
    for tile in laid.split():
        value, cell = tile.split("@")
        place = place_of(cell)
        rows[14 - (place >> 4)][place & 15] = value
        left[int(value)] -= 1
    left.subtract(tile for hand in hands for tile in hand)
    left.subtract(draws if bag is None else bag)
    assert min(left.values()) >= 0
    rest = sorted(left.elements(), reverse=True)
    held = [sorted(hand) for hand in hands]
    if bag is not None:
        held[-1] = sorted(held[-1] + rest)
    players = len(hands)
    order = {name: place_of(name) for name in (*new.split(), *owing.split())}
    return infila.load(
        {
            "game": "zatre",
            "rules": 1,
            "options": {"players": players, "keeping": keeping, "teams": teams},
            "chance": {"key": ["0123456789abcdef", "fedcba9876543210"], "counter": 0},
            "player": 1,
            "over": False,
            "start": [],
            "starter": 1,
            "opening": False,
            "second": False,
            "board": ["".join(row) for row in rows],
            "bag": [*rest, *reversed(draws)] if bag is None else list(reversed(bag)),
            "hands": held,
            "laid": sorted(new.split(), key=lambda name: order[name]),
            "owing": sorted(owing.split(), key=lambda name: order[name]),
            "drawn": True,
            "drawn_second": False,
            "sheets": [(sheets or {}).get(sheet, EMPTY) for sheet in range(1, players // (1 + teams) + 1)],
            "known": [(known or {}).get(seat, [0, ""]) for seat in range(1, players + 1)],
            **more,
        }
    )


def opening(*hands: list[int], **more: Any) -> infila.Game:
    return table("", *hands, **{"opening": True, "drawn_second": more.get("teams", False), **more})


def refused(game: infila.Game, move: str) -> str:
    """The rule that forbids a move; nothing changes."""
    before = game.position()
    with pytest.raises(infila.IllegalMove) as caught:
        game.play(move)
    assert game.position() == before
    assert str(caught.value).endswith(".")
    return caught.value.rule


def play(game: infila.Game, moves: str) -> infila.Game:
    for move in moves.split():
        game.play(move)
    return game


def sheet(game: infila.Game, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = game.position()["sheets"][number - 1]
    return found


def hand(game: infila.Game, seat: int = 1) -> list[int]:
    found: list[int] = game.position()["hands"][seat - 1]
    return found


def cells(game: infila.Game, value: int) -> set[str]:
    """Where a value may be laid."""
    return {move.split("@")[1] for move in game.moves if move.startswith(f"{value}@")}


BLOCK = "6@h8 5@i8 5@i7 5@h7"  # lines of 11, 10, 11 and 10: beside it only ones and twos fit
CORNER = "6@h8 6@i8 6@h9"  # two lines of 12: everything fits, but only on the light cells i7, g9 and i9
FULL = "6@h8 6@i8 6@h7 6@i7"  # nothing fits anywhere


# Material


def test_Z1_121_tiles_21_ones_and_20_of_each_other_value() -> None:
    position = infila.new("zatre", players=3, seed=1).position()
    tiles = Counter([*position["bag"], *(tile for held in position["hands"] for tile in held)])
    assert tiles == SUPPLY
    assert tiles.total() == 121
    assert refused(table(BLOCK, [1], []), "7@g8") == "Z1"
    with pytest.raises(infila.BadPosition, match="Z1"):
        infila.load(position | {"bag": position["bag"][1:]})


def test_Z2_the_board_has_160_dark_cells_32_light_ones_and_red_in_the_middle() -> None:
    count = Counter("".join(PLAN))
    assert (count["."], count["o"], count["R"]) == (160, 32, 1)
    assert opening([1, 2, 3], []).moves == ["1@h8", "2@h8", "3@h8"]
    for cell in ("a1", "h1", "h15", "a8", "o8", "p3", "c16", "c0"):
        assert refused(table(BLOCK, [1], []), f"1@{cell}") == "Z2"


def test_Z3_the_printed_bonus_is_3_4_5_and_from_row_13_on_6() -> None:
    full = {"x2": 0, "10": [1] * 14, "11": [2] * 14, "12": [4] * 14}
    game = table(BLOCK, [1], [], sheets={1: full})
    assert game.scores[0] == 14 * 7 + 4 * 3 + 4 * 4 + 4 * 5 + 2 * 6
    bonuses = [item.points for item in game.explain()[0].seats[0] if item.rule == "Z3"]
    assert bonuses == [3] * 4 + [4] * 4 + [5] * 4 + [6] * 2


# Start


def test_Z4_the_highest_starts_and_keeps_the_winning_tile() -> None:
    for seed in range(20):
        game = infila.new("zatre", players=4, seed=seed)
        position = game.position()
        start, starter = position["start"], position["starter"]
        last = start[-len({seat for seat, _ in start[4:]}) or -4 :]
        assert max(last, key=lambda drawn: drawn[1])[0] == starter
        assert max(value for _, value in last) in hand(game, starter)
        assert [len(held) for held in position["hands"]] == [3 * (seat == starter) for seat in range(1, 5)]
        assert (game.player, position["opening"], len(position["bag"])) == (starter - 1, True, 118)


def test_Z4_those_tied_for_highest_draw_again() -> None:
    ties = 0
    for seed in range(40):
        start = infila.new("zatre", players=3, seed=seed).position()["start"]
        highest = max(value for _, value in start[:3])
        tied = [seat for seat, value in start[:3] if value == highest]
        assert [seat for seat, _ in start[3 : 3 + len(tied)]] == (tied if len(tied) > 1 else [])
        ties += len(tied) > 1
    assert ties > 3


def test_Z4_all_three_opening_tiles_are_laid_and_the_first_covers_red() -> None:
    game = opening([2, 3, 4], [])
    assert refused(game, "2@h9") == "Z4"
    assert refused(game, "stop") == "Z4"
    assert refused(game, "draw") == "Z4"
    play(game, "3@h8 2@i8")
    assert refused(game, "stop") == "Z4"
    assert game.player == 0
    game.play("4@j8")
    assert game.player == 1
    assert len(hand(game, 2)) == 2


def test_Z5_play_goes_clockwise_and_nobody_moves_out_of_turn() -> None:
    game = table("6@h8", [1], [], [])
    assert refused(game, "2: stop") == "Z5"
    order = [game.player]
    while len(order) < 4:
        game.play("stop")
        order.append(game.player)
    assert order == [0, 1, 2, 0]


# Laying


def test_Z6_a_line_is_all_tiles_next_to_each_other_and_all_its_pips_count() -> None:
    game = table("6@h8 1@i8 2@g8 2@f8", [1], [])
    game.play("1@j8")
    assert sheet(game)["12"] == [4]  # 2 + 2 + 6 + 1 + 1
    assert refused(table(BLOCK, [1], []), "2@g8") == "Z6"


def test_Z7_every_tile_goes_next_to_another_orthogonally() -> None:
    game = table(BLOCK, [1, 1], [])
    assert refused(game, "1@g9") == "Z7"  # only a corner
    assert refused(game, "1@c5") == "Z7"
    assert refused(game, "1@h8") == "Z7"
    play(game, "1@g8 1@j7")  # tiles of a turn need not touch


def test_Z8_no_line_may_reach_13() -> None:
    game = table("6@h8 6@i8 3@h7", [1, 4], [])
    assert refused(game, "1@j8") == "Z8"
    assert refused(game, "4@h6") == "Z8"
    assert refused(game, "4@h9") == "Z8"
    assert "4@i7" in game.moves


def test_Z8_lines_of_nine_or_less_score_nothing() -> None:
    game = table("6@h8", [3], [])
    game.play("3@h9")
    assert sheet(game) == EMPTY


def test_Z9_a_light_cell_needs_a_line_of_10_11_or_12() -> None:
    game = table("6@h8 3@h7", [4], [])
    assert refused(game, "4@i7") == "Z9"
    assert refused(game, "4@g7") == "Z9"
    game = table("6@h8 5@h7 3@j7", [4], [])
    assert cells(game, 4) & {"i7", "g7"} == {"i7"}  # 5 + 4 + 3
    game.play("4@i7")
    assert sheet(game) == EMPTY | {"x2": 1, "12": [4]}


def test_Z9_a_first_light_tile_waits_for_a_second_which_must_make_it_good() -> None:
    game = table("6@h8 3@h7", [4, 5], [])
    game.play("4@i7")
    assert game.position()["owing"] == ["i7"]
    assert game.moves == ["5@g7", "5@j7"]
    assert refused(game, "stop") == "Z9"
    assert refused(game, "5@i8") == "Z9"  # a line of 11, but not through i7
    game.play("5@g7")
    assert sheet(game) == EMPTY | {"x2": 2, "12": [4]}
    assert game.position()["owing"] == []


def test_Z9_without_a_way_to_make_good_the_first_tile_is_not_allowed() -> None:
    assert "4@i7" in table("6@h8 3@h7", [3, 4], []).moves  # 3 + 4 + 3
    assert "4@i7" not in table("6@h8 3@h7", [2, 4], []).moves
    assert "4@i7" in table("6@h8 3@h7", [6, 4], []).moves  # 4 + 6 in the column


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z9_a_tile_that_fits_on_no_dark_cell_may_go_on_a_light_one(keeping: str) -> None:
    game = table(CORNER, [2], [], keeping=keeping)
    lays = ["2@i7", "2@g9", "2@i9"]
    assert game.moves == (lays if keeping == "forced" else [*lays, "stop"])
    game.play("2@i9")
    assert sheet(game) == EMPTY
    game = table(CORNER, [4], [], keeping=keeping)
    game.play("4@i9")  # 6 + 4
    assert sheet(game) == EMPTY | {"x2": 1, "10": [1]} | {"10": [2]}


def test_Z10_red_earns_a_cross_if_the_opening_has_a_line_of_10_11_or_12() -> None:
    assert sheet(play(opening([1, 6, 6], []), "1@h8 6@h9 6@g9")) == EMPTY | {"x2": 2, "12": [4]}
    assert sheet(play(opening([1, 6, 6], []), "6@h8 6@i8 1@h9")) == EMPTY | {"x2": 1, "12": [4]}
    assert sheet(play(opening([1, 2, 3], []), "1@h8 2@h9 3@h7")) == EMPTY


def test_Z11_both_tiles_must_be_laid_if_that_is_possible() -> None:
    game = table("6@h8", [1, 2], [], keeping="forced")
    assert refused(game, "stop") == "Z12"
    game.play("1@h9")
    assert refused(game, "stop") == "Z12"
    game.play("2@i8")
    assert game.player == 1


# Keeping


def test_Z12_free_one_may_keep_tiles_that_fit() -> None:
    game = table("6@h8", [1, 2], [])
    game.play("stop")
    assert hand(game) == [1, 2]
    game = table("6@h8", [1, 2], [])
    play(game, "1@h9 stop")
    assert hand(game) == [2]


def test_Z12_forced_a_tile_may_be_kept_only_if_it_fits_nowhere_after_what_was_laid() -> None:
    game = table("6@h8 5@i8 5@i7", [3, 5], [], keeping="forced")
    assert "3@h9" in game.moves
    game.play("5@h7")
    assert (game.player, hand(game)) == (1, [3])


def begun(kept: list[int], keeping: str, draws: tuple[int, ...] = (3, 4)) -> infila.Game:
    """Seat 1's turn has just begun, beside the BLOCK, with these tiles kept."""
    game = table("6@h8 5@i8 5@i7", kept, [5], player=2, keeping=keeping, draws=draws)
    return game.play("5@h7")


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_nothing_kept_draws_two(keeping: str) -> None:
    game = begun([], keeping, draws=(1, 4))
    assert hand(game) == [1, 4]


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_one_kept_tile_draws_one(keeping: str) -> None:
    for kept in (2, 4):
        game = begun([kept], keeping, draws=(1, 6))
        assert hand(game) == sorted([kept, 1])


@pytest.mark.parametrize("keeping", ["free", "forced"])
def test_Z13_two_or_more_of_which_none_fits_draw_exactly_one(keeping: str) -> None:
    for kept in ([3, 4], [3, 4, 5]):
        game = begun(kept, keeping, draws=(2, 1))
        assert hand(game) == [2, *kept]
        assert game.position()["drawn"]


def test_Z13_two_or_more_of_which_one_fits_may_draw_one_under_free() -> None:
    game = begun([2, 4], "free")
    assert hand(game) == [2, 4]
    assert "draw" in game.moves
    game.play("draw")
    assert hand(game) == [2, 3, 4]
    assert begun([2, 4], "free").play("2@g7").position()["player"] == 1  # or lay without drawing


def test_Z13_two_or_more_of_which_one_fits_draw_nothing_under_forced() -> None:
    game = begun([2, 4], "forced")
    assert hand(game) == [2, 4]
    assert refused(game, "draw") == "Z13"


def test_Z13_after_drawing_all_tiles_may_be_laid_even_more_than_two() -> None:
    game = begun([1, 1, 2], "free", draws=(1, 3))
    play(game, "draw 1@j7 1@j8 1@j9 2@k9")
    assert game.player == 1
    assert hand(game) == []


def test_Z14_kept_tiles_are_hidden_but_their_number_is_public() -> None:
    game = table(BLOCK, [1, 3], [2, 2, 6])
    assert game.view(0).position()["hands"] == [[1, 3], ["?"] * 3]
    assert game.view(1).position()["hands"] == [["?"] * 2, [2, 2, 6]]
    assert game.view(None).position()["hands"] == [["?"] * 2, ["?"] * 3]
    assert set(game.view(0).position()["bag"]) == {"?"}
    assert "known" in game.view(0).position()


# Scoring


@pytest.mark.parametrize(("value", "column", "points"), [(4, "10", 1), (5, "11", 2), (6, "12", 4)])
def test_Z15_a_10_earns_1_an_11_earns_2_a_12_earns_4(value: int, column: str, points: int) -> None:
    game = table("6@h8", [value], [])
    game.play(f"{value}@h9")
    assert sheet(game) == EMPTY | {column: [points]}
    assert game.scores == [points, 0]


def test_Z15_only_the_final_position_of_a_turn_counts() -> None:
    game = table("6@h8", [4, 2], [])
    play(game, "4@h9 2@h10")
    assert sheet(game) == EMPTY | {"12": [4]}
    game = table("6@h8", [4, 2], [])
    play(game, "4@h9 2@h7")  # the second before the first in the line
    assert sheet(game) == EMPTY | {"12": [4]}


def test_Z15_lines_without_a_tile_of_this_turn_earn_nothing() -> None:
    game = table("6@h8 4@h9", [1], [])
    game.play("1@i8")
    assert sheet(game) == EMPTY


def test_Z16_equal_sums_of_a_turn_share_a_box_and_each_column_fills_from_the_top() -> None:
    game = table("6@h8 5@h7", [6, 1], [], sheets={1: {"x2": 3, "10": [1, 1], "11": [], "12": [4]}})
    play(game, "6@i8 1@h6")
    assert sheet(game) == {"x2": 3, "10": [1, 1], "11": [], "12": [4, 8]}


def test_Z16_each_cross_takes_a_box_of_its_own() -> None:
    game = table(CORNER, [5, 5], [])
    play(game, "5@i7 5@g9")
    assert sheet(game) == EMPTY | {"x2": 2, "11": [4]}


def test_Z17_a_light_tile_earns_its_cross_only_in_a_line_of_10_11_or_12() -> None:
    game = table(CORNER, [3, 5], [])
    play(game, "3@i7 5@g9")  # 6 + 3 is no line that scores, 6 + 5 is
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z18_a_row_is_its_boxes_plus_the_bonus_if_full_doubled_by_a_cross() -> None:
    written = {"x2": 4, "10": [1, 2], "11": [2], "12": [8, 4, 4]}
    game = table(BLOCK, [1], [], sheets={1: written, 2: written | {"x2": 0}})
    assert game.scores == [2 * (1 + 2 + 8 + 3) + 2 * (2 + 4) + 2 * 4 + 0, 14 + 6 + 4]


# The end


def test_Z19_the_turn_in_which_the_last_tile_is_drawn_is_the_last() -> None:
    game = table("6@h8", [1], [], [], bag=(5, 4))
    game.play("stop")
    assert (game.player, hand(game, 2), game.over) == (1, [4, 5], False)
    play(game, "4@h9 stop")
    assert game.over
    assert game.moves == []
    assert game.position()["player"] == 2


def test_Z19_also_if_only_one_tile_was_left_to_draw() -> None:
    game = table("6@h8", [1], [], [], bag=(4,))
    game.play("1@i8")
    assert hand(game, 2) == [4]
    game.play("4@h9")
    assert game.over


def test_Z19_kept_tiles_of_every_player_count_as_minus_and_all_see_them() -> None:
    game = table("6@h8", [1, 5, 6], [3], [], bag=(4,))
    game.play("stop")
    assert game.scores == [0, 0, 0]  # not before the end
    play(game, "4@h9 stop")
    rest = sum(value * count for value, count in SUPPLY.items()) - 6 - 4 - 12 - 3
    assert game.scores == [-12, 1 - 3, -rest]
    assert [item.points for item in game.explain()[0].seats[0]] == [-1, -5, -6]
    assert game.view(2).position()["hands"][0] == [1, 5, 6]


def test_Z19_equal_totals_share_the_place() -> None:
    game = table("6@h8", [3], [], [], bag=(4,), sheets={1: EMPTY | {"10": [1]}})
    play(game, "3@i8 4@h9")
    assert game.scores[:2] == [1, 1]
    assert game.winners == [0, 1]


def test_Z20_if_nobody_can_lay_the_bag_is_drawn_empty_and_all_is_minus() -> None:
    game = table("6@h8 6@i8 6@h7", [6], [])
    game.play("6@i7")
    assert game.over
    assert game.position()["bag"] == []
    assert sorted(hand(game, 1) + hand(game, 2)) == sorted((Counter(SUPPLY) - Counter({6: 4})).elements())
    minus = [sum(hand(game, seat)) for seat in (1, 2)]
    assert game.scores == [2 * 8 - minus[0], -minus[1]]


# Pairs


def test_Z21_pairs_are_for_four_or_six() -> None:
    for players in (2, 3, 5):
        with pytest.raises(infila.BadOptions, match="4 or 6"):
            infila.new("zatre", players=players, teams=True)
    assert len(infila.new("zatre", players=6, teams=True, seed=1).position()["sheets"]) == 3


def pairs(laid: str, *hands: list[int], **more: Any) -> infila.Game:
    return table(laid, *hands, **{"teams": True, "drawn_second": True, **more})


def test_Z21_partners_share_a_sheet_and_see_each_others_tiles() -> None:
    game = pairs("6@h8", [4, 1], [5, 3], [2], [])
    assert game.view(0).position()["hands"] == [[1, 4], [3, 5], ["?"], []]
    assert game.view(1).position()["hands"] == [[1, 4], [3, 5], ["?"], []]
    assert game.view(2).position()["hands"] == [["?", "?"], ["?", "?"], [2], []]
    play(game, "4@h9 stop")
    assert game.scores == [1, 1, 0, 0]


def test_Z21_both_partners_draw_when_the_pairs_turn_begins() -> None:
    game = pairs("6@h8", [1], [2], [], [], draws=(1, 3, 2, 4))
    play(game, "stop")
    assert game.position()["second"]
    play(game, "stop")
    assert (hand(game, 3), hand(game, 4)) == ([1, 3], [2, 4])
    position = game.position()
    assert (position["second"], position["drawn"], position["drawn_second"]) == (False, True, True)


# Move by move


def test_Z22_a_turn_ends_by_itself_when_the_hand_is_empty_or_nothing_fits() -> None:
    assert table("6@h8", [1], []).play("1@h9").player == 1
    assert table("6@h8 5@i8 5@i7", [5, 3, 4], []).play("5@h7").player == 1


def test_Z22_a_seat_that_can_do_nothing_is_passed_over() -> None:
    game = table("6@h8 5@i8 5@i7", [5], [4], [], draws=(6, 1, 2))
    game.play("5@h7")  # seat 2 draws the 6, and neither 4 nor 6 fits
    assert (game.player, hand(game, 2), hand(game, 3)) == (2, [4, 6], [1, 2])


def test_Z22_equal_tiles_are_one_move() -> None:
    assert table("6@h8", [2, 2], []).moves == ["2@h7", "2@g8", "2@i8", "2@h9", "stop"]


def test_Z22_what_is_known_of_kept_tiles() -> None:
    game = table("6@h8 5@i8 5@i7", [5, 3, 4], [1])
    game.play("5@h7")
    assert game.position()["known"] == [[2, "3456"], [0, ""]]
    game.play("stop")  # and nothing is known of one who stops; seat 1 must draw, as neither 3 nor 4 fits
    position = game.position()
    assert position["known"] == [[2, "3456"], [0, ""]]
    assert len(position["hands"][0]) == 3


def test_Z22_with_the_first_tile_laid_nothing_is_known_any_more() -> None:
    game = table(BLOCK, [1, 4, 4], [], known={1: [2, "3456"]})
    game.play("1@j8")
    assert game.position()["known"] == [[0, ""], [0, ""]]


def test_Z22_what_was_known_before_is_not_forgotten_when_one_must_draw() -> None:
    game = table("6@h8 5@i8 5@i7", [5], [5, 6], known={2: [2, "56"]})
    game.play("5@h7")
    assert game.position()["known"][1] == [2, "56"]
    assert len(hand(game, 2)) == 3


def test_Z23_the_optional_draw_comes_once_and_before_laying() -> None:
    game = begun([2, 4], "free")
    play(game, "draw")
    assert refused(game, "draw") == "Z23"
    game = begun([1, 1], "free")
    game.play("1@j8")
    assert refused(game, "draw") == "Z23"


def test_Z23_who_has_not_drawn_must_lay_a_tile() -> None:
    game = begun([2, 4], "free")
    assert refused(game, "stop") == "Z23"
    assert "stop" in game.copy().play("draw").moves
    assert game.play("2@g7").player == 0  # now 4 fits beside it
    assert "stop" in game.moves


def test_Z24_a_light_tile_may_wait_for_several_others() -> None:
    assert "2@i7" not in table("6@h8 3@h7", [2, 4], []).moves
    game = table("6@h8 3@h7", [2, 2, 4], [])
    game.play("2@i7")  # 3 + 2, and 2 + 4 to come
    assert cells(game, 2) == {"g7", "j7"}
    assert cells(game, 4) == {"g7", "j7"}
    assert refused(game, "2@h6") == "Z9"
    play(game, "4@j7 2@k7")
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z24_two_light_tiles_may_wait_at_once_and_one_tile_may_make_good_both() -> None:
    game = table("6@h8 3@h7", [4, 3, 2, 5], [])
    play(game, "4@i7 3@g7")  # 3 + 3 + 4
    assert game.position()["owing"] == []
    game = table("6@h8 1@h7 1@h9", [3, 3, 4, 5], [])
    play(game, "3@i7 3@i9")
    assert game.position()["owing"] == ["i7", "i9"]
    assert "4@i8" in game.moves  # 3 + 4 + 3
    game.play("4@i8")
    assert game.position()["owing"] == []


def test_Z24_tiles_that_two_owing_lines_need_cannot_be_spent_elsewhere() -> None:
    game = table("6@h8 1@h7 1@h9", [6, 6, 3, 3], [])
    play(game, "3@i7 3@g9")
    assert game.position()["owing"] == ["i7", "g9"]
    assert cells(game, 6) == {"g7", "j7", "f9", "i9"}  # 6 + 1 + 3
    assert refused(game, "6@g8") == "Z9"
    game.play("6@g7")
    assert cells(game, 6) == {"f9", "i9"}


def test_Z24_a_tile_owes_at_the_edge_of_the_board() -> None:
    row = "1@h8 1@g8 1@f8 1@e8 1@d8 1@c8 1@b8 1@b9 4@a9"  # below a9 is no cell
    assert cells(table(row, [6], [], new="a9", owing="a9"), 6) == {"a10", "c9"}
    game = table(row, [6, 1], [], new="a9", owing="a9")
    assert cells(game, 6) == {"a10", "c9", "d9"}  # d9: with the 1 on c9
    assert {"a10", "c9"} < cells(game, 1)  # 1 + 4 + 6, by the 6 at the other end or next to the 1
    play(game, "6@a10 1@a11")
    assert sheet(game) == EMPTY | {"x2": 1, "11": [2]}


def test_Z24_whether_a_tile_fits_on_no_dark_cell_is_judged_when_it_is_laid() -> None:
    game = table("6@h8 6@i8 4@h9", [2, 3], [])
    game.play("3@i9")  # 3 fits only on light cells, 2 on h7 and h10 as well
    assert game.position()["owing"] == []
    assert game.play("stop").player == 1
    assert refused(table("6@h8 6@i8 4@h9", [2], []), "2@i9") == "Z9"


def test_Z24_red_owes_nothing() -> None:
    game = opening([1, 2, 3], [])
    game.play("3@h8")
    assert game.position()["owing"] == []
    play(game, "1@h9 2@h7")
    assert game.player == 1


def test_Z25_a_bag_with_too_few_tiles_is_drawn_empty() -> None:
    game = table("6@h8", [1], [], [], bag=(4,))
    game.play("stop")
    assert hand(game, 2) == [4]
    game = pairs("6@h8", [1], [2], [], [], [], [], bag=(4, 3, 5))
    play(game, "stop stop")
    assert (hand(game, 3), hand(game, 4)) == ([3, 4], [5])
    play(game, "stop stop")
    assert game.over


def test_Z25_in_the_start_all_but_the_winning_tile_go_back_into_the_bag() -> None:
    position = infila.new("zatre", players=6, seed=4).position()
    assert len(position["start"]) >= 6
    assert len(position["bag"]) == 118


def test_Z26_in_the_opening_the_starter_lays_first_and_the_partner_has_drawn_two() -> None:
    game = opening([4, 4], [1, 2, 3], [], [], teams=True, starter=2, player=2)
    play(game, "1@h8 2@h9 3@i8")
    assert (game.player, game.position()["second"]) == (0, True)
    assert "stop" in game.moves
    play(game, "stop")
    assert (game.player, game.position()["second"]) == (2, False)
    while game.player != 0:
        game.play("stop")
    assert not game.position()["second"]  # the lower seat first


def test_Z26_the_starters_partner_draws_two_in_the_deal() -> None:
    position = infila.new("zatre", players=4, teams=True, seed=3).position()
    starter = position["starter"]
    partner = (starter - 1 ^ 1) + 1
    assert [len(held) for held in position["hands"]] == [
        3 * (seat == starter) + 2 * (seat == partner) for seat in range(1, 5)
    ]


def test_Z26_when_the_second_part_begins_the_draw_is_asked_again() -> None:
    game = pairs("6@h8 5@i8 5@i7", [5], [3, 4], [], [], drawn_second=False, draws=(2,))
    game.play("5@h7")  # now neither 3 nor 4 fits
    position = game.position()
    assert (game.player, hand(game, 2)) == (1, [2, 3, 4])
    assert (position["drawn"], position["drawn_second"]) == (True, True)
    assert position["known"][1] == [2, "3456"]
    game = pairs("6@h8", [5], [3, 4], [], [], drawn_second=False)
    game.play("5@h9")
    assert (game.player, hand(game, 2), game.position()["drawn"]) == (1, [3, 4], False)
    game.play("draw")
    assert game.position()["drawn_second"]


def test_Z26_each_part_is_scored_by_itself() -> None:
    game = pairs("6@h8", [4], [4], [], [])
    play(game, "4@h9 4@i8")
    assert sheet(game) == EMPTY | {"10": [1, 1]}


def test_Z26_the_last_turn_is_the_whole_pairs_and_both_hands_are_its_minus() -> None:
    game = pairs("6@h8", [5, 5], [3], [], [2], bag=(), drawn=True)
    game.play("stop")
    assert not game.over
    game.play("stop")
    assert game.over
    assert game.scores[:2] == [-13, -13]
    assert game.scores[2] == game.scores[3]


def test_Z26_with_an_empty_bag_the_second_partner_draws_nothing() -> None:
    game = pairs("6@h8 5@i8 5@i7", [5], [3, 4], [], [], drawn_second=False, bag=())
    game.play("5@h7")
    assert game.over
    assert game.position()["known"][1] == [2, "3456"]
    game = pairs("6@h8", [5], [3], [], [], drawn_second=False, bag=())
    game.play("5@h9")
    assert (game.player, game.position()["drawn"]) == (1, False)
    assert refused(game, "draw") == "Z25"
    assert refused(game, "stop") == "Z23"


# The rulebook's example


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


# Positions


def test_texts_that_are_no_moves() -> None:
    game = table("6@h8", [1, 2], [])
    assert refused(game, "five") == ""
    assert refused(game, "1@") == ""
    assert game.play("1@H9").history == ("1@h9",)
    assert game.play("STOP").history[-1] == "stop"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"start": [[1, 6], [2, 6]]}, "Z4"),
        ({"start": [[1, 6], [2, 3]], "starter": 2}, "Z4"),
        ({"start": [[2, 6], [1, 3]]}, "Z4"),
        ({"start": [[1, 6], [2, 6]] * 11 + [[1, 2], [2, 1]]}, "Z1"),
        ({"board": ["." * 15] * 15}, "Z2"),
        ({"board": 15 * [""]}, "15 texts"),
        ({"laid": ["c3"]}, "cells with tiles"),
        ({"laid": ["h8", "i7"]}, "ascending"),
        ({"laid": ["h8"], "owing": ["h8"]}, "Z9"),
        ({"laid": ["i7"], "owing": ["i7"]}, "Z9"),
        ({"second": True}, "Z21"),
        ({"drawn_second": True}, "Z21"),
        ({"over": True}, "Z19"),
        ({"opening": True}, "Z4"),
        ({"drawn": False}, "Z13"),
        ({"player": 2}, "Z22"),
        ({"known": [[1, "6"], [0, ""]]}, "does not hold"),
        ({"known": [[1, "13"], [0, ""]]}, "from a certain one up"),
        ({"known": [[0, "6"], [0, ""]]}, "from a certain one up"),
        ({"known": [[0, ""], [1, "6"]]}, "of all or of none"),
        ({"sheets": [EMPTY]}, "list of 2"),
        ({"sheets": [EMPTY, []]}, "object"),
        ({"sheets": [EMPTY, EMPTY | {"12": [2]}]}, "cannot hold"),
        ({"sheets": [EMPTY, EMPTY | {"10": [1] * 60}]}, "Z15"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], sentence: str) -> None:
    position = table(BLOCK, [1], [6, 5]).position()
    with pytest.raises(infila.BadPosition, match=sentence):
        infila.load(position | change)


def test_positions_of_the_board_that_cannot_be() -> None:
    with pytest.raises(infila.BadPosition, match="Z8"):
        table("6@h8 6@i8 1@j8", [1], [])
    with pytest.raises(infila.BadPosition, match="Z4"):
        table("6@i8", [1], [])
    with pytest.raises(infila.BadPosition, match="Z9"):
        table("6@h8 3@h7 4@i7", [2], [], new="i7", owing="i7")
    with pytest.raises(infila.BadPosition, match="Z4"):
        opening([1, 2], [])
    with pytest.raises(infila.BadPosition, match="Z26"):
        pairs(BLOCK, [1], [3, 4], [], [], drawn_second=False)
    with pytest.raises(infila.BadPosition, match="Z26"):
        pairs("6@h8", [1], [3, 4], [], [], player=2, second=True, drawn_second=False)


# What others may know


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
    assert not all(6 in held for held in redrawn_hands(game.play("6@h8"), 1, 1, 60))
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


def test_moves_as_paths_of_parts() -> None:
    game = begun([2, 4], "free")
    assert game.parts("2@g7") == ("hand-2", "cell-g7")
    assert game.parts("draw") == ("bag",)
    assert game.play("draw").parts("stop") == ("stop",)


def test_the_screen_shows_the_board_the_sheets_and_only_the_viewers_tiles() -> None:
    game = table("6@h8 3@h7", [4, 5], [2, 2], known={2: [2, "23456"]}, sheets={2: EMPTY | {"x2": 1, "12": [8]}})
    game.play("4@i7")
    mine, other = str(game.view(0)), str(game.view(1))
    assert "(4)" in mine
    assert "2 of them 2 to 6" in mine
    assert "2 of them" not in other
    assert " 5 " in mine
    assert "16" in mine  # the doubled 8 of the other sheet
    assert "x2 10 11 12 bonus total" in other
    assert "opening" in str(opening([1, 2, 3], [], teams=False).view(None))
    over = table("", [5], [], bag=(), over=True)
    assert "minus" in str(over.view(None))
