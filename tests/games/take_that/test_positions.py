"""Positions of Take That that cannot be are refused, and all others can be played to their end."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import infila
from infila.games.take_that import rules
from tests.games.take_that.table import table
from tests.play import position_in, random_game


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
        ({"hands": [[12, 13]]}, "a list of length 2"),
    ],
)
def test_positions_that_cannot_be_are_refused(change: dict[str, Any], sentence: str) -> None:
    position = position_in(table([[12, 13], [14]], row=(49,), pile=(98,)))
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
            yield mutated(position_in(game), chance)


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
