"""What Completto's hints say: in every language, of every move, and truly."""

import string
import tomllib
from importlib import resources
from typing import Any

import pytest

from infila.core import driver
from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.completto.advice import Row, unseen_tiles
from infila.games.completto.advice import reasons as reasons_of
from infila.games.completto.notation import open_tiles, readings
from infila.games.completto.rules import State
from tests.games.completto.table import game_of
from tests.games.completto.test_heuristics import OPTIONS, some_positions
from tests.play import option_id
from tests.players.hints import positions, reasons, said


def test_every_move_gets_reasons_in_three_languages() -> None:
    texts = {}
    for language in ("en", "it", "de"):
        source = resources.files("infila.games.completto").joinpath("texts", f"{language}.toml")
        texts[language] = tomllib.loads(source.read_text(encoding="utf-8"))["reasons"]
    gaps = {
        language: {key: {part[1] for part in string.Formatter().parse(text)} - {None} for key, text in entries.items()}
        for language, entries in texts.items()
    }
    assert gaps["en"] == gaps["it"] == gaps["de"]
    used = set()
    for options in OPTIONS:
        for game in some_positions(options, 0.04):
            view = game.view(game.player)
            for action in game.actions():
                said = reasons_of(view.states[0], action)
                assert 1 <= len(said) <= 4
                for reason in said:
                    assert gaps["en"][reason.key] <= set(reason.values), reason
                    texts["it"][reason.key].format(**reason.values)
                    used.add(reason.key)
    assert len(used) > 15


@pytest.mark.parametrize("options", [{"players": 2, "games": 1}, {"players": 4, "games": 1}], ids=option_id)
def test_a_place_is_called_hopeless_where_nothing_can_fill_it(options: dict[str, Any]) -> None:
    """C6, C9: neither an unseen tile nor one that lies open in the middle, either way up."""
    for view, actions in positions("completto", **options):
        before = hopeless(view.states[0], view.seat or 0)
        for action in actions:
            found = reasons(view, action)
            check_tone(view.text(action), found)
            after = view.states.copy()
            driver.play_at(after, 0, action)
            if ({"@", ">"} & set(view.text(action))) and not after[0].ended:
                places = hopeless(after[0], view.seat or 0)
                dead = [reason.values["places"] for key, reason in found.items() if key.startswith("dead")]
                assert set(dead) <= set(places)
                assert dead or sum(places) <= sum(before)


def hopeless(s: State, seat: int) -> list[int]:
    """The numbers of covered places in the gaps of a row that nothing can fill."""
    p = plain(s)
    row, tiles = Row(s, p, seat), [*unseen_tiles(p), *open_tiles(p), p.hand]
    numbers = {number for tile in tiles if tile for number in readings(tile)}
    gaps = [gap for gap in range(len(row.at) - 1) if row.places(gap)]
    return [
        row.places(gap) for gap in gaps if not any(row.shows[gap] < number < row.shows[gap + 1] for number in numbers)
    ]


def check_tone(move: str, found: dict[str, Reason]) -> None:
    """Nothing is said twice or contradicted, and what a move makes new is not called kept."""
    named = {"move_pair", "move_open"} & set(found)
    assert not (named and any(key.startswith("dead") for key in found))
    assert sum(key.startswith("from_") for key in found) <= 1
    if ">" in move:
        assert not {"room", "room_one", "waits_for"} & set(found)
    assert all(reason.values.get("count", 2) > 1 for key, reason in found.items() if not key.endswith("pairs_one"))
    assert not ("take_sure" in found and "draw_all" in found)


def test_a_tile_with_two_faces_fills_one_place() -> None:
    """C9: of 6 and 9 only tile 6 is left, for two places between 5 and 10."""
    row = "1 2 3 4 5 . . 10 20 . 30 40 50 51 52 53 54 55 56 57 58 59"
    other = "7 8 9 11 12 13 14 15 16 17 18 21 22 23 24 25 26 27 28 29 31 ."
    assert said(game_of(row, other), "6>9")[-1] == "where it was, 2 places were too many: only 6/9 fits there"
