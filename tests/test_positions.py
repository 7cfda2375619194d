"""Positions as JSON (docs/reference/positions.md), and move texts: accepted and consistent, or one clear error."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import infila
from infila.conformance import notation, scores
from tests.play import EXAMPLES, GAMES, every_option_set, on_trial, option_id, position_in, random_game

LIBRARY: dict[str, list[infila.Game]] = {}


def library(name: str) -> list[infila.Game]:
    """Some positions of random games of all options, made once."""
    if name not in LIBRARY:
        games = []
        for number, (other, options) in enumerate(every_option_set()):
            if other == name and number % 2 == 0:
                chance = random.Random(number)
                for game in random_game(name, number, most=chance.randrange(5, 200), **options):
                    last = game
                    if chance.random() < 0.02:
                        games.append(game.copy())
                games.append(last)
        LIBRARY[name] = games
    return LIBRARY[name]


@pytest.mark.parametrize(
    ("name", "options"), every_option_set(), ids=lambda v: v if isinstance(v, str) else option_id(v)
)
def test_a_position_is_its_json(name: str, options: dict[str, Any]) -> None:
    notation.positions_are_their_json(on_trial(name, options, seed=8, often=1 / 18, most=300))


@pytest.mark.parametrize("name", GAMES)
def test_explanations_add_up_to_the_scores(name: str) -> None:
    for game in library(name):
        scores.added_up(game)


@pytest.mark.parametrize("name", GAMES)
def test_moves_have_three_forms_that_round_trip(name: str) -> None:
    for game in library(name):
        notation.three_forms(game)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_any_text_is_a_legal_move_or_refused_and_changes_nothing(name: str, data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(library(name)))
    pieces = st.sampled_from("0123456789@x>:abchjoZSHDCJTQKA *-") | st.sampled_from(
        ["take", "draw", "stop", "pass", "lock ", "dead ", "discard ", "offence ", "7S", "h8", "12: "]
    )
    text = data.draw(st.lists(pieces, max_size=5).map("".join) | st.text(max_size=10))
    notation.move_or_refused(game, text)


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 130),
    st.sampled_from(
        [2**31, -(2**31), 2**70, 1e308, 0.5, "", "?", "7S", "(42)", "89/68", "h8", "manual", "start", [], {}, [[]], [1]]
    ),
    st.text(max_size=4),
    st.lists(st.integers(0, 9), max_size=3),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_any_position_is_refused_or_playable(name: str, data: st.DataObject) -> None:
    position = copy.deepcopy(position_in(data.draw(st.sampled_from(library(name)))))
    for _ in range(data.draw(st.integers(1, 3))):
        *path, last = data.draw(st.sampled_from(notation.spots(position)))
        place = position
        for step in path:
            place = place[step]
        how = data.draw(st.sampled_from(["set", "near", "drop", "double"]))
        if how == "drop":
            del place[last]
        elif how == "double" and isinstance(place, list):
            place.append(place[last])
        elif how == "near" and isinstance(place[last], int):
            place[last] += data.draw(st.sampled_from([-1, 1]))
        else:
            place[last] = copy.deepcopy(data.draw(VALUES))  # lists among them are changed by what follows
    notation.playable_or_refused(position)


@pytest.mark.parametrize("wrong", ["{", "[1]", "{}", '{"game": 3}', '{"game": "go"}', "no such file", "[" * 100_000])
def test_what_is_no_position_is_refused(wrong: str) -> None:
    with pytest.raises(infila.InfilaError):
        infila.load(wrong)


@pytest.mark.parametrize(
    "path", ["player", "starter", "chance counter", "bag 0", "hands 0 0", "sheets 0 x2", "known 0 0"]
)
def test_a_whole_number_is_no_float_and_no_text(path: str) -> None:
    *steps, last = (int(step) if step.isdigit() else step for step in path.split())
    for wrong in (float, str):
        position = position_in(infila.new("zatre", seed=3))  # seat 1 starts
        place: Any = position
        for step in steps:
            place = place[step]
        infila.load(position)
        place[last] = wrong(place[last])
        with pytest.raises(infila.BadPosition, match="cannot"):
            infila.load(position)


def test_a_view_is_no_position() -> None:
    with pytest.raises(infila.BadPosition, match="'chance' is missing"):
        infila.load(infila.new("zatre", seed=1).view(0).position)
