"""Computer players: honest, the same for the same seed, within their budget, clear about wrong use."""

import random
import threading
import time
from typing import Any

import pytest

import infila
from infila.players import LEVELS
from tests.play import GAMES, random_game

SETTINGS: dict[str, list[dict[str, Any]]] = {
    "zatre": [{"players": 2}, {"players": 4, "teams": True}, {"players": 3, "keeping": "forced"}],
    "take_that": [{"players": 2}, {"players": 4, "expert": True, "rounds": 3}],
    "completto": [{"players": 2}, {"players": 4, "games": 2}],
    "sequence": [
        {"players": 2},
        {"players": 6, "sides": 3, "advanced": True},
        {"players": 4, "draw": "manual", "table_talk": "forbidden"},
    ],
}
CASES = [(name, options) for name in GAMES for options in SETTINGS[name]]
PLAYERS = ("random", "beginner", "casual", "club", "expert:60", "master:60", "search:60")


def positions(name: str, options: dict[str, Any], count: int, seed: int = 0) -> list[tuple[infila.Game, int]]:
    """Positions of random games in which a seat has something to decide, and the seat."""
    chance = random.Random(seed)
    found: list[tuple[infila.Game, int]] = []
    while len(found) < count:
        for game in random_game(name, chance.randrange(2**30), most=60, **options):
            seats = [seat for seat in range(len(game.names)) if len(game.view(seat).moves) > 1]
            if seats and chance.random() < 0.05:
                found.append((game.copy(), chance.choice(seats)))
    return found[:count]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_thoughts_do_not_depend_on_what_the_seat_cannot_know(name: str, options: dict[str, Any]) -> None:
    for number, (game, seat) in enumerate(positions(name, options, 6)):
        spec = PLAYERS[number % len(PLAYERS)] if number else "master:60"
        thought = infila.player(name, spec, seed=5).think(game.view(seat))
        assert thought.move in game.view(seat).moves
        for redraw in range(4):
            assert infila.player(name, spec, seed=5).think(game.redrawn(seat, redraw).view(seat)) == thought, spec


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_thought_on_any_number_of_cores(name: str) -> None:
    (game, seat), *_ = positions(name, {}, 1)
    for spec in PLAYERS:
        first = infila.player(name, spec, seed=1).think(game.view(seat))
        assert infila.player(name, spec, seed=1).think(game.view(seat), threads=2) == first
    many = {infila.player(name, "random", seed=seed).think(game.view(seat)).move for seed in range(40)}
    assert len(many) > 1


@pytest.mark.parametrize("name", GAMES)
def test_a_search_tells_what_it_has_found(name: str) -> None:
    (game, seat), *_ = positions(name, {}, 1, seed=3)
    thought = infila.player(name, "expert").think(game.view(seat), simulations=100)
    assert thought.simulations == 100 == sum(option.visits for option in thought.candidates)
    assert thought.moves[0] == thought.move
    assert all(option.win is not None and 0 <= option.win <= 1 for option in thought.candidates)
    assert all(
        before.visits >= after.visits for before, after in zip(thought.candidates, thought.candidates[1:], strict=False)
    )
    rated = infila.player(name, "club").think(game.view(seat))
    assert len(rated.candidates) == len(game.view(seat).moves)


@pytest.mark.parametrize("name", GAMES)
def test_every_level_plays_a_whole_game(name: str) -> None:
    short: dict[str, Any] = {"completto": {"games": 1}, "take_that": {"rounds": 1}}.get(name, {})
    game = infila.new(name, players=2, seed=9, **short)
    players = [infila.player(name, level if level not in ("expert", "master") else f"{level}:8") for level in LEVELS]
    while not game.over:
        seat = next(seat for seat in (game.player, 0, 1) if game.view(seat).moves)
        game.play(players[len(game.history) % 5].think(game.view(seat)).move)


def test_a_budget_of_time_is_kept_and_a_search_can_be_cancelled() -> None:
    for name in GAMES:
        (game, seat), *_ = positions(name, {}, 1, seed=1)
        player = infila.player(name, "master")
        view = game.view(seat)
        player.think(view, simulations=20)
        assert player.think(view, milliseconds=30).simulations > 0
        cancel = threading.Event()
        thoughts: list[infila.Thought] = []
        thread = threading.Thread(
            target=lambda view=view, player=player, cancel=cancel, thoughts=thoughts: thoughts.append(
                player.think(view, simulations=5_000_000, threads=2, cancel=cancel)
            )
        )
        thread.start()
        time.sleep(0.1)
        cancel.set()
        thread.join(20)
        assert thoughts[0].move in view.moves
        assert 0 < thoughts[0].simulations < 5_000_000


def test_wrong_use_is_answered_clearly() -> None:
    game = infila.new("take_that", players=2, seed=1)
    view = game.view(game.player)
    player = infila.player("take_that", "expert")
    with pytest.raises(infila.InfilaError, match=r"a budget of 0 simulations cannot be: it is 1 to"):
        player.think(view, simulations=0)
    with pytest.raises(infila.InfilaError, match=r"a budget of -5 milliseconds cannot be"):
        player.think(view, milliseconds=-5)
    with pytest.raises(infila.InfilaError, match=r"a player of Sequence, and the view is of Take That"):
        infila.player("sequence", "club").think(view)
    with pytest.raises(infila.InfilaError, match=r"a spectator has no moves"):
        player.think(game.view(None))
    with pytest.raises(infila.InfilaError, match=r"has nothing to decide now"):
        player.think(game.view(1 - game.player))
    for name in ("genius", "search", "random:5", "search:x", "expert:0", "expert:99999999999"):
        with pytest.raises(infila.InfilaError, match=r"there is no player|a number of simulations"):
            infila.player("take_that", name)
    with pytest.raises(infila.UnknownGame):
        infila.player("chess", "club")
