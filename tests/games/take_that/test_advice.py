"""What Take That's hints say: in every language, of every move, and truly."""

import tomllib
from importlib import resources
from string import Formatter
from typing import Any

import numpy as np
import pytest

from infila.core import driver
from infila.core.game import View
from infila.games.take_that import advice
from tests.games.take_that.table import table
from tests.games.take_that.test_heuristics import OPTIONS
from tests.play import option_id, random_game
from tests.players.hints import positions, reasons, said


def texts(language: str) -> dict[str, str]:
    source = resources.files("infila.games.take_that").joinpath("texts", f"{language}.toml")
    found: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))["reasons"]
    return found


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_the_three_languages_say_the_same_things() -> None:
    english = texts("en")
    for language in ("it", "de"):
        other = texts(language)
        assert list(other) == list(english)
        for key, text in other.items():
            assert gaps(text) == gaps(english[key]), (language, key)


def test_every_move_gets_a_reason_and_every_reason_has_its_words() -> None:
    english = texts("en")
    said = set()
    for number, options in enumerate(OPTIONS * 4):
        for game in random_game("take_that", number, **options):
            view = game.view(game.player)
            for action in view.actions():
                found = advice.reasons(view.states[0], action)
                assert 1 <= len(found) <= 4
                for reason in found:
                    assert gaps(english[reason.key]) <= set(reason.values), reason
                    assert english[reason.key].format(**reason.values)
                    said.add(reason.key)
    assert set(english) - said <= {"nobody_can_follow_one", "next_has_none", "next_has_none_one"}


def test_the_reasons_name_what_matters() -> None:
    game = table([[18, 35, 36, 45], [39, 41, 42, 46]], row=(44, 38, 27))
    view = game.view(0)
    first = advice.reasons(view.states[0], view.read("18"))[0]
    assert (first.key, first.values) == ("nobody_can_follow", {"count": 8})


@pytest.mark.parametrize("options", [{"players": 2, "rounds": 1}, {"players": 4, "expert": True}], ids=option_id)
def test_what_is_called_sure_is_sure_in_every_deal(options: dict[str, Any]) -> None:
    """T4, T5, T6: whatever the hidden cards are."""
    for view, actions in positions("take_that", **options):
        for action in actions:
            found = reasons(view, action)
            assert all(0 < reason.values.get("percent", 50) < 100 for reason in found.values())
            for key in found:
                kind = SURE.get(key.removesuffix("_one"))
                assert not kind or all(kind in next_moves(view, action, deal) for deal in range(5))
                assert kind != "take" or set(next_moves(view, action, 1)) == {"take"}


SURE = {"sure_to_follow": "place", "sure_to_twist": "twist", "nobody_can_follow": "take", "next_has_none": "take"}


def next_moves(view: View, action: int, deal: int) -> set[str]:
    """The kinds of moves that the next player has, with the hidden cards dealt anew."""
    states, out = view.states.copy(), np.zeros(400, np.int16)
    assert view.seat is not None
    driver.redraw_at(states, 0, view.seat, deal, 1)
    driver.play_at(states, 0, action)
    moves = [view.contract.notation.text(states[0], int(move)) for move in out[: driver.legal_at(states, 0, out)]]
    return {"take" if move == "take" else "twist" if "x" in move else "place" for move in moves}


def test_the_last_card_of_a_hand_is_no_matter_of_chance() -> None:
    game = table([[34, 56, 12], [43]], row=(31, 41))
    assert said(game, "34")[1:3] == [
        "one unseen card fits beside 34, and the next player surely holds it",
        "somebody else surely holds its twisted card 43",
    ]
    assert said(table([[34, 56], []], row=(41,)), "34")[1:] == [
        "the next player has no cards left and has to take the row: 2 points"
    ]
