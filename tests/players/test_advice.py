"""What hints say is true: whole games of club players, checked against what the rules do next."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from infila.core import driver
from infila.core.contract import Reason
from infila.core.game import View
from infila.core.games import contract_of
from infila.core.record import plain
from infila.games.sequence.fives import THROUGH, chips, longest
from infila.games.sequence.notation import CELL_NAMES, FIVE_NUMBERS
from infila.games.sequence.rules import LOCK
from tests.play import option_id
from tests.players.hints import positions, reasons


def played(states: Any, action: int) -> Any:
    after = states.copy()
    driver.play_at(after, 0, action)
    return after


# Sequence


SEQUENCE: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4, "advanced": True},
    {"players": 6, "sides": 3},
]


@pytest.mark.parametrize("options", SEQUENCE, ids=option_id)
def test_what_is_said_of_a_chip_is_so_once_it_lies(options: dict[str, Any]) -> None:
    """S13: fives that are named can still count, beside a sequence just completed too."""
    for view, actions in positions("sequence", **options):
        side = int(view.states[0].turn) % int(view.states[0].sides)
        for action in actions:
            found = reasons(view, action)
            check_hand(view, found)
            states = played(view.states, action)
            if "completes" in found and states[0].locking:
                states = played(states, LOCK + number_of(found["completes"]))
            after = plain(states[0])
            assert any(key.startswith("wins") for key in found) == bool(after.ended)
            for key, reason in found.items():
                check_fives(after, side, key, reason)


def number_of(reason: Reason) -> int:
    return FIVE_NUMBERS[reason.values["five"].replace("–", "-")]


def check_fives(after: SimpleNamespace, side: int, key: str, reason: Reason) -> None:
    if key.startswith("builds"):
        assert chips(after, side, number_of(reason)) == reason.values.get("count", 4)
    if key == "threatens":
        assert all(longest(after, side, CELL_NAMES.index(cell)) == 5 for cell in reason.values["cells"].split(", "))
    if key == "room":
        through = THROUGH[CELL_NAMES.index(reason.values["cell"])]
        assert sum(chips(after, side, five) >= 0 for five in through) == reason.values["count"]


def check_hand(view: View, found: dict[str, Reason]) -> None:
    """Something is said of the cell, not of the card alone; and only cards that are held are named."""
    assert set(found) - {"only_cell", "keeps_jack", "keeps_jacks", "spends_jack"}
    for key in {"builds_some", "builds_held"} & set(found):
        named = found[key].values["cards"].split()
        hand = [card.replace("T", "10") for card in view.position()["hands"][view.seat or 0]]
        signs = [card[:-1] + "♠♥♦♣"["SHDC".index(card[-1])] for card in hand]
        assert all(signs.count(card) >= named.count(card) for card in named)


# words


@pytest.mark.parametrize("name", ["completto", "take_that", "sequence"])
def test_no_italian_article_stands_before_a_number(name: str) -> None:
    """Before 8, 11 and 80 to 89 it would be l', before the others il."""
    for words in contract_of(name).words("it").values():
        for key, text in words.items():
            assert not re.search(
                r"\b(il|al|dal|del|nel|sul|col) \{(card|number|tile|other|neighbour|target)\}", text
            ), key
