"""The games as parallel PettingZoo environments: in every step all agents act, but all except one can only wait.

>>> import pettingzoo
>>> import infila.envs.pettingzoo
>>> env = pettingzoo.make("parallel", "infila/take_that_v0", players=3, max_cycles=500)
>>> observations, infos = env.reset(seed=7)
>>> while env.agents:
...     actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
...     observations, rewards, terminations, truncations, infos = env.step(actions)
>>> sum(rewards.values())
0.0
"""

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from infila.core.errors import IllegalMove, InfilaError
from infila.envs.episode import no_game
from infila.envs.pettingzoo import Environment, Observation, checked_cycles
from infila.envs.spaces import masked

try:
    from pettingzoo import ParallelEnv
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'infila[pettingzoo]'") from None

Told = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelEnvironment(ParallelEnv):  # type: ignore[misc]
    """A game of `Environment`, one action of it in each step.

    There is one more action than the game has: `wait`, the last one, and the only legal one for an agent whose seat has
    nothing to decide, so that no mask is empty. An agent that gives no action waits. A cycle is a step.
    """

    def __init__(self, game: str, max_cycles: int | None = None, **arguments: Any) -> None:
        self.inner = Environment(game, **arguments)
        self.max_cycles = checked_cycles(max_cycles)
        self.metadata = self.inner.metadata | {"is_parallelizable": True}
        self.render_mode = self.inner.render_mode
        self.possible_agents = self.inner.possible_agents[:]
        self.agents: list[str] = []
        self.wait = self.inner.episode.actions
        seen = masked(self.inner.episode.contract.features.FEATURES, self.wait + 1)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.state_space = self.inner.state_space
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent may see: the same space for all of them."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions of the game, and `wait`."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal the first game of a seed, or without one the next game of the last seed."""
        self.inner.reset(seed=seed)
        self.agents = self.possible_agents[:]
        self._cycles = 0
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> Told:
        """One action of the game: that of the agent whose seat is to act."""
        if not self.agents:
            raise no_game()
        if not isinstance(actions, Mapping) or not set(actions) <= set(self.agents):
            raise InfilaError(f"actions must be a dictionary: an action for each of {', '.join(self.agents)}.")
        acting = self.inner.agent_selection
        restless = [agent for agent in self.agents if agent != acting and not self._waits(actions.get(agent))]
        if restless and self.inner.illegal == "raise":
            raise IllegalMove("", f"{restless[0]} can only wait now, so nothing has been played: {acting} is to act.")
        if restless and self.inner.illegal == "lose":
            self.inner.forfeit(restless)
        else:
            self.inner.step(actions.get(acting))
        infos = {agent: {"played": self.wait} if agent in restless else {} for agent in self.agents}
        return self._told(infos | {acting: self.inner.infos[acting]})

    def _waits(self, action: Any) -> bool:
        try:
            return action is None or operator.index(action) == self.wait
        except TypeError:
            return False

    def _told(self, infos: dict[str, dict[str, Any]]) -> Told:
        """What every agent is told after a step."""
        self._cycles += 1
        over = any(self.inner.terminations.values())
        cut_off = not over and self._cycles == self.max_cycles
        everybody = self.agents
        if over or cut_off:
            self.agents = []
        told = dict(self.inner.rewards), dict.fromkeys(everybody, over), dict.fromkeys(everybody, cut_off), infos
        return self._seen(), *told

    def _seen(self) -> dict[str, Observation]:
        """What every agent's seat may know and do."""
        return {agent: self._with_wait(self.inner.observe(agent)) for agent in self.possible_agents}

    def _with_wait(self, seen: Observation) -> Observation:
        """Whoever has nothing to decide can only wait; once the game is over everything is 1."""
        mask = np.append(seen["action_mask"], np.int8(not self.agents or not seen["action_mask"].any()))
        return {"observation": seen["observation"], "action_mask": mask if self.agents else np.ones_like(mask)}

    def state(self) -> Any:
        """What all seats together may know, as in `Environment`."""
        return self.inner.state()

    def render(self) -> Any:
        """What the acting seat sees, as in `Environment`."""
        return self.inner.render()

    def close(self) -> None:
        """There is nothing to close."""


def parallel_env(game: str, **arguments: Any) -> ParallelEnvironment:
    """A parallel environment by the name of its game."""
    return ParallelEnvironment(game, **arguments)
