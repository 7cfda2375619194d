"""The PettingZoo environments: PettingZoo's own tests, and that they play our games."""

import itertools
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo import make
from pettingzoo.test import api_test, max_cycles_test, performance_benchmark, render_test, seed_test, state_test
from pettingzoo.utils.env_logger import EnvLogger

import infila
from infila.batch import Batch
from infila.core.errors import IllegalMove, InfilaError
from infila.envs.parallel import parallel_env
from infila.envs.pettingzoo import Environment, env
from tests.play import GAMES

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("zatre", {"players": 4, "teams": True, "keeping": "forced"}),
    ("zatre", {"players": 3, "rewards": "score"}),
    ("take_that", {"players": 2}),
    ("take_that", {"players": 4, "expert": True, "rounds": 1, "rewards": "score"}),
    ("completto", {"players": 3, "games": 1, "rewards": "score"}),
    ("completto", {"players": 2, "first": 1}),
    ("sequence", {"players": 2, "advanced": True}),
    ("sequence", {"players": 12, "sides": 3, "draw": "manual", "table_talk": "forbidden"}),
]

# the test knows only PettingZoo's own environments with a dictionary
pettingzoos = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)


def play_on(game: Environment, most: int = 10_000) -> int:
    """Play with the middle one of the legal actions; how many."""
    moves = 0
    for _ in game.agent_iter(most):
        observation, _, termination, truncation, _ = game.last()
        legal = np.flatnonzero(observation["action_mask"])
        ended = termination or truncation
        game.step(None if ended else int(legal[len(legal) // 2]))
        moves += not ended
    return moves


@pettingzoos
@pytest.mark.parametrize(("name", "arguments"), VARIANTS)
def test_pettingzoos_own_tests(name: str, arguments: dict[str, Any]) -> None:
    api_test(env(name, **arguments), num_cycles=60)
    seed_test(partial(env, name, **arguments), num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_rendering(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = set()

    def coloured(drawn: Any) -> bool:
        shapes.add(drawn.shape)
        return len(np.unique(drawn[::9].reshape(-1, 3), axis=0)) > 50

    checks = {"svg": lambda drawn: drawn.startswith("<svg"), "rgb_array": coloured}
    render_test(partial(make, "aec", f"infila/{name}_v0"), custom_tests=checks)
    assert len(capsys.readouterr().out) > 1000
    assert len(shapes) == 1, "all frames of a video are of one size"
    with pytest.raises(InfilaError, match="without a render_mode"):
        env(name).render()


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_performance_benchmark(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs for five seconds of a clock that it looks at after every cycle; ours is a fast one."""
    ticks = itertools.count()
    clock = SimpleNamespace(time=lambda: next(ticks) / 20)
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    performance_benchmark(env(name))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_after_max_cycles_the_game_is_cut_off() -> None:
    game = make("aec", "infila/sequence_v0", players=3, max_cycles=2)
    for _ in range(2):
        game.reset(seed=4)
        for moves in range(6):
            assert not any(game.truncations.values()), moves
            game.step(int(game.last()[0]["action_mask"].argmax()))
        assert all(game.truncations.values()) and not any(game.terminations.values())
        assert not any(game.rewards.values()) and game.last()[0]["action_mask"].all()
        assert play_on(game) == 0 and not game.agents


def test_the_games_are_those_of_a_batch() -> None:
    batch = Batch("take_that", 1, seed=5, players=3)
    game = env("take_that", players=3)
    game.reset(seed=5)
    rewards: list[Any] = []
    while len(rewards) < 2:
        observation = game.last()[0]
        assert (observation["observation"] == batch.observe()[0]).all()
        assert (observation["action_mask"] == batch.mask()[0]).all()
        assert game.agent_selection == f"player_{batch.movers[0]}"
        action = int(observation["action_mask"].argmax())
        batch.step(np.array([action]))
        game.step(action)
        if batch.dones[0]:
            assert list(game.rewards.values()) == batch.rewards[0].tolist()
            rewards.append(game.rewards)
            game.reset()  # the next game of the seed


def test_an_observation_is_kept_and_is_what_the_seat_may_know() -> None:
    game = env("sequence", players=4)
    game.reset(seed=3)
    first = game.last()[0]
    before = first["observation"].copy(), first["action_mask"].copy()
    play_on(game, 20)
    assert (first["observation"] == before[0]).all() and (first["action_mask"] == before[1]).all()
    for seat, agent in enumerate(game.agents):
        seen = game.observe(agent)
        assert (seen["observation"] == game.episode.view(seat).observation()).all()
        assert seen["action_mask"].any() == (agent == game.agent_selection)


@pytest.mark.parametrize("rewards", ["win", "score"])
def test_rewards(rewards: str) -> None:
    game = env("take_that", players=4, rounds=1, rewards=rewards)
    game.reset(seed=8)
    assert play_on(game, 5) and not any(game.rewards.values())
    while not any(game.terminations.values()):
        play_on(game, 1)
    scores = game.episode.view(0).scores
    if rewards == "score":
        assert list(game.rewards.values()) == scores
    else:
        best = [score == max(scores) for score in scores]
        assert sum(game.rewards.values()) == pytest.approx(0)
        assert [reward > 0 for reward in game.rewards.values()] == best


def test_who_owes_a_discard_acts_first_and_the_hosts_move_is_not_offered() -> None:
    """S17, S23."""
    playing = infila.new("sequence", players=4, seed=1, table_talk="forbidden")
    game = env("sequence", players=4, table_talk="forbidden")
    game.reset(seed=1)
    game.episode.set_up(playing.states)
    assert set(game.episode.legal) == set(playing.view(playing.player).own_actions())
    side = playing.player % 2
    playing.play(f"offence {2 - side}")
    game.episode.set_up(playing.states)
    assert game.episode.seat == 1 - side != playing.player


@pytest.mark.parametrize("action", [0, 198, -1, 199, 10**30, None, "34", 1.5])
def test_illegal_actions(action: Any) -> None:
    game = env("take_that", dealer=1, illegal="raise")
    game.reset(seed=7)
    before = game.episode.states.tobytes()
    with pytest.raises(IllegalMove, match="not legal now"):
        game.step(action)
    assert game.episode.states.tobytes() == before
    game = env("take_that", players=3)
    game.reset(seed=7)
    agent = game.agent_selection
    EnvLogger.suppress_output()
    game.step(action)
    EnvLogger.unsuppress_output()
    assert game.rewards == {name: -1.0 if name == agent else 0.0 for name in game.possible_agents}
    assert all(game.terminations.values())


def test_a_legal_action_can_be_played_in_place_of_an_illegal_one() -> None:
    played = []
    for _ in range(2):
        game = env("take_that", players=3, illegal="random", rounds=1)
        game.reset(seed=7)
        moves = []
        while not any(game.terminations.values()):
            agent, legal = game.agent_selection, game.episode.legal
            game.step(0)  # there is no card 0
            moves.append(game.infos[agent]["played"])
            assert moves[-1] in legal
        played.append(moves)
    assert played[0] == played[1] and sum(game.rewards.values()) == pytest.approx(0)
    game.reset()
    agent = game.agent_selection
    game.step(-1)
    assert "played" in game.infos[agent]
    play_on(game, 9)
    assert game.infos == {name: {} for name in game.agents}


def test_wrong_use_gets_a_sentence() -> None:
    for arguments, words in (
        ({"rewards": "chips"}, "rewards cannot be 'chips': it must be 'win' or 'score'"),
        ({"render_mode": "video"}, "render_mode cannot be 'video'"),
        ({"max_cycles": 0}, "max_cycles cannot be 0"),
        ({"illegal": "ignore"}, "illegal cannot be"),
        ({"players": 9}, "players cannot be 9"),
        ({"jokers": 1}, "no option 'jokers'"),
    ):
        with pytest.raises(InfilaError, match=words):
            env("take_that", **arguments)
    game = env("take_that", illegal="raise", rounds=1)
    with pytest.raises(InfilaError, match="call reset"):
        game.step(0)
    game.reset()
    play_on(game)
    with pytest.raises(InfilaError, match="call reset"):
        game.step(0)
    with pytest.raises(InfilaError, match="a seed cannot be -1"):
        game.reset(seed=-1)


@pytest.mark.parametrize(("name", "arguments"), VARIANTS[1::2])
def test_pettingzoos_state_test(name: str, arguments: dict[str, Any]) -> None:
    state_test(env(name, illegal="random", **arguments), parallel_env(name, illegal="random", **arguments))


def test_the_state_is_what_all_seats_together_may_know() -> None:
    game, parallel = env("take_that", players=3), parallel_env("take_that", players=3)
    with pytest.raises(InfilaError, match="call reset"):
        game.state()
    game.reset(seed=1)
    parallel.reset(seed=1)
    play_on(game, 20)
    seats = [game.observe(agent)["observation"] for agent in game.agents]
    assert (game.state() == np.concatenate(seats)).all() and game.state() in game.state_space
    assert parallel.state() in parallel.state_space and parallel.state_space == game.state_space


def test_pettingzoos_max_cycles_test_where_seats_act_in_turn() -> None:
    """It wants every agent to act once in each cycle, which is so where a turn is one decision."""
    made = SimpleNamespace(
        env=partial(env, "sequence", illegal="random"), parallel_env=partial(parallel_env, "sequence", illegal="random")
    )
    max_cycles_test(made)


def test_at_the_end_a_mask_is_all_true_as_in_pgx() -> None:
    game = env("take_that", rounds=1)
    game.reset(seed=2)
    while not any(game.terminations.values()):
        seen = game.last()[0]["action_mask"]
        assert 0 < seen.sum() < len(seen)
        assert not game.observe("player_1" if game.agent_selection == "player_0" else "player_0")["action_mask"].any()
        game.step(int(seen.argmax()))
    assert all(game.observe(agent)["action_mask"].all() for agent in game.agents)
    parallel = parallel_env("take_that", rounds=1, max_cycles=3)
    seen, _ = parallel.reset(seed=2)
    while parallel.agents:
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in parallel.agents}
        seen, *_ = parallel.step(actions)
    assert all(each["action_mask"].all() for each in seen.values())
