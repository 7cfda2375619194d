"""What hints for Sequence say is true: games of club players, checked against what the rules do next; and every move
has a reason, in every language."""

import string
import tomllib
from importlib import resources
from types import SimpleNamespace
from typing import Any

import pytest

from infila.core import driver
from infila.core.contract import Reason
from infila.core.game import View
from infila.core.record import plain
from infila.games.sequence import advice
from infila.games.sequence.fives import THROUGH, chips, longest
from infila.games.sequence.notation import CELL_NAMES, FIVE_NUMBERS
from infila.games.sequence.rules import LOCK
from tests.games.sequence.test_heuristics import OPTIONS
from tests.play import option_id, position_in, random_game
from tests.players.hints import positions, reasons


def played(states: Any, action: int) -> Any:
    after = states.copy()
    driver.play_at(after, 0, action)
    return after


SETS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4, "advanced": True},
    {"players": 6, "sides": 3},
]


@pytest.mark.parametrize("options", SETS, ids=option_id)
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
        hand = [card.replace("T", "10") for card in position_in(view)["hands"][view.seat or 0]]
        signs = [card[:-1] + "♠♥♦♣"["SHDC".index(card[-1])] for card in hand]
        assert all(signs.count(card) >= named.count(card) for card in named)


def reason_texts(language: str) -> dict[str, str]:
    text = resources.files("infila.games.sequence").joinpath("texts", f"{language}.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["reasons"]
    return found


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_reasons_are_said_in_three_languages() -> None:
    english = reason_texts("en")
    for language in ("it", "de"):
        assert {key: gaps(text) for key, text in reason_texts(language).items()} == {
            key: gaps(text) for key, text in english.items()
        }


@pytest.mark.parametrize("options", OPTIONS)
def test_every_move_has_a_reason(options: dict[str, Any]) -> None:
    english = reason_texts("en")
    for number, game in enumerate(random_game("sequence", 5, most=90, **options)):
        if number % 9:
            continue
        for action in game.actions():
            seat = int(driver.actor_at(game.states, 0, action))
            found = advice.reasons(game.view(max(seat, 0)).states[0], action)
            assert 1 <= len(found) <= 4
            for reason in found:
                assert gaps(english[reason.key]) == set(reason.values)
                assert english[reason.key].format(**reason.values)
