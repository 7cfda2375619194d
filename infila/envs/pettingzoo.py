"""The games as PettingZoo environments: agents act one after the other; `parallel.py` asks all of them at once.

>>> import pettingzoo
>>> import infila.envs.pettingzoo
>>> env = pettingzoo.make("aec", "infila/take_that_v0", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     action = None if termination else int(observation["action_mask"].argmax())
...     env.step(action)
>>> env.agents
[]
"""

from typing import Any

import numpy as np

from infila.core.errors import InfilaError
from infila.core.games import usable_games
from infila.envs.episode import (
    ILLEGAL,
    ILLEGALS,
    MODES,
    OVER,
    Episode,
    Illegal,
    Rewards,
    checked,
    checked_mode,
    no_game,
)

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'infila[pettingzoo]'") from None

from infila.envs.spaces import masked, of_all

VERSION = "_v0"

Observation = dict[str, Any]


def checked_cycles(cycles: int | None) -> int | None:
    """The number of cycles after which a game is truncated, checked."""
    if cycles is not None and (isinstance(cycles, bool) or not isinstance(cycles, int) or cycles < 1):
        raise InfilaError(f"max_cycles cannot be {cycles!r}: it must be a whole number from 1, or None for no limit.")
    return cycles


class Environment(AECEnv):  # type: ignore[misc]
    """A game among agents player_0, player_1, … in the order of the seats.

    Everything that PettingZoo's wrappers check is checked here, so there is nothing to wrap. Rewards come when the game
    is over: with rewards="win" the winners share what the others lose, 1 each; with "score" each gets its score.
    An illegal action ends the game and costs 1; with illegal="raise" it raises IllegalMove and changes nothing; with
    "random" a legal one is drawn and played in its place; "played" in the agent's info says which. After `max_cycles`
    cycles, of as many actions as there are agents, the game is cut off and nobody gets anything.
    """

    def __init__(
        self,
        game: str,
        rewards: Rewards = "win",
        render_mode: str | None = None,
        illegal: Illegal = "lose",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.episode = Episode(game, rewards, options)
        self.render_mode = checked_mode(render_mode)
        self.illegal = checked("illegal", illegal, ILLEGALS)
        self.max_cycles = checked_cycles(max_cycles)
        self.metadata = {
            "name": game + VERSION,
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.episode.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        observation = masked(self.episode.contract.features.FEATURES, self.episode.actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: spaces.Discrete(self.episode.actions) for agent in self.possible_agents}
        self.state_space = of_all(self.episode.contract.features.FEATURES, self.episode.players)
        self.agents: list[str] = []
        self._ended = True

    def observation_space(self, agent: str) -> Any:
        """A Dict of `observation` (docs/reference/observations.md) and `action_mask`, the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """A Discrete with all actions of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the first game of a seed, or without one the next game of the last seed; `options` are not used."""
        self.episode.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.episode.seat]
        self._skip_agent_selection = None
        self._ended = False  # for all agents at once
        self._left = (self.max_cycles or 0) * len(self.agents)  # actions, if they are counted
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent's seat may know; its mask is all 0 while others decide, and all 1 once the game is over."""
        episode = self.episode
        seat = self._seats.get(agent)
        if seat is None:
            raise InfilaError(f"there is no agent {agent!r}: the agents are {', '.join(self.possible_agents)}.")
        if seat == episode.seat and not self._ended:
            return {"observation": episode.observation, "action_mask": episode.mask}
        episode.demand_game()
        mask = np.full(episode.actions, int(self._ended), np.int8)
        return {"observation": episode.observed_by(seat), "action_mask": mask}

    def state(self) -> Any:
        """What all seats together may know, one after the other: for a central critic."""
        return self.episode.observed_by_all()

    def last(self, observe: bool = True) -> Any:
        """What the acting agent sees, has received and is told."""
        if not self.agents:
            raise no_game()
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        got = self._cumulative_rewards[agent]
        return seen, got, self.terminations[agent], self.truncations[agent], self.infos[agent]

    def step(self, action: int | None) -> None:
        """Play an action of the agent to act; None once the game is over."""
        if not self.agents:
            raise no_game()
        agent = self.agent_selection
        if self._ended:
            self._was_dead_step(action)
            return
        if self.infos[agent]:
            self.infos[agent] = {}
        seat = self.episode.play(action)
        if seat == ILLEGAL:
            seat = self._refuse(action)
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
            self._left -= 1
            if self._left == 0:
                self._cut_off()
        elif seat == OVER:
            self._finish(self.episode.results())
        if self.render_mode is not None:
            self._show()

    def _refuse(self, action: Any) -> int:
        """PettingZoo's convention: an illegal action ends the game, and costs the one who chose it 1."""
        agent = self.agent_selection
        if self.illegal != "lose":
            self.infos[agent] = {"played": self.episode.play_other(action, self.illegal)}
            return self.episode.seat
        EnvLogger.warn_on_illegal_move()
        self.forfeit([agent])
        return ILLEGAL

    def forfeit(self, guilty: list[str]) -> None:
        """End the game; these agents lose 1 and nobody gets anything."""
        self._finish([-1.0 if agent in guilty else 0.0 for agent in self.possible_agents])

    def _cut_off(self) -> None:
        self._ended = True
        self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _finish(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self._ended = True
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """What the acting seat sees: human prints it, ansi gives it as text, svg as a picture, rgb_array as pixels."""
        if not self.agents and self.render_mode is not None:
            raise no_game()
        drawn = self.episode.picture(self._seats[self.agent_selection] if self.agents else 0, self.render_mode)
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None

    def close(self) -> None:
        """There is nothing to close."""


def env(game: str, **arguments: Any) -> Environment:
    """An environment by the name of its game; its id at PettingZoo is "infila/<name>_v0"."""
    return Environment(game, **arguments)


for _game in usable_games():
    register("aec", f"infila/{_game}{VERSION}", entry_point=Environment, kwargs={"game": _game})
    register(
        "parallel", f"infila/{_game}{VERSION}", entry_point="infila.envs.parallel:parallel_env", kwargs={"game": _game}
    )
