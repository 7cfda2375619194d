"""Computer players: honest, the same for the same seed, within their budget, clear about wrong use."""

import threading
import time
from typing import Any

import numpy as np
import pytest

import infila
from infila.arena.match import play_game
from infila.conformance import players
from infila.core.games import contract_of
from infila.players import LEVELS
from infila.players.hints import considered, in_two_minds
from tests.cases import cases_of
from tests.play import GAMES, on_trial

pytestmark = pytest.mark.slow

CASES = [(name, options) for name in GAMES for options in cases_of(name).thought_about]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_thoughts_do_not_depend_on_what_the_seat_cannot_know(name: str, options: dict[str, Any]) -> None:
    players.thoughts_are_honest(on_trial(name, options))


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_thought_on_any_number_of_cores(name: str) -> None:
    players.thoughts_are_the_same_on_any_cores(on_trial(name, {}))
    (game, seat), *_ = players.decisions(on_trial(name, {}), 1)
    many = {infila.player(name, "random", seed=seed).think(game.view(seat)).move for seed in range(40)}
    assert len(many) > 1


@pytest.mark.parametrize("name", GAMES)
def test_a_search_tells_what_it_has_found(name: str) -> None:
    (game, seat), *_ = players.decisions(on_trial(name, {}, seed=3), 1)
    thought = infila.player(name, "expert").think(game.view(seat), simulations=100)
    assert thought.simulations == 100 == sum(option.visits for option in thought.candidates)
    assert thought.moves[0] == thought.move
    assert all(option.win is not None and 0 <= option.win <= 1 for option in thought.candidates)
    assert all(
        before.visits >= after.visits for before, after in zip(thought.candidates, thought.candidates[1:], strict=False)
    )
    rated = infila.player(name, "club").think(game.view(seat))
    assert len(rated.candidates) == len(game.view(seat).moves)


def test_who_asks_is_told_a_best_move_that_also_looks_best() -> None:
    game, master = infila.new("completto", players=2, seed=5), infila.player("completto", "master")
    while len(game.history) < 44:
        game.play(infila.player("completto", "club").think(game.view(game.player)).move)
    view = game.view(game.player)
    assert in_two_minds(master.think(view))
    thought = considered(master, view)
    assert thought.simulations > master.think(view).simulations and not in_two_minds(thought)


@pytest.mark.parametrize("name", GAMES)
def test_every_level_plays_a_whole_game(name: str) -> None:
    """Every move is legal for the seat that makes it, and the same when it is asked again."""
    game = infila.new(name, players=2, seed=9, **cases_of(name).short)
    levels = [level if level not in ("expert", "master") else f"{level}:8" for level in LEVELS]
    table = [infila.player(name, level) for level in levels]
    while not game.over:
        seat = next(seat for seat in (game.player, 0, 1) if game.view(seat).moves)
        view = game.view(seat)
        thought = table[len(game.history) % 5].think(view)
        assert thought.move in view.moves
        assert sorted(set(thought.moves)) == sorted(thought.moves) and set(thought.moves) <= set(view.moves)
        if len(game.history) % 7 == 0:
            assert table[len(game.history) % 5].think(view) == thought
        game.play(thought.move)


@pytest.mark.parametrize("name", GAMES)
def test_a_higher_level_misjudges_less_and_searches_more(name: str) -> None:
    levels = [infila.player(name, level).level for level in LEVELS]
    assert all(level is not None for level in levels) and len(set(levels)) == len(LEVELS)
    first_sight = [level.noise for level in levels if level and not level.simulations]
    searching = [level.simulations for level in levels if level and level.simulations]
    assert first_sight == sorted(first_sight, reverse=True) and len(set(first_sight)) == len(first_sight)
    assert searching == sorted(searching) and len(first_sight) + len(searching) == len(LEVELS)
    assert [infila.player(name, level).searches for level in LEVELS] == [False] * len(first_sight) + [True] * len(
        searching
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_level_uses_its_budget_and_no_more(name: str) -> None:
    (game, seat), *_ = players.decisions(on_trial(name, {}, seed=2), 1)
    view = game.view(seat)
    for spec, simulations in (("club", 0), ("random", 0), ("expert:37", 37), ("search:41", 41), ("beginner:5", 5)):
        assert infila.player(name, spec).think(view).simulations == simulations
    assert infila.player(name, "master").think(view, simulations=23).simulations == 23


@pytest.mark.parametrize("name", GAMES)
def test_levels_choose_otherwise_and_the_better_one_wins(name: str) -> None:
    """Of 12 deals, each with seats exchanged, club wins clearly more than half of the games against random play."""
    contract = contract_of(name)
    options = contract.options.make({"players": 2, **cases_of(name).short})
    club, at_random = infila.player(name, "club"), infila.player(name, "random")
    won = 0.0
    for deal in range(12):
        for line_up in ((club, at_random), (at_random, club)):
            scores = play_game(contract, options, 1, deal, line_up).scores
            mine, other = scores[line_up.index(club)], scores[line_up.index(at_random)]
            won += 1.0 if mine > other else 0.5 if mine == other else 0.0
    assert won >= 17
    found = players.decisions(on_trial(name, {}, seed=4), 12)
    chosen = [
        tuple(infila.player(name, level).think(game.view(seat)).move for game, seat in found)
        for level in ("beginner", "club", "random")
    ]
    assert len(set(chosen)) == 3


def test_a_budget_of_time_is_kept_and_a_search_can_be_cancelled() -> None:
    for name in GAMES:
        (game, seat), *_ = players.decisions(on_trial(name, {}), 1)
        player = infila.player(name, "master")
        view = game.view(seat)
        player.think(view, simulations=20)
        assert player.think(view, milliseconds=30).simulations > 0
        assert player.think(view, milliseconds=30, threads=2).move in view.moves
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


def test_numbers_of_numpy_are_numbers() -> None:
    game = infila.new("take_that", players=2, seed=1)
    counted: Any = np.int64(20)
    thought = infila.player("take_that", "expert", seed=counted).think(game.view(game.player), simulations=counted)
    assert thought == infila.player("take_that", "expert:20", seed=20).think(game.view(game.player))


def test_wrong_use_is_answered_clearly() -> None:
    game = infila.new("take_that", players=2, seed=1)
    view = game.view(game.player)
    player = infila.player("take_that", "expert")
    sentence = "simulations cannot be 0: it must be a whole number from 1 to 10,000,000"
    with pytest.raises(infila.InfilaError, match=sentence):
        player.think(view, simulations=0)
    with pytest.raises(infila.InfilaError, match=r"milliseconds cannot be -5"):
        player.think(view, milliseconds=-5)
    with pytest.raises(infila.InfilaError, match=r"threads cannot be 0"):
        player.think(view, milliseconds=50, threads=0)
    with pytest.raises(infila.InfilaError, match=r"a player of Sequence, but the view is of Take That"):
        infila.player("sequence", "club").think(view)
    with pytest.raises(infila.InfilaError, match=r"a spectator has no moves"):
        player.think(game.view(None))
    with pytest.raises(infila.InfilaError, match=r"has nothing to decide now"):
        player.think(game.view(1 - game.player))
    anything: Any = None
    for anything in (2.5, "10", True):
        with pytest.raises(infila.InfilaError, match=rf"simulations cannot be {anything!r}"):
            player.think(view, simulations=anything)
    anything = True
    with pytest.raises(infila.InfilaError, match=r"cancel must be a threading.Event"):
        player.think(view, cancel=anything)
    anything = game
    with pytest.raises(infila.InfilaError, match=r"about the view of a seat, game.view\(0\), not about a Game"):
        player.think(anything)
    for anything in (
        "genius",
        None,
        "search",
        "random:5",
        "search:x",
        "expert:0",
        "expert:99999999999",
        "club:" + 5000 * "9",
    ):
        with pytest.raises(infila.InfilaError, match=r"there is no player|a number of simulations"):
            infila.player("take_that", anything)
    for anything in (-5, 2**64, 1.0):
        with pytest.raises(infila.InfilaError, match=rf"seed cannot be {anything}"):
            infila.player("take_that", "club", seed=anything)
    with pytest.raises(infila.UnknownGame):
        infila.player("chess", "club")
