"""Sequence: the terminal."""

from typing import Any

import pytest
from rich.console import Console

import infila
from tests.compare import OPTION_SETS
from tests.games.sequence.table import TALK, table
from tests.play import option_id, position_in, random_game


@pytest.mark.parametrize("options", OPTION_SETS["sequence"][7::8], ids=option_id)
def test_the_screen_fits_into_80_columns(options: dict[str, Any]) -> None:
    names = [f"a very long name {seat}" for seat in range(options["players"])]
    console = Console(width=200, color_system=None, legacy_windows=False)
    for game in random_game("sequence", 3, **options):
        if position_in(game)["turns"] % 25 and not game.over:
            continue
        for seat in (-1, 0):
            view = game.view(None if seat < 0 else seat)
            with console.capture() as capture:
                console.print(game.contract.screen.draw(view.states[0], seat, names[:2] + [n[:6] for n in names[2:]]))
            board = capture.get().splitlines()[2:15]
            assert max(len(line.rstrip()) for line in board) <= 80


def test_the_screen_shows_the_backs_of_cards_that_are_not_known() -> None:
    game = infila.new("sequence", seed=1)
    console = Console(width=80, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(game.contract.screen.draw(game.view().states[0], 0, game.names))
    assert capture.get().count("▒▒") == 7


def test_the_screen_says_what_the_table_waits_for() -> None:
    lock = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}).after("9H@e4")
    assert "which five with e4" in str(lock.view(0))
    assert "discard is owed by seat 1" in str(table("7S", "8S", "9S", "TS", **TALK).after("offence 1").view(0))
    assert "a draw" in str(table("JS", "8S", turns=999).after("pass").view())
    dead = str(table("7S JC JS", "8S", chips={2: "b2 g10"}).view(0))
    assert "covered: 7S" in dead
    assert "one eye" in dead
    assert "two eyes" in dead
    assert "side 1 has won" in str(table("QH", "8S", "9S", chips={1: "c4 d4 e4 f4"}).after("QH@g4").view(1))
    assert "may still draw: seat 2" in str(table("7S", "8S", draw="manual", undrawn=[2]).view(1))
