"""A browser that thinks in a computer's place finds the move that the server would find."""

from collections.abc import Iterator
from typing import Any

import pytest

import infila
from infila.core.game import View
from infila.players import LEVELS
from infila.players.player import Player
from infila.server.tasks import task_of
from tests.cases import cases_of
from tests.play import GAMES
from tests.wasm import places
from tests.web import browser as browsers

pytestmark = pytest.mark.slow
POSITIONS = 6  # of each game and level
SEARCH = ("search:40", "expert:5000")  # without heuristics, and with a tree that outgrows its first nodes


@pytest.fixture(scope="module")
def browser() -> Iterator[places.Browser]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with places.browser() as opened:
        yield opened


def positions(name: str, **options: Any) -> list[View]:
    """Views of whoever has a choice, from the beginning to the end of a game."""
    game, casual = infila.new(name, seed=11, **options), infila.player(name, "casual")
    found = []
    while not game.over:
        view = game.view(game.player)
        if len(view.own_actions()) > 1:
            found.append(view)
        game.play(casual.think(game.view(game.acting()[0])).move)
    return found[:: len(found) // POSITIONS][:POSITIONS]


def searchers(name: str) -> list[Player]:
    players = [infila.player(name, each) for each in (*LEVELS, *SEARCH)]
    return [each for each in players if each.searches]


@pytest.mark.parametrize("name", GAMES)
def test_a_browser_finds_the_move_of_the_server(name: str, browser: places.Browser) -> None:
    assert {"expert", "master"} <= {each.name for each in searchers(name)}
    for options in ({}, cases_of(name).scene):
        views = positions(name, **options)
        for each in searchers(name):
            some = views[::3] if each.name in SEARCH else views
            expected = [each.think(view).candidates[0].action for view in some]
            assert browser.actions(name, [task_of(each, view, 0) for view in some]) == expected, (each, options)
