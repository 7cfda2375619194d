"""Completto, drawn and told."""

import re
from typing import Any

import pytest

import infila
from infila.core.picture import Panel, sayer
from infila.core.record import plain
from infila.games.completto import picture, story
from infila.games.completto.notation import open_tiles
from tests.pictures import drawn
from tests.play import position_in

SETS: list[dict[str, Any]] = [{"players": 2, "games": 2}, {"players": 3, "games": 1}, {"players": 4, "games": 1}]
RING = 'stroke="var(--last)"'


@pytest.mark.parametrize("options", SETS, ids=str)
def test_pictures(options: dict[str, Any]) -> None:
    drawn.seen_by_everybody("completto", options, apart=17, most=170)


def test_words() -> None:
    drawn.all_languages("completto")


def by_name(panels: list[Panel]) -> dict[str, str]:
    return {panel.name: panel.svg for panel in panels}


def test_what_is_drawn() -> None:
    game = infila.new("completto", players=3, seed=3)
    names = [panel.name for panel in drawn.panels(game, 1)]
    own = ["row-2", "row-2-middling", "row-2-narrow"]
    assert names == [*own, "row-3", "row-1", "middle", "middle-stack", "open", "hand"]
    seen = [panel.name for panel in drawn.panels(game, None)]
    assert seen == ["row-1", "row-2", "row-3", "middle", "middle-stack", "open"]


def test_many_open_tiles_stay_small() -> None:
    """Two rows early in the game and 56 open tiles in the middle: more than there can well be."""
    position = position_in(infila.new("completto", players=2, seed=3))
    tiles = list(range(1, 101))
    rows = [[str(n) if i % 5 == 0 else f"({n})" for i, n in enumerate(tiles[start : start + 22])] for start in (0, 22)]
    position |= {"rows": rows, "covered": [], "open": tiles[44:], "hand": 0, "phase": "turn", "turns": 300}
    game = infila.load(position)
    for language in drawn.LANGUAGES:
        drawn.well_formed(drawn.panels(game, game.player, language), game)


def test_another_turn_is_noted_before_and_told_after() -> None:
    """C8: a bead where the tile makes a pair, and only there."""
    seen = set()
    for game in drawn.positions("completto", SETS[1:2], seed=2, apart=1, most=200):
        view = game.view(game.player).states[0]
        for action in game.actions():
            text = game.text(action)
            if "@" not in text or game.states[0].phase == 0:
                continue
            after = game.after(text)
            told = story.tell(view, action).key.removesuffix("_turned")
            again = not after.over and after.player == game.player
            assert game.contract.picture.note(view, action) == ("+1" if again else "")
            assert told == ("completes" if after.over else "pairs" if again else "lays")
            seen.add(told)
    assert {"pairs", "lays"} <= seen


def test_what_is_turned_up_is_told_once_it_is_seen() -> None:
    seen = set()
    for game in drawn.positions("completto", SETS[2:], seed=3, apart=1, most=150):
        if "draw" not in game.moves:
            continue
        view, after = game.view(None).states[0], game.after("draw").view(None).states[0]
        action = game.actions()[game.moves.index("draw")]
        assert story.tell(view, action).key == "draws"
        reason = story.tell(view, action, after)
        seen.add(reason.key)
        assert reason.values["tile"] == (int(after.hand) or (set(_open(after)) - set(_open(view))).pop())
    assert seen == {"draws_fits", "draws_open"}


def _open(state: Any) -> list[int]:
    return open_tiles(plain(state))


def test_what_was_laid_last_is_ringed_in_the_row_of_its_player() -> None:
    """C8, C14: also where the player goes on, and from seat to seat in the start."""
    for game in drawn.positions("completto", SETS[1:2], seed=8, apart=7, most=120):
        for move in game.moves[:40]:
            after = game.after(move)
            panels = by_name(drawn.panels(after, None, last=game.parts(move)))
            rows = [panels[f"row-{seat + 1}"].count(RING) for seat in range(3)]
            laid = "@" in move or ">" in move
            assert rows == [int(laid and seat == game.player) for seat in range(3)], move
            assert panels["middle"].count(RING) == (move == "draw" and after.states[0].phase == 1)


def test_both_ways_up_are_in_the_hand() -> None:
    for game in drawn.positions("completto", SETS[:1], seed=4, apart=1, most=60):
        held = int(game.states[0].hand)
        hand = by_name(drawn.panels(game, game.player))["hand"]
        parts = re.findall(r'data-part="hand-(\d+)"', hand)
        turned = {"6": "9", "9": "6", "16": "91", "18": "81", "19": "61", "68": "89", "89": "68", "66": "99"}
        if held:
            assert parts[0] == str(held)
            assert parts[1:] == [turned[parts[0]]] if parts[0] in turned else len(parts) <= 2
            waiting = by_name(drawn.panels(game, 1 - game.player))
            assert "data-part" not in waiting["hand"]
            say = sayer(game.contract.words("en")["picture"])
            assert picture.aside(game.view(1 - game.player).states[0], game.player, say).startswith(f"holds {held}")
        else:
            assert not parts


def test_a_move_of_a_covered_tile_can_begin_at_any_of_its_run() -> None:
    for game in drawn.positions("completto", SETS[:1], seed=6, apart=23, most=160):
        row = drawn.panels(game, game.player)[0].svg
        begins = {game.parts(move)[0] for move in game.moves if ">" in move}
        assert {f"place-{place}" for place in re.findall(r'data-same="place-(\d+)"', row)} <= begins
