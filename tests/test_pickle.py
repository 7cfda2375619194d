"""Games, views, players and environments can be pickled and deep-copied, and the copies go on alike."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import infila
import infila.envs.gymnasium
import infila.envs.pettingzoo
from infila.envs.parallel import parallel_env
from infila.envs.vector import SelfPlayVectorEnv
from tests.batch.test_batch import VARIANTS
from tests.play import GAMES

twins = pytest.mark.parametrize("twin", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])


@twins
@pytest.mark.parametrize("name", GAMES)
def test_a_game_and_its_views(name: str, twin: Any) -> None:
    game = infila.new(name, seed=3, **VARIANTS[name])
    for _ in range(3):
        game.play_action(game.actions()[0])
    other, view = twin(game), twin(game.view(0))
    assert other.save() == game.save() and other.states.tobytes() == game.states.tobytes()
    assert view.position == game.view(0).position and view.moves == game.view(0).moves
    other.play_action(other.actions()[0])
    assert len(other.history) == 4 and len(game.history) == 3
    assert other.before().save() == game.save()


def test_a_pickled_view_holds_no_secrets() -> None:
    """Neither the seed nor moves that came later."""
    game = infila.new("take_that", seed="a secret seed", players=2)
    view = game.view(0)
    for _ in range(10):
        game.play_action(game.actions()[0])
    hidden = pickle.dumps(view)
    assert b"a secret seed" not in hidden
    again = pickle.loads(hidden)
    assert again.log == view.log and game.states[0].key.tobytes() not in hidden


@twins
def test_a_player(twin: Any) -> None:
    view = infila.new("take_that", seed=3).view(0)
    player = infila.player("take_that", "casual")
    game = infila.new("take_that", seed=3)
    seat = game.player
    assert twin(player).think(game.view(seat)).move == player.think(game.view(seat)).move
    assert view.seat == 0


@twins
def test_environments(twin: Any) -> None:
    env = pettingzoo.make("aec", "infila/take_that_v0", players=3)
    env.reset(seed=7)
    other = twin(env)
    for each in (env, other):
        each.step(int(each.last()[0]["action_mask"].argmax()))
    assert (env.last()[0]["observation"] == other.last()[0]["observation"]).all()

    parallel = parallel_env("take_that")
    seen, _ = parallel.reset(seed=7)
    again = twin(parallel)
    actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in parallel.agents}
    told, retold = parallel.step(actions)[0], again.step(actions)[0]
    assert all((told[agent]["observation"] == retold[agent]["observation"]).all() for agent in told)

    table = gymnasium.make("infila/TakeThat-v0", opponents="casual")
    _, info = table.reset(seed=1)
    copied = twin(table)
    action = int(info["action_mask"].argmax())
    assert (table.step(action)[0] == copied.step(action)[0]).all()

    many = SelfPlayVectorEnv("take_that", 4)
    _, info = many.reset(seed=1)
    twinned = twin(many)
    chosen = info["action_mask"].argmax(axis=1)
    assert (many.step(chosen)[0] == twinned.step(chosen)[0]).all()
    assert np.array_equal(many.batch.states.tobytes(), twinned.batch.states.tobytes())
