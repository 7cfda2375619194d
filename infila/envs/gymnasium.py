"""The games as Gymnasium environments: one seat against computer players, and many games at once.

>>> import gymnasium
>>> import infila.envs.gymnasium
>>> env = gymnasium.make("infila/TakeThat-v0", players=3, opponents="beginner")
>>> observation, info = env.reset(seed=7)
>>> terminated = False
>>> while not terminated:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
>>> reward in (-1.0, 0.5, 2.0)
True
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from infila.batch import Batch
from infila.core.errors import InfilaError
from infila.core.games import NAMES, contract_of
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
from infila.players.player import Player, player

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install 'infila[gymnasium]'") from None

from infila.envs import spaces as ours

Opponents = str | Player | Sequence[str | Player]


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; computer players have the others, and have moved before the seat is asked again.

    `opponents` is a player's name for all of them ("random", "club", "expert:500"), or one for each, in the order of
    the seats. The reward comes when the game is over: with rewards="win" what all others lost, shared by the winners,
    or -1; with "score" the seat's score. An illegal action ends the game and costs 1; with illegal="raise" it raises
    IllegalMove and changes nothing; with "random" a legal one is drawn and played in its place, `info["played"]`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seat: int = 0,
        opponents: Opponents = "club",
        rewards: Rewards = "win",
        render_mode: str | None = None,
        illegal: Illegal = "lose",
        **options: Any,
    ) -> None:
        self.episode = Episode(game, rewards, options)
        self.seat = checked("seat", seat, tuple(range(self.episode.players)))
        self.render_mode = checked_mode(render_mode)
        self.illegal = checked("illegal", illegal, ILLEGALS)
        self.opponents = self._seated(game, opponents)
        self.observation_space = ours.observations(self.episode.contract.features.FEATURES)
        self.action_space = spaces.Discrete(self.episode.actions)
        self._over = True

    def _seated(self, game: str, opponents: Opponents) -> dict[int, Player]:
        seats = [seat for seat in range(self.episode.players) if seat != self.seat]
        named = [opponents] * len(seats) if isinstance(opponents, (str, Player)) else opponents
        if not isinstance(named, Sequence) or len(named) != len(seats):
            raise InfilaError(f"opponents must be one name, or {len(seats)}: one for each of the other seats.")
        found = [each if isinstance(each, Player) else player(game, each) for each in named]
        return dict(zip(seats, found, strict=True))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal: the first game of a seed, or the next one."""
        super().reset(seed=seed)
        self.episode.deal(seed)
        self._over = False
        self._let_others_play()
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the others play until the seat is to act again or the game is over."""
        if self._over:
            raise no_game()
        played: dict[str, Any] = {}
        if self.episode.play(action) == ILLEGAL:
            if self.illegal == "lose":
                self._over = True
                return self._told(-1.0)
            played["played"] = self.episode.play_other(action, self.illegal)
        self._let_others_play()
        self._over = self.episode.seat == OVER
        return self._told(self.episode.results()[self.seat] if self._over else 0.0, **played)

    def _told(self, reward: float, **more: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, info = self._seen()
        return observation, reward, self._over, False, info | more

    def _let_others_play(self) -> None:
        """Each opponent gets what its own seat may know."""
        episode = self.episode
        while episode.seat not in (self.seat, OVER):
            thinking = self.opponents[episode.seat]
            episode.play(thinking.ponder(episode.hidden(episode.seat), episode.seat)[0].action)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        mask = np.zeros_like(self.episode.mask) if self._over else self.episode.mask.copy()
        return self.episode.observed_by(self.seat).copy(), {"action_mask": mask}

    def action_masks(self) -> Any:
        """The legal actions as booleans: what sb3-contrib's MaskablePPO asks for."""
        self.episode.demand_game()
        return self.episode.mask.astype(bool)

    def render(self) -> Any:
        """What the seat sees: human prints it, ansi gives it as text, svg as a picture, rgb_array as its pixels."""
        drawn = self.episode.picture(self.seat, self.render_mode)
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None


class SelfPlayVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once on the batch engine, all seats played by whoever gives the actions.

    Each step is one action in every game, of the seat that is to act there, `info["seat"]`; observations and
    `info["action_mask"]` are that seat's. The reward is that of the seat that has just acted, and 0 until the game is
    over; `info["rewards"]` has those of all seats, as with rewards="win". Games that end are dealt anew in the same
    step, so their last observation is not given. An illegal action raises IllegalMove, and no game has moved.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(self, game: str, num_envs: int = 1, threads: int | None = None, **options: Any) -> None:
        self.batch = Batch(game, num_envs, threads=threads, **options)
        self.num_envs = num_envs
        self.single_observation_space = ours.observations(contract_of(game).features.FEATURES)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = np.arange(num_envs)
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all games anew; without a seed, one is drawn."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._dealt = True
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One action in every game."""
        if not self._dealt:
            raise no_game()
        acted = self.batch.movers.copy()
        self.batch.step(actions)
        rewards = self.batch.rewards.copy()
        observations, info = self._seen()
        info["rewards"] = rewards
        ended = self.batch.dones.astype(bool)
        return observations, rewards[self._games, acted], ended, np.zeros(self.num_envs, bool), info

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        info = {"action_mask": self.batch.mask().view(np.int8).copy(), "seat": self.batch.movers.copy()}
        return self.batch.observe().copy(), info


def _id(game: str) -> str:
    return f"infila/{game.title().replace('_', '')}-v0"


for _game in NAMES:
    gymnasium.register(
        _id(_game),
        entry_point=f"{__name__}:{SeatEnv.__name__}",
        vector_entry_point=f"{__name__}:{SelfPlayVectorEnv.__name__}",
        kwargs={"game": _game},
    )
