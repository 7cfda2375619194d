"""Many games at once as vector environments of Gymnasium: all seats for the caller, or one seat against others.

>>> import gymnasium
>>> import infila.envs.gymnasium
>>> envs = gymnasium.make_vec("infila/TakeThat-v0", num_envs=8, vectorization_mode="vector_entry_point", players=2)
>>> observations, info = envs.reset(seed=7)
>>> observations, rewards, terminations, truncations, info = envs.step(info["action_mask"].argmax(axis=1))
>>> info["seat"].shape
(8,)
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from infila.agents import Guest, Policy
from infila.batch import Batch
from infila.core.errors import IllegalMove, InfilaError, check_number, check_seed
from infila.core.games import contract_of
from infila.envs import spaces as ours
from infila.envs.episode import ILLEGAL, OVER, Episode, Rewards, checked, no_game
from infila.envs.gymnasium import Opponents, no_options, others

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install 'infila[gymnasium]'") from None

Seeds = int | Sequence[int | None] | np.ndarray[Any, Any] | None


class _Games(VectorEnv[Any, Any, Any]):
    """What both have in common: spaces, and what is said of games that have ended."""

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def _set_spaces(self, game: str, num_envs: int) -> None:
        contract = contract_of(game)
        self.num_envs = num_envs
        self.single_observation_space = ours.observations(contract.features.FEATURES)
        self.single_action_space = spaces.Discrete(contract.rules.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._actions = contract.rules.ACTIONS
        self._dealt = False

    def _seeds(self, seed: Seeds) -> tuple[int | None, list[int | None]]:
        """A seed for all games, or else one for each, checked."""
        if seed is None or isinstance(seed, (int, np.integer)):
            if seed is not None:
                check_seed(seed)
            return seed, []
        if isinstance(seed, np.ndarray) and seed.dtype.kind in "iu" and seed.ndim == 1:
            seed = [int(each) for each in seed]
        if not isinstance(seed, Sequence) or isinstance(seed, str):
            raise InfilaError(f"a seed cannot be {seed!r}: it must be a whole number, or a list or an array of them.")
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise InfilaError(f"there are {len(seeds)} seeds for {self.num_envs} games: give one, or one for each.")
        for each in seeds:
            if each is not None:
                check_seed(each)
        return None, seeds

    def _final(self, ended: Any, last: dict[int, Any], seats: Any, rewards: Any) -> dict[str, Any]:
        """The last observations and infos of the games that have ended, as Gymnasium's own vector environments give
        them: beside what a game says stands, with a line before its name, which games say it."""
        if not last:
            return {}
        final = np.full(self.num_envs, None, object)
        for game, observation in last.items():
            final[game] = observation
        mask = np.repeat(ended[:, None], self._actions, axis=1).astype(np.int8)  # all true at the end
        said = {"action_mask": mask, "seat": np.where(ended, seats, 0).astype(np.int8), "rewards": rewards.copy()}
        marked = said | {f"_{name}": ended.copy() for name in said}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": marked, "_final_info": ended.copy()}


class SelfPlayVectorEnv(_Games):
    """Many games at once on the batch engine, all seats played by whoever gives the actions.

    Each step is one action in every game, of the seat that is to act there, `info["seat"]`; observations and
    `info["action_mask"]` are that seat's. The reward is that of the seat that has just acted, and 0 until the game is
    over; `info["rewards"]` has those of all seats; `rewards` is "win" or "score", as elsewhere. Games that end are
    dealt anew in the same step; `info["final_obs"]` has what the seat that has just acted sees at their end, and
    `info["final_info"]` what else is said of them. An illegal action raises IllegalMove, and no game has moved.
    """

    def __init__(
        self, game: str, num_envs: int = 1, threads: int | None = None, rewards: Rewards = "win", **options: Any
    ) -> None:
        self.batch = Batch(game, num_envs, threads=threads, last=True, **options)
        self.rewards: Rewards = checked("rewards", rewards, ("win", "score"))
        self._set_spaces(game, num_envs)
        self._games = np.arange(num_envs)

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all games anew; without a seed, one is drawn. With a list each game has a seed of its own."""
        no_options(options)
        one, each = self._seeds(seed)
        super().reset(seed=next((number for number in each if number is not None), None) if each else one)
        drawn = [int(self.np_random.integers(2**63)) if number is None else number for number in each or [one]]
        self.batch.reset(np.array(drawn, np.uint64) if each else drawn[0])
        self._dealt = True
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One action in every game."""
        if not self._dealt:
            raise no_game()
        acted = self.batch.movers.copy()
        self.batch.step(actions)
        rewards = self.batch.rewards.copy() if self.rewards == "win" else self.batch.scores.astype(np.float32)
        observations, info = self._seen()
        info["rewards"] = rewards
        ended = self.batch.dones.astype(bool)
        if ended.any():
            last = self.batch.observe_last(acted)
            info |= self._final(ended, {int(k): last[k].copy() for k in np.flatnonzero(ended)}, acted, rewards)
        return observations, rewards[self._games, acted], ended, np.zeros(self.num_envs, bool), info

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        info = {"action_mask": self.batch.mask().view(np.int8).copy(), "seat": self.batch.movers.copy()}
        return self.batch.observe().copy(), info


class SeatVectorEnv(_Games):
    """One seat of many games, against opponents, which have moved in all of them before the caller is asked again.

    `opponents` are those of `SeatEnv`; an agent that decides for many games at once is asked for all of them together.
    Rewards, observations and `info["action_mask"]` are the seat's; `info["rewards"]` and `info["final_obs"]` are as in
    self-play. An illegal action raises IllegalMove, and no game has moved.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: Opponents = "club",
        seat: int = 0,
        rewards: Rewards = "win",
        **options: Any,
    ) -> None:
        check_number("num_envs", num_envs, 1, 10**6)
        self.episodes = [Episode(game, rewards, options) for _ in range(num_envs)]
        players = self.episodes[0].players
        self.seat = checked("seat", seat, tuple(range(players)))
        self.opponents = others(game, opponents, self.seat, players)
        self._set_spaces(game, num_envs)

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all games anew; from one seed S, game i gets S + i, as in Gymnasium's own vector environments."""
        no_options(options)
        one, each = self._seeds(seed)
        seeds = each or [None if one is None else (int(one) + game) % 2**64 for game in range(self.num_envs)]
        super().reset(seed=None)
        for episode, number in zip(self.episodes, seeds, strict=True):
            episode.deal(number)
        self._dealt = True
        self._go_on()
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """An action of the seat in every game; then the others play, and games that are over are dealt anew."""
        if not self._dealt:
            raise no_game()
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" or chosen.shape != (self.num_envs,):
            given = f"{chosen.dtype} of shape {chosen.shape}"
            raise InfilaError(f"actions must be whole numbers of shape ({self.num_envs},), not {given}.")
        for game, (episode, action) in enumerate(zip(self.episodes, chosen.tolist(), strict=True)):
            if action not in episode.legal:
                raise IllegalMove("", f"in game {game} action {action} is not legal, so no game has moved.")
        for episode, action in zip(self.episodes, chosen.tolist(), strict=True):
            assert episode.play(action) != ILLEGAL
        self._let_others_play()
        ended: Any = np.array([episode.seat == OVER for episode in self.episodes])
        rewards = np.zeros((self.num_envs, self.episodes[0].players), np.float32)
        last = {}
        for game in np.flatnonzero(ended).tolist():
            rewards[game] = self.episodes[game].results()
            last[game] = self.episodes[game].observed_by(self.seat)
        self._go_on()
        observations, info = self._seen()
        seats = np.full(self.num_envs, self.seat, np.int8)
        info |= {"rewards": rewards} | self._final(ended, last, seats, rewards)
        return observations, rewards[:, self.seat].copy(), ended, np.zeros(self.num_envs, bool), info

    def _go_on(self) -> None:
        """Deal anew what is over, until the seat has something to decide in every game."""
        self._let_others_play()
        while over := [episode for episode in self.episodes if episode.seat == OVER]:
            for episode in over:
                episode.deal()
            self._let_others_play()

    def _let_others_play(self) -> None:
        """In every game until it is the caller's turn or the game is over."""
        while waiting := [each for each in self.episodes if each.seat not in (self.seat, OVER)]:
            for seat, opponent in self.opponents.items():
                asked = [episode for episode in waiting if episode.seat == seat]
                if asked and isinstance(opponent, Guest) and isinstance(opponent.agent, Policy):
                    seen, masks = (
                        np.stack([getattr(each, name) for each in asked]) for name in ("observation", "mask")
                    )
                    for episode, action in zip(asked, opponent.choose_many(seen, masks).tolist(), strict=True):
                        episode.play(action)
                else:
                    for episode in asked:
                        episode.play(opponent.choose(episode.hidden(seat), seat))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        masks = np.stack([episode.mask for episode in self.episodes])
        info = {"action_mask": masks, "seat": np.full(self.num_envs, self.seat, np.int8)}
        return np.stack([episode.observed_by(self.seat) for episode in self.episodes]), info


def vector_env(game: str, num_envs: int = 1, **arguments: Any) -> SelfPlayVectorEnv | SeatVectorEnv:
    """Many games at once: with `opponents`, or a `seat`, against others; otherwise all seats are the caller's."""
    if {"opponents", "seat"} & arguments.keys():
        return SeatVectorEnv(game, num_envs, **arguments)
    return SelfPlayVectorEnv(game, num_envs, **arguments)
