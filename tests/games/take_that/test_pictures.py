"""Take That, drawn and told."""

import re

import pytest

import infila
from infila.core.games import contract_of
from infila.core.picture import sayer
from tests.pictures import drawn
from tests.play import position_in

SETS = [
    {"players": 2, "rounds": 2, "expert": True},
    {"players": 3, "rounds": 1, "expert": False},
    {"players": 4, "rounds": 1, "expert": True},
]


@pytest.mark.parametrize("options", SETS, ids=str)
def test_pictures(options: dict[str, object]) -> None:
    drawn.seen_by_everybody("take_that", options, apart=13, most=150)


def test_words() -> None:
    drawn.all_languages("take_that")


def test_what_is_drawn() -> None:
    game = infila.new("take_that", players=2, seed=3)
    names = [panel.name for panel in drawn.panels(game, 0)]
    assert names == ["row", "row-narrow", "row-flat", "hand", "hand-narrow", "piles-1", "piles-2"]
    assert [panel.name for panel in drawn.panels(game, None)] == ["row", "row-narrow", "row-flat", "piles-1", "piles-2"]


def test_a_long_row_breaks_and_stays_small() -> None:
    """Thirty cards, more than people let grow."""
    position = position_in(infila.new("take_that", players=2, seed=3))
    cards = [card for card in range(12, 99) if card % 10]
    position |= {"row": cards[:30], "hands": [cards[30:39], cards[39:48]], "pile": cards[48:], "player": 1}
    game = infila.load(position)
    panels = drawn.panels(game, 0)
    drawn.well_formed(panels, game)
    assert panels[0].svg.count('data-part="row-') == 31
    assert panels[1].height > 4 * 100


def test_what_was_placed_twisted_or_taken_last_is_ringed() -> None:
    ring = 'stroke="var(--last)"'
    for game in drawn.positions("take_that", SETS[1:2], seed=8, apart=6, most=40):
        for move in game.moves:
            after = game.after(move)
            if after.over or after.states[0].round_now != game.states[0].round_now:
                continue
            panels = {panel.name: panel.svg for panel in drawn.panels(after, None, last=game.parts(move))}
            pile = f"piles-{game.player + 1}"
            assert panels["row"].count(ring) == (0 if "x" in move or move == "take" else 1)
            assert panels[pile].count(ring) == (1 if "x" in move or move == "take" else 0)


def test_the_price_is_what_taking_costs() -> None:
    say = sayer(contract_of("take_that").words()["picture"])
    for game in drawn.positions("take_that", SETS[:1], seed=4, apart=11, most=60):
        if "take" in game.moves and game.states[0].n_row != 1:
            seat = game.player
            lost = game.scores[seat] - game.after("take").scores[seat]
            assert f'aria-label="{say("costs")} −{lost}"' in drawn.panels(game, None)[0].svg


def test_an_extra_card_stays_hidden() -> None:
    """T12: others see that there is one, and not which."""
    game = infila.new("take_that", players=2, seed=3, expert=True)
    game.play(game.moves[0])
    taker = game.player
    game.play("take")
    extra = int(game.states[0].extra[taker, 0])
    assert extra > 0
    mine, theirs = (drawn.panels(game, seat)[-2 + taker].svg for seat in (taker, 1 - taker))
    assert " ?</text>" in theirs and " ?</text>" not in mine
    assert re.search("2 minus cards", mine) and re.search("2 minus cards", theirs)
