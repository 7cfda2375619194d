"""Sequence, drawn and told."""

import random
import re
from typing import Any

import pytest

import infila
from infila.core import dispatch
from infila.core.picture import sayer
from infila.games.sequence import picture, story
from infila.games.sequence.rules import ONE_EYED
from tests.pictures import drawn
from tests.play import position_in

SETS: list[dict[str, Any]] = [
    {"players": 2, "advanced": True, "draw": "manual"},
    {"players": 4, "table_talk": "forbidden"},
    {"players": 3},
    {"players": 12, "sides": 3, "draw": "manual", "table_talk": "forbidden"},
]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_pictures(options: dict[str, Any]) -> None:
    chance = random.Random(1)
    for game in drawn.positions("sequence", [options], seed=5, apart=31, most=160):
        seats = [None, *range(len(game.names))]
        acting = {dispatch.actor(game.states[0], action) for action in game.actions()} - {-1}
        for seat in {None, *acting, chance.choice(seats)}:
            panels = drawn.panels(game, seat, chance.choice(drawn.LANGUAGES))
            drawn.well_formed(panels, game)
            if seat in acting:
                drawn.moves_can_be_touched(game, panels, seat)
        drawn.only_what_is_known(game, chance.choice(seats), chance)
        drawn.told(game)


def test_words() -> None:
    drawn.all_languages("sequence")


def test_what_is_drawn() -> None:
    game = infila.new("sequence", players=3, seed=3)
    names = [panel.name for panel in drawn.panels(game, 1)]
    beside = ["sides", "pile", "discards-1", "discards-2", "discards-3"]
    assert names == ["board", "hand", "hand-narrow", *beside]
    assert [panel.name for panel in drawn.panels(game, None)] == ["board", *beside]


def test_a_full_board_stays_small() -> None:
    """Every cell covered, twelve players, the longest words."""
    game = infila.new("sequence", players=12, sides=3, seed=3)
    state = game.states[0]
    state.board[state.board == 0] = 7
    names = ["W" * 40] * 12
    for language in drawn.LANGUAGES:
        say = sayer(game.contract.words(language)["picture"])
        drawn.well_formed(picture.panels(state, 0, names, say, ("cell-b1",)), game)


def test_a_note_counts_the_chips_of_the_best_line() -> None:
    """S12, S13: five are a sequence, and it is told; what can never be a sequence is not counted."""
    seen = set()
    for game in drawn.positions("sequence", SETS[1:3], seed=2, apart=1, most=90):
        view = game.view(game.player).states[0]
        side = game.player % int(view.sides)
        for action in game.actions():
            if action >= ONE_EYED:
                assert picture.note(view, action) == ""
                continue
            after = game.after(game.text(action)).states[0]
            counted = after.n_sequences[side] > view.n_sequences[side] or after.locking > 0
            assert (picture.note(view, action) == "5") == counted
            key = story.tell(game.view(None).states[0], action).key
            assert key == ("wins" if after.winner else "puts_sequence" if counted else "puts")
            seen.add(key)
    assert seen == {"puts", "puts_sequence", "wins"}


def test_what_was_put_last_has_a_folded_corner() -> None:
    for game in drawn.positions("sequence", SETS[2:3], seed=8, apart=5, most=60):
        for move in game.moves[:5]:
            after = game.after(move)
            board = drawn.panels(after, None, last=game.parts(move))[0].svg
            assert board.count(picture._FOLD) == ("@" in move or "x" in move)


def test_equal_cards_of_a_hand_are_told_apart() -> None:
    seen = 0
    for game in drawn.positions("sequence", SETS[:1], seed=3, apart=3, most=120):
        for seat in range(2):
            held = position_in(game)["hands"][seat]
            panels = drawn.panels(game, seat)
            parts = re.findall(r'data-part="hand-(\w\w)"', panels[1].svg)
            assert parts == held
            again = re.findall(r'data-part="hand-(\w\w)"[^>]*data-nth="2"', panels[1].svg)
            assert again == [card for i, card in enumerate(held) if card in held[:i]]
            seen += len(again)
    assert seen


def test_completed_sequences_are_threaded() -> None:
    for game in drawn.positions("sequence", SETS[:3], seed=9, apart=1, most=120):
        fives = [five for side in position_in(game)["sequences"] for five in side]
        board = drawn.panels(game, None)[0].svg
        assert board.count('class="thread"') == 3 * len(fives), "once for each shape of the board"
        assert all(five in board[: board.index("<pattern")] for five in fives)
