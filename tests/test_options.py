"""Options in their forms: seats count from 0 in Python, and from 1 in writing (docs/reference/positions.md)."""

from typing import Any

import numpy as np
import pytest

import infila
from infila.batch import Batch
from infila.core.games import contract_of

TAKE_THAT = contract_of("take_that").options
SEQUENCE = contract_of("sequence").options


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_counts_from_0_in_python_and_from_1_in_writing(seat: int) -> None:
    made = TAKE_THAT.make({"players": 3, "dealer": seat})
    assert made.to_dict()["dealer"] == seat
    assert made.to_json()["dealer"] == seat + 1
    assert made.to_texts()["dealer"] == str(seat + 1)
    assert TAKE_THAT.from_json(made.to_json()) == TAKE_THAT.from_texts(made.to_texts()) == made
    game = infila.new("take_that", players=3, seed=1, dealer=seat)
    assert game.options["dealer"] == seat
    assert f"dealer={seat + 1}" in game.log
    assert infila.load(game.save()).options == game.options


@pytest.mark.parametrize(
    ("how", "options", "sentence"),
    [
        ("make", {"dealer": 2}, "dealer cannot be seat 2: there are 2 players. It must be random or 0 to 1."),
        ("from_json", {"dealer": 3}, "dealer cannot be seat 3: there are 2 players. It must be random or 1 to 2."),
        ("from_texts", {"dealer": "3"}, "dealer cannot be seat 3: there are 2 players. It must be random or 1 to 2."),
        ("make", {"dealer": -1}, "dealer cannot be -1: it must be random or a seat from 0."),
        ("from_json", {"dealer": 0}, "dealer cannot be 0: it must be random or a seat from 1."),
        ("from_texts", {"dealer": "0"}, "dealer cannot be 0: it must be random or a seat from 1."),
        ("from_texts", {"dealer": "me"}, "dealer cannot be 'me': it must be random or a seat from 1."),
        ("from_json", {"dealer": True}, "dealer cannot be True: it must be random or a seat from 1."),
        ("make", {"expert": "yes"}, "expert cannot be 'yes': it must be True or False."),
        ("from_json", {"expert": "yes"}, "expert cannot be 'yes': it must be true or false."),
        ("from_texts", {"expert": "maybe"}, "expert cannot be 'maybe': it must be yes or no."),
    ],
)
def test_what_cannot_be_is_refused_in_the_form_it_was_given(how: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(infila.BadOptions) as problem:
        getattr(TAKE_THAT, how)(options)
    assert str(problem.value) == sentence


def test_options_that_depend_on_others_keep_their_own_refusal() -> None:
    with pytest.raises(infila.BadOptions, match="sides"):
        SEQUENCE.from_json({"players": 4, "sides": 3})


def test_numbers_and_switches_of_numpy_are_as_good_as_pythons() -> None:
    numpys: dict[str, Any] = {"players": np.int64(3), "dealer": np.int8(1), "expert": np.bool_(True)}
    game = infila.new("take_that", seed=7, **numpys)
    assert game.save() == infila.new("take_that", players=3, seed=7, dealer=1, expert=True).save()
    assert type(game.options["players"]) is int
    assert Batch("take_that", 2, players=np.array(3)).players == 3
    with pytest.raises(infila.BadOptions, match=r"players cannot be 3\.0"):
        TAKE_THAT.make({"players": np.float64(3)})
