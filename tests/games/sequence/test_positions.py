"""Sequence: which positions exist, and their JSON."""

import random
from typing import Any

import pytest

import infila
from infila.core import dispatch
from tests.compare import OPTION_SETS
from tests.games.sequence.table import (
    EVERY_OPTION_SET,
    TALK,
    position,
    table,
)
from tests.play import option_id, position_in, random_game


def test_S1_a_position_holds_every_card_twice() -> None:
    broken = position("7S", "8S")
    broken["pile"][0] = "AC"
    with pytest.raises(infila.BadPosition, match="S1"):
        infila.load(broken)


@EVERY_OPTION_SET
def test_positions_go_to_json_and_back(options: dict[str, Any]) -> None:
    chosen = random.Random(option_id(options))
    for game in random_game("sequence", 77, **options):
        if game.over or chosen.random() < 0.1:
            assert infila.load(game.position).states.tobytes() == game.states.tobytes()


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
    game = table("9H", "8S", chips={1: star}).after("9H@e4")
    assert position_in(game)["sequences"] == [["a4-e4", "e4-e8"], []]
    assert infila.load(game.position).winners == [0]


@pytest.mark.parametrize("options", OPTION_SETS["sequence"][::9], ids=option_id)
def test_S11_a_position_that_loads_is_over_or_its_mover_has_a_move(options: dict[str, Any]) -> None:
    chosen = random.Random(option_id(options))
    seats = range(1, options["players"] + 1)
    loaded = 0
    for game in random_game("sequence", 5, most=120, **options):
        if chosen.random() > 0.06:
            continue
        at = position_in(game)
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
