"""Take That, rule by rule: T1 … T12."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import infila
from infila.games.take_that import rules
from infila.games.take_that.rules import DECK
from tests.play import random_game


def table(
    hands: list[list[int]],
    row: tuple[int, ...] = (),
    pile: tuple[int, ...] = (),
    plus: dict[int, list[int]] | None = None,
    minus: dict[int, list[int]] | None = None,
    player: int = 1,
    **options: Any,
) -> infila.Game:
    """A position; cards that are not named are minus cards of the last seat. The pile's last card is drawn next."""
    players = len(hands)
    named = {*row, *pile, *(card for hand in hands for card in hand)}
    pluses = [(plus or {}).get(seat, []) for seat in range(1, players + 1)]
    minuses = [list((minus or {}).get(seat, [])) for seat in range(1, players + 1)]
    named |= {card for cards in [*pluses, *minuses] for card in cards}
    minuses[-1] += [int(card) for card in DECK if card not in named]
    return infila.load(
        {
            "game": "take_that",
            "rules": 1,
            "options": {"players": players, "rounds": 1, "expert": False, "dealer": 1} | options,
            "chance": {"key": ["0" * 16, "0" * 16], "counter": 0},
            "player": player,
            "over": False,
            "round": 1,
            "dealer": 1,
            "points": [0] * players,
            "row": list(row),
            "pile": list(pile),
            "hands": hands,
            "plus": pluses,
            "minus": minuses,
            "extra": [[] for _ in hands],
        }
    )


def refused(game: infila.Game, move: str) -> str:
    before = game.position()
    with pytest.raises(infila.IllegalMove) as caught:
        game.play(move)
    assert game.position() == before
    return caught.value.rule


def test_T1_79_cards_without_tens_seven_toads_and_36_pairs() -> None:
    assert len(DECK) == 79
    assert not {20, 30, 40, 50, 60, 70, 80, 90} & set(DECK.tolist())
    toads = [card for card in DECK.tolist() if card % 11 == 0]
    assert toads == [22, 33, 44, 55, 66, 77, 88]
    assert len([card for card in DECK.tolist() if card < card % 10 * 10 + card // 10]) == 36
    game = table([[34], [12]], row=(33,))
    assert refused(game, "30") == "T1"
    assert refused(game, "99") == "T1"


@pytest.mark.parametrize(("players", "each"), [(2, 9), (3, 9), (4, 8)])
def test_T2_nine_cards_each_eight_with_four_and_the_dealers_left_starts(players: int, each: int) -> None:
    game = infila.new("take_that", players=players, seed=1, dealer=1)
    position = game.position()
    assert [len(hand) for hand in position["hands"]] == [each] * players
    assert len(position["pile"]) == 79 - players * each
    assert game.player == 1
    game.play(game.moves[0])
    assert game.player == 2 % players


def test_T2_out_of_turn_is_refused() -> None:
    assert refused(table([[34], [35]], row=(33,)), "2: 35") == "T2"


def test_T3_after_placing_and_twisting_one_card_is_drawn() -> None:
    game = table([[34, 94], [12]], row=(49, 41), pile=(98, 97))
    assert game.copy().play("34").position()["hands"][0] == [94, 97]
    assert game.copy().play("94x49").position()["hands"][0] == [34, 97]
    assert refused(game, "12") == "T3"


def test_T4_at_most_ten_away_from_the_rightmost_card() -> None:
    game = table([[23, 24, 44, 45, 62], [12]], row=(61, 34))
    assert game.moves == ["24", "44", "take"]
    assert game.why("58") == "T3: you do not hold 58. Your hand: 23, 24, 44, 45, 62."
    assert game.why("45") == "T4: 45 is more than 10 away from 34. Place another card, twist or take."


def test_T4_with_no_row_placing_any_card_is_the_only_choice() -> None:
    game = table([[13, 98], [31]])
    assert game.moves == ["13", "98"]
    assert refused(game, "take") == "T4"
    assert refused(game, "13x31") == "T4"


def test_T5_a_twist_takes_a_card_from_anywhere_and_the_gap_closes() -> None:
    game = table([[94], [12]], row=(34, 41, 49, 51), pile=(98,))
    game.play("94x49")
    position = game.position()
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
    assert game.position()["row"] == []
    assert game.player == 1
    assert game.moves == ["13", "14"]


def test_T6_who_takes_the_row_opens_a_new_one_and_draws_once() -> None:
    game = table([[12, 13], [14]], row=(49, 51), pile=(98, 97))
    game.play("take")
    assert game.player == 0
    assert game.position()["minus"][0] == [49, 51]
    assert len(game.position()["pile"]) == 2
    game.play("13")
    assert game.position()["hands"][0] == [12, 97]
    assert game.player == 1


def test_T7_with_the_pile_empty_the_round_ends_when_the_row_is_taken() -> None:
    game = table([[12, 13], [14]], row=(49, 51))
    game.play("take")
    assert game.over
    assert game.scores[0] == -2


def test_T7_with_the_pile_empty_the_round_ends_when_the_last_card_is_twisted_away() -> None:
    game = table([[94, 13], [14]], row=(49,))
    game.play("94x49")
    assert game.over
    assert game.scores[0] == 2


def test_T7_nothing_is_drawn_from_an_empty_pile_and_an_empty_hand_must_take() -> None:
    game = table([[51], []], row=(49,))
    game.play("51")
    assert game.position()["hands"] == [[], []]
    assert game.moves == ["take"]
    assert not game.over


def test_T7_if_the_pile_runs_out_on_the_draw_after_the_last_twist_the_next_player_opens() -> None:
    game = table([[94, 13], [14, 15]], row=(49,), pile=(98,))
    game.play("94x49")
    assert not game.over
    assert game.moves == ["14", "15"]


def test_T8_plus_one_minus_one_and_toads_minus_five() -> None:
    """The rulebook's example: 12 points in plus cards and 17 minus are -5."""
    plus = [12, 21, 13, 31, 14, 41, 15, 51, 16, 61, 17, 71]
    minus = [33, 44, 23, 24, 25, 26, 27, 28]
    game = table([[93, 58], [94]], row=(96,), pile=(98,), plus={1: plus}, minus={1: minus})
    assert sum(5 if card in (33, 44) else 1 for card in minus) == 16
    game.play("take")
    assert game.scores[0] == 12 - 17 == -5
    counted = {item.text: item.points for item in game.explain()[0].seats[0]}
    assert counted["toad 33"] == -5
    assert counted["12 and 21 twisted"] == 2
    assert counted["96"] == -1


def test_T9_the_best_sum_of_all_rounds_wins_and_the_deal_moves_left() -> None:
    game = infila.new("take_that", players=3, seed=4, dealer=3, rounds=2)
    while game.position()["round"] == 1:
        game.play(game.moves[-1])
    assert game.position()["dealer"] == 1
    assert game.player == 1
    first = game.position()["points"]
    assert game.scores == first
    while not game.over:
        game.play(game.moves[-1])
    assert game.winners == [seat for seat in range(3) if game.scores[seat] == max(game.scores)]
    assert [sum(item.points for item in seat) for seat in game.explain()[0].seats] == first


def test_T9_equal_sums_share_the_place() -> None:
    rest = [int(card) for card in DECK if card not in (12, 98, 97, 96)]
    toads = [card for card in rest if card % 11 == 0]
    others = [card for card in rest if card % 11]
    ours, theirs = toads[:3] + others[:36], toads[3:] + others[36:]
    game = table([[98, 96], [97]], row=(12,), minus={1: ours, 2: theirs})
    assert game.scores == [-51, -52]
    game.play("take")
    assert game.scores == [-52, -52]
    assert game.winners == [0, 1]


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_T9_any_number_of_rounds(rounds: int) -> None:
    game = infila.new("take_that", players=2, seed=4, rounds=rounds)
    while not game.over:
        game.play(game.moves[0])
    assert len(game.explain()) == rounds


def test_T10_expert_a_row_of_one_costs_the_top_card_too() -> None:
    game = table([[12, 13], [14]], row=(49,), pile=(98, 33), expert=True)
    game.play("take")
    assert game.position()["extra"][0] == [33]
    assert game.scores[0] == -6
    assert game.moves == ["12", "13"]
    longer = table([[12, 13], [14]], row=(49, 51), pile=(98, 33), expert=True).play("take")
    assert longer.position()["extra"][0] == []
    usual = table([[12, 13], [14]], row=(49,), pile=(98, 33)).play("take")
    assert usual.position()["extra"][0] == []


def test_T10_the_extra_card_is_known_only_to_its_taker() -> None:
    game = table([[12, 13], [14], [15]], row=(49,), pile=(98, 33), expert=True).play("take")
    assert game.view(0).position()["extra"][0] == [33]
    assert game.view(1).position()["extra"][0] == ["?"]
    assert game.view(None).position()["extra"][0] == ["?"]
    assert game.view(1).position()["minus"][0] == [49]


def test_T11_expert_with_the_last_card_of_the_pile_goes_on_without_drawing() -> None:
    game = table([[12, 13], [14]], row=(49,), pile=(33,), expert=True).play("take")
    assert not game.over
    game.play("12")
    assert game.position()["hands"][0] == [13]
    assert game.player == 1


def test_T11_with_the_pile_empty_there_is_no_extra_card() -> None:
    game = table([[12, 13], [14]], row=(49,), expert=True).play("take")
    assert game.over
    assert game.position()["extra"] == [[], []]


def test_T11_twisting_a_lone_card_away_is_not_taking() -> None:
    game = table([[94, 13], [14]], row=(49,), pile=(98, 97), expert=True).play("94x49")
    assert game.position()["extra"] == [[], []]


def test_T12_others_see_the_score_without_the_extra_card_until_the_round_ends() -> None:
    game = table([[12, 13], [14], [15]], row=(49,), pile=(33,), expert=True).play("take")
    assert game.view(0).scores[0] == -6
    assert game.view(1).scores[0] == game.view(None).scores[0] == -1
    assert game.view(1).explain()[0].seats[0][-1].rule == "T12"
    game.play("12").play("14").play("take")
    assert game.over
    assert game.view(1).scores[0] == game.view(None).scores[0] == -6
    assert game.view(1).position()["extra"][0] == [33]
    assert game.view(1).position()["hands"][0] == ["?"]


def test_T12_the_dealer_is_a_seat_or_random() -> None:
    assert infila.new("take_that", players=4, seed=1, dealer=4).player == 0
    assert {infila.new("take_that", players=4, seed=seed).player for seed in range(30)} == {0, 1, 2, 3}
    with pytest.raises(infila.BadOptions, match="random or 1 to 2"):
        infila.new("take_that", players=2, dealer=3)


def test_the_rulebooks_first_turns() -> None:
    """Alex opens with 34, Sara places 41, Lino 49, and Marlene twists 49 out with her 94."""
    hands = [[34, 12], [41, 13], [49, 14], [94, 15]]
    game = table(hands, pile=(81, 82, 83, 84, 85))
    for move in ("34", "41", "49", "94x49"):
        game.play(move)
    position = game.position()
    assert position["row"] == [34, 41]
    assert position["plus"] == [[], [], [], [49, 94]]
    assert game.player == 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"row": [49, 49]}, "each of the 79 cards once"),
        ({"row": [20]}, "row cannot hold 20"),
        ({"player": 3}, "from 1 to 2"),
        ({"over": True}, "cannot be over"),
        ({"round": 2}, "from 1 to 1"),
        ({"plus": [[12], []]}, "79 cards"),
        ({"extra": [[], [98]], "pile": []}, "only with the option expert"),
        ({"colour": 1}, "no field 'colour'"),
        ({"hands": [[12, 13]]}, "a list of 2"),
    ],
)
def test_positions_that_cannot_be_are_refused(change: dict[str, Any], sentence: str) -> None:
    position = table([[12, 13], [14]], row=(49,), pile=(98,)).position()
    with pytest.raises(infila.BadPosition, match=sentence):
        infila.load(position | change)


@pytest.mark.parametrize(("player", "empty"), [(1, 1), (1, 2), (2, 1)])
def test_T3_a_hand_is_not_empty_while_there_is_a_pile(player: int, empty: int) -> None:
    """It would have to take the row, and could not open the next one."""
    hands = [[12, 13], [14]]
    hands[empty - 1] = []
    with pytest.raises(infila.BadPosition, match=f"T3: the hand of seat {empty} is empty and the pile is not"):
        table(hands, row=(49,), pile=(98,), player=player)
    assert table(hands, row=(49,), player=player).moves[-1] == "take"


def test_T4_whoever_must_open_a_row_has_a_card() -> None:
    with pytest.raises(infila.BadPosition, match="T4: seat 2 must open a row"):
        table([[12], []], player=2)
    assert table([[12], []], player=1).moves == ["12"]


def mutated(position: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A position with some cards, or all of one place, lying elsewhere, and sometimes with another seat on turn."""
    position = deepcopy(position)
    places = [position["row"], position["pile"]]
    places += [cards for name in ("hands", "minus", "extra", "plus") for cards in position[name]]
    for _ in range(chance.randint(1, 5)):
        source, target = chance.sample(places, 2)
        for _ in range(chance.choice((1, len(source)))):
            if source:
                target.append(source.pop(chance.randrange(len(source))))
    if chance.random() < 0.3:
        position["player"] = chance.randint(1, len(position["hands"]))
    if chance.random() < 0.1:
        position["over"] = not position["over"]
    return position


def mutated_positions(chance: random.Random) -> Iterator[dict[str, Any]]:
    for number, players in enumerate((2, 3, 4, 2)):
        options = {"players": players, "rounds": 1 + number // 2, "expert": number % 2 == 1}
        for game in random_game("take_that", number, **options):
            for _ in range(2):
                yield mutated(game.position(), chance)


def test_every_position_that_loads_can_be_played_to_its_end() -> None:
    """Whatever lies elsewhere: a position is refused by a rule, or its mover has a move, and so on until it is over."""
    chance = random.Random(7)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    loaded = refused = 0
    for position in mutated_positions(chance):
        try:
            states = infila.load(position).states
        except infila.BadPosition as problem:
            assert str(problem).startswith("T"), problem
            refused += 1
            continue
        loaded += 1
        while not states[0].ended:
            moves = rules.legal(states[0], out)
            assert moves > 0, position
            rules.play(states[0], int(out[chance.randrange(moves)]))
    assert loaded > 100
    assert refused > 100
