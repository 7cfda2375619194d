"""The parallel PettingZoo environments: PettingZoo's own tests, and that they are the others, asked all at a time."""

from functools import partial
from types import SimpleNamespace

import pytest
from pettingzoo import make
from pettingzoo.test import max_cycles_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.env_logger import EnvLogger

from infila.core.errors import IllegalMove, InfilaError
from infila.envs.parallel import parallel_env
from infila.envs.pettingzoo import env
from tests.cases import cases_of
from tests.play import GAMES

VARIANTS = {name: cases_of(name).crowded for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_tests(name: str) -> None:
    parallel_api_test(parallel_env(name, **VARIANTS[name]), num_cycles=60)
    parallel_seed_test(partial(parallel_env, name, **VARIANTS[name]), num_cycles=30)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_max_cycles_test(name: str) -> None:
    """It plays without a look at the masks, so illegal actions must not end the game."""
    parallel = partial(parallel_env, name, illegal="random", **VARIANTS[name])
    max_cycles_test(SimpleNamespace(parallel_env=parallel, env=lambda **limit: parallel_to_aec(parallel(**limit))))


def test_it_is_the_game_of_the_other_environment() -> None:
    parallel = make("parallel", "infila/take_that_v0", players=3, rounds=1, rewards="score")
    other = env("take_that", players=3, rounds=1, rewards="score")
    seen, _ = parallel.reset(seed=8)
    other.reset(seed=8)
    while parallel.agents:
        acting = other.agent_selection
        for agent in parallel.agents:
            expected = other.observe(agent)
            assert (seen[agent]["observation"] == expected["observation"]).all()
            assert (seen[agent]["action_mask"][:-1] == expected["action_mask"]).all()
            assert seen[agent]["action_mask"][parallel.wait] == (agent != acting)
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in parallel.agents}
        seen, rewards, terminations, truncations, _ = parallel.step(actions)
        other.step(actions[acting])
        assert rewards == other.rewards and terminations == other.terminations and truncations == other.truncations
    assert any(rewards.values())
    with pytest.raises(InfilaError, match="call reset"):
        parallel.step(actions)


def test_illegal_actions() -> None:
    game = parallel_env("take_that", dealer=1, illegal="raise")
    game.reset(seed=7)
    before = game.inner.episode.states.tobytes()
    legal = game.inner.episode.legal[0]
    for actions, words in (
        ({"player_0": legal, "player_1": 0}, "player_1 can only wait now, so nothing has been played: player_0 is to"),
        ({"player_0": legal, "player_1": "take"}, "player_1 can only wait now"),
        ({"player_0": game.wait, "player_1": game.wait}, "action 199 is not legal now"),
        ({"player_1": game.wait}, "action None is not legal now"),
    ):
        with pytest.raises(IllegalMove, match=words):
            game.step(actions)
    with pytest.raises(InfilaError, match="actions must be a dictionary"):
        game.step([legal, game.wait])  # type: ignore[arg-type]
    assert game.inner.episode.states.tobytes() == before
    game = parallel_env("take_that", dealer=1)
    for actions, loser in (({"player_0": legal, "player_1": 0}, "player_1"), ({"player_0": 0}, "player_0")):
        game.reset(seed=7)
        EnvLogger.suppress_output()
        _, rewards, terminations, _, _ = game.step(actions)
        EnvLogger.unsuppress_output()
        assert rewards == {agent: -1.0 if agent == loser else 0.0 for agent in game.possible_agents}
        assert all(terminations.values()) and not game.agents
    game = parallel_env("take_that", dealer=1, illegal="random")
    game.reset(seed=7)
    infos = game.step({"player_0": 0, "player_1": 0})[-1]
    assert infos["player_1"]["played"] == game.wait and game.agents
    assert infos["player_0"]["played"] in range(12, 99)


def test_rendering() -> None:
    game = parallel_env("take_that", render_mode="ansi")
    game.reset(seed=1)
    assert game.render().startswith("Take That")
