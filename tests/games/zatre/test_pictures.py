"""Zatre, drawn and told."""

import re

import pytest

import infila
from tests.pictures import drawn
from tests.play import position_in

SETS = [
    {"players": 2, "keeping": "free"},
    {"players": 3, "keeping": "forced"},
    {"players": 4, "keeping": "free", "teams": True},
    {"players": 6, "keeping": "forced"},
    {"players": 6, "keeping": "forced", "teams": True},
]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_pictures(options: dict[str, object]) -> None:
    drawn.seen_by_everybody("zatre", options, apart=19, most=130)


def test_words() -> None:
    drawn.all_languages("zatre")


def test_what_is_drawn() -> None:
    game = infila.new("zatre", players=2, seed=3)
    names = [panel.name for panel in drawn.panels(game, game.player)]
    assert names == ["board", "hand", "sheet-1", "sheet-2", "bag"]
    assert "hand" not in [panel.name for panel in drawn.panels(game, None)]
    board, hand, *_ = drawn.panels(game, game.player)
    assert board.svg.count('data-part="cell-') == 193
    assert hand.svg.count('data-part="hand-') == 3
    assert 'aria-label="h8, red, empty"' in board.svg


def test_the_last_tile_is_ringed_and_its_lines_are_threaded() -> None:
    game = infila.new("zatre", players=2, seed=3)
    while not (made := next((move for move in game.moves if _note(game, move)), "")):
        game.play(game.moves[0])
    last = game.parts(made)
    game.play(made)
    board = drawn.panels(game, None, last=last)[0].svg
    assert re.search(f'data-part="{last[1]}" aria-label="[^"]*" class="last"', board)
    assert 'class="thread"' in board and 'class="bead"' in board


def _note(game: infila.Game, move: str) -> str:
    return game.contract.picture.note(game.states[0], game.view(game.player).read(move))


def test_the_note_is_the_sum_of_the_line() -> None:
    for game in drawn.positions("zatre", SETS[:1], seed=9, apart=29, most=80):
        for move in game.moves[::5]:
            sums = sorted(_sums(game, move)) if "@" in move else []
            assert _note(game, move) == (f"{sums[-1]}{'+' * (len(sums) - 1)}" if sums else "")


def _sums(game: infila.Game, move: str) -> list[int]:
    """The sums from 10 on of the lines through a tile that was laid, counted on the position's lines of text."""
    value, cell = move.split("@")
    lines = list(reversed(position_in(game)["board"]))
    row, column = int(cell[1:]) - 1, "abcdefghijklmno".index(cell[0])
    sums = []
    for line, at in ((lines[row], column), ("".join(line[column] for line in lines), row)):
        before, after = re.split("[.#]", line[:at])[-1], re.split("[.#]", line[at + 1 :])[0]
        sums.append(int(value) + sum(map(int, before + after)))
    return [pips for pips in sums if pips >= 10]


def test_a_view_is_a_picture_in_a_notebook() -> None:
    svg = infila.new("zatre", players=2, seed=3, seats=["<Nora>", "Max"]).view(None)._repr_svg_()
    assert svg.startswith("<svg xmlns=") and "&lt;Nora&gt;’s sheet" in svg
