"""The Gymnasium environments: Gymnasium's own check, and that they play our games."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import infila
import infila.envs.gymnasium
from infila.core.errors import IllegalMove, InfilaError
from infila.core.games import contract_of
from infila.envs.episode import OVER, Episode
from infila.envs.gymnasium import SeatEnv
from infila.envs.vector import SeatVectorEnv, SelfPlayVectorEnv
from tests.cases import cases_of
from tests.play import GAMES

IDS = {name: contract_of(name).title.replace(" ", "") for name in GAMES}
VARIANTS = {name: cases_of(name).seat_env for name in GAMES}


def made(name: str, **arguments: Any) -> Any:
    return gymnasium.make(f"infila/{IDS[name]}-v0", **arguments)


def played(env: Any, seed: int) -> tuple[list[bytes], float]:
    """All observations of a game, and its reward."""
    observation, info = env.reset(seed=seed)
    seen, over, reward = [observation.tobytes()], False, 0.0
    while not over:
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        legal = np.flatnonzero(info["action_mask"])
        observation, reward, over, _, info = env.step(legal[len(legal) // 2])
        seen.append(observation.tobytes())
    assert info["action_mask"].all() and env.unwrapped.action_masks().all(), "at the end, as in Pgx"
    return seen, reward


@pytest.mark.parametrize("name", GAMES)
def test_gymnasiums_own_check(name: str) -> None:
    check_env(made(name, **VARIANTS[name]).unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_against_computer_players(name: str) -> None:
    env = made(name, **VARIANTS[name])
    seen, reward = played(env, 4)
    again, same = played(made(name, **VARIANTS[name]), 4)
    assert seen == again and reward == same
    episode = env.unwrapped.episode
    assert reward == episode.results()[env.unwrapped.seat]
    assert episode.view(0).over


def test_any_player_of_ours_can_be_an_opponent() -> None:
    env = SeatEnv("take_that", opponents=infila.player("take_that", "search:20"), rounds=1, dealer=0)
    assert played(env, 1)[1] in (-1.0, 0.0, 1.0)


def test_illegal_actions() -> None:
    env = made("take_that", opponents="random")
    _, info = env.reset(seed=1)
    wrong = int(np.argmin(info["action_mask"]))
    _, reward, terminated, truncated, _ = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    with pytest.raises(InfilaError, match="call reset"):
        env.unwrapped.step(wrong)
    env = SeatEnv("take_that", opponents="random", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="not legal now"):
        env.step(wrong)
    env = SeatEnv("take_that", opponents="random", illegal="random", rounds=1)
    _, info = env.reset(seed=1)
    mask, terminated, reward = info["action_mask"], False, 0.0
    while not terminated:
        _, reward, terminated, _, info = env.step(0)  # there is no card 0
        assert mask[info["played"]]
        mask = info["action_mask"]
    assert reward == env.episode.results()[0]


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, start in (("ansi", "Take That"), ("svg", "<svg")):
        env = SeatEnv("take_that", opponents="random", render_mode=mode)
        env.reset(seed=1)
        assert env.render().startswith(start)
    env = SeatEnv("take_that", opponents="random", render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (640, 752, 3)
    SeatEnv("take_that", opponents="random", render_mode="human").reset(seed=1)
    assert "Take That" in capsys.readouterr().out


def test_wrong_use_gets_a_sentence() -> None:
    for arguments, words in (
        ({"seat": 2}, "seat cannot be 2"),
        ({"opponents": "genius"}, "no player 'genius'"),
        ({"opponents": ["random", "random"]}, "opponents must be one name, or 1"),
        ({"rewards": "money"}, "rewards cannot be"),
    ):
        with pytest.raises(InfilaError, match=words):
            SeatEnv("take_that", **arguments)
    with pytest.raises(InfilaError, match="render_mode"):
        SeatEnv("take_that").render()


@pytest.mark.parametrize("name", GAMES)
def test_many_games_at_once(name: str) -> None:
    options = {key: VARIANTS[name][key] for key in ("players", "games", "draw") if key in VARIANTS[name]}
    env = gymnasium.make_vec(f"infila/{IDS[name]}-v0", num_envs=6, vectorization_mode="vector_entry_point", **options)
    first, info = env.reset(seed=3)
    assert first in env.observation_space and (first == env.reset(seed=3)[0]).all()
    kept = first.copy()
    paid, finished = 0.0, False
    for _ in range(250):
        actions = info["action_mask"].argmax(axis=1)
        seats = info["seat"]
        observations, rewards, ended, truncated, info = env.step(actions)
        assert observations in env.observation_space and not truncated.any()
        assert (rewards == info["rewards"][np.arange(6), seats]).all() and not rewards[~ended].any()
        paid += abs(info["rewards"]).sum() if ended.any() else 0
        finished |= bool(ended.any())
    assert (first == kept).all(), "what was given is not written again"
    assert finished or not cases_of(name).soon_over
    assert paid > 0 or not finished
    with pytest.raises(IllegalMove):
        env.step(info["action_mask"].argmin(axis=1))


@pytest.mark.parametrize("rewards", ["win", "score"])
def test_what_the_last_seat_sees_at_the_end_and_both_rewards(rewards: Any) -> None:
    """As one game alone has it: the same deals, the same moves."""
    envs = SelfPlayVectorEnv("take_that", 3, rewards=rewards, players=3, rounds=1)
    _, info = envs.reset(seed=np.array([5, 6, 7]))
    alone = [Episode("take_that", rewards, {"players": 3, "rounds": 1}) for _ in range(3)]
    for game, episode in enumerate(alone):
        episode.deal(5 + game)
    left = {0, 1, 2}
    while left:
        for game in left:
            assert info["seat"][game] == alone[game].seat and (info["action_mask"][game] == alone[game].mask).all()
        actions, acted = info["action_mask"].argmax(axis=1), info["seat"]
        _, paid, ended, _, info = envs.step(actions)
        for game in sorted(left):
            alone[game].play(actions[game])
            assert ended[game] == (alone[game].seat == OVER)
            if ended[game]:
                left.remove(game)
                assert info["_final_obs"][game]
                assert (info["final_obs"][game] == alone[game].observed_by(int(acted[game]))).all()
                final = info["final_info"]
                assert info["_final_info"][game] and final["action_mask"][game].all()
                assert final["seat"][game] == acted[game]
                assert final["rewards"][game].tolist() == pytest.approx(alone[game].results())
                assert info["rewards"][game].tolist() == pytest.approx(alone[game].results())
                assert paid[game] == pytest.approx(alone[game].results()[acted[game]])
        assert ("final_obs" in info) == bool(ended.any())


class First:
    """The first legal action, in all games that it is asked about at once."""

    asked = 0

    def act(self, observations: Any, masks: Any) -> Any:
        self.asked = max(self.asked, len(masks))
        return masks.argmax(1)


def test_many_games_against_others_are_as_many_games_alone() -> None:
    first = First()
    arguments: dict[str, Any] = {"players": 3, "rounds": 1, "seat": 1, "opponents": ["casual", first]}
    envs: Any = gymnasium.make_vec(
        "infila/TakeThat-v0", num_envs=4, vectorization_mode="vector_entry_point", **arguments
    )
    assert isinstance(envs.unwrapped, SeatVectorEnv)
    seen, info = envs.reset(seed=[3, 4, 5, 6])
    again, _ = envs.reset(seed=3)
    assert (seen == again).all() and seen in envs.observation_space
    alone = [made("take_that", **arguments) for _ in range(4)]
    told = [env.reset(seed=3 + game) for game, env in enumerate(alone)]
    finished = 0
    for _ in range(60):
        assert (seen == np.stack([one for one, _ in told])).all()
        assert (info["action_mask"] == np.stack([about["action_mask"] for _, about in told])).all()
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, ended, truncated, info = envs.step(actions)
        for game, env in enumerate(alone):
            last, reward, over, _, about = env.step(actions[game])
            assert (over, reward) == (ended[game], pytest.approx(rewards[game]))
            if over:
                assert (info["final_obs"][game] == last).all()
                assert (info["final_info"]["action_mask"][game] == about["action_mask"]).all()
                assert info["rewards"][game].sum() == pytest.approx(0)
                finished += 1
            told[game] = env.reset() if over else (last, about)
    assert finished > 2 and not truncated.any()
    assert first.asked > 1, "an agent for many is asked for many"
    with pytest.raises(IllegalMove, match="no game has moved"):
        envs.step(info["action_mask"].argmin(axis=1))
    with pytest.raises(InfilaError, match="whole numbers of shape"):
        envs.step(np.zeros(3, np.int64))
