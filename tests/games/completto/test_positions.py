"""Positions of Completto that do not exist are refused by the rule that they break."""

from typing import Any

import pytest

import infila
from infila import BadPosition
from tests.games.completto.table import OTHER, ROW, game_of, position
from tests.play import position_in

GOOD = position(ROW, OTHER)
IN_START = position(".*8 50 .*9", ".*17", hand=42, phase="start")
CAPPED = position(ROW, OTHER, turns=1000, over=True, points=[17, 17])


def _begins(position: dict[str, Any], tile: Any) -> dict[str, Any]:
    """The position with this as the first tile of the first row."""
    return {**position, "rows": [[tile, *position["rows"][0][1:]], *position["rows"][1:]]}


def test_the_positions_that_the_wrong_ones_are_made_of_exist() -> None:
    for good in (GOOD, IN_START, CAPPED):
        assert position_in(infila.load(good)) == good


@pytest.mark.parametrize(
    ("reason", "wrong"),
    [
        ("C1:", {**GOOD, "covered": GOOD["covered"][1:]}),
        ("C1:", {**GOOD, "covered": [*GOOD["covered"], 10]}),
        ("C1:", {**GOOD, "open": [GOOD["covered"][0]]}),
        ("C1:", {**GOOD, "hand": 5}),
        ("C1:", _begins(GOOD, "11")),
        ("C2:", position("10 . . 20 30 40 50 .*14", OTHER)),
        ("C2:", position("10 . . 20 30 40 50 .*16", OTHER)),
        ("C2:", {**GOOD, "phase": "start"}),
        ("C2:", {**IN_START, "turns": 1}),
        ("C2:", {**IN_START, "over": True}),
        ("C2:", {**IN_START, "hand": 0, "covered": [*IN_START["covered"], 42]}),
        ("C2:", {**IN_START, "covered": IN_START["covered"][1:], "open": IN_START["covered"][:1]}),
        ("C2:", {**IN_START, "phase": "turn"}),
        ("C4:", {**GOOD, "phase": "place"}),
        ("C4:", {**position(ROW, OTHER, hand=15), "phase": "turn"}),
        ("C6:", position("20 . . 10 30 40 50 .*15", OTHER)),
        ("C6:", position("50 . 89/68 68 90 91 .*16", OTHER)),
        ("C7:", position(ROW, OTHER, hand=35)),
        ("C9:", _begins(GOOD, "10/1")),
        ("C9:", _begins(GOOD, "10/10")),
        ("C9:", _begins(GOOD, "89/86")),
        ("C10:", position(" ".join(str(number) for number in range(51, 73)), OTHER)),
        ("C10:", {**GOOD, "over": True}),
        ("C10:", {**position(ROW, OTHER, hand=15), "turns": 1000, "over": True}),
        ("C11:", {**CAPPED, "points": [17, 16]}),
        ("C11:", {**CAPPED, "options": {"players": 2, "games": 2, "first": 1}}),
        ("C12:", {**GOOD, "turns": 1000}),
        ("C14:", {**IN_START, "player": 2}),
        ("C14:", {**IN_START, "starter": 2}),
        ("C14:", position(".*18", ".*17", hand=42, phase="start")),
        ("C14:", position("1 2 3 4 5 .*17", ".*17", hand=42, phase="start")),
        ("phase", {**GOOD, "phase": "end"}),
        ("turns", {**GOOD, "turns": 1001}),
        ("turns", {**GOOD, "turns": -1}),
        ("number", {**GOOD, "number": 2}),
        ("player", {**GOOD, "player": 3}),
        ("starter", {**GOOD, "starter": 0}),
        ("points", {**GOOD, "points": [0, -1]}),
        ("points", {**GOOD, "points": [0]}),
        ("rows", {**GOOD, "rows": GOOD["rows"][:1]}),
        *(("rows", _begins(GOOD, tile)) for tile in ("(?)", "ten", "010", "0", "101", "(10", 10, None)),
        ("covered", {**GOOD, "covered": ["?"] * len(GOOD["covered"])}),
    ],
)
def test_positions_that_do_not_exist_are_refused(reason: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadPosition, match=f"^{reason}"):
        infila.load(wrong)


def test_harmless_positions_are_accepted() -> None:
    for rows in ((".*22", ".*22"), ("1 .*21", ".*22")):
        assert game_of(*rows).moves
        assert game_of(*rows, no_covered=True).moves
