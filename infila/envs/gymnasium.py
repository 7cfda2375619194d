"""The games as Gymnasium environments: one seat against computer players or agents; `vector.py` has many games at once.

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

from infila.agents import Chooser, Policy, Sitter, seated
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
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install 'infila[gymnasium]'") from None

from infila.envs import spaces as ours

Opponent = str | Sitter | Chooser | Policy
Opponents = Opponent | Sequence[Opponent]


def no_options(options: dict[str, Any] | None) -> None:
    """Refuse options of `reset`, which would do nothing."""
    if options:
        raise InfilaError(f"reset has no option {next(iter(options))!r}: give it when the environment is made.")


def others(game: str, opponents: Opponents, seat: int, players: int) -> dict[int, Sitter]:
    """Who has the other seats, by seat."""
    seats = [other for other in range(players) if other != seat]
    named = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents] * len(seats)
    if len(named) != len(seats):
        raise InfilaError(f"opponents must be one name, or {len(seats)}: one for each of the other seats.")
    found = {id(each): seated(game, each) for each in named}  # who has several seats is made once
    return {seat: found[id(each)] for seat, each in zip(seats, named, strict=True)}


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; computer players have the others, and have moved before the seat is asked again.

    `opponents` is one for all of them, or a list with one for each, in the order of the seats: a player's name
    ("random", "club", "expert:500"), or an agent, as `infila.agents.seated` takes them. An agent that misbehaves raises
    Misbehaved. The reward comes when the game is over: with rewards="win" what all others lost, shared by the winners,
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
        self.opponents = others(game, opponents, self.seat, self.episode.players)
        self.observation_space = ours.observations(self.episode.contract.features.FEATURES)
        self.action_space = spaces.Discrete(self.episode.actions)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal: the first game of a seed, or the next one. There are no `options` here: those of the game are fixed."""
        no_options(options)
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
            episode.play(self.opponents[episode.seat].choose(episode.hidden(episode.seat), episode.seat))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return self.episode.observed_by(self.seat).copy(), {"action_mask": self._mask()}

    def _mask(self) -> Any:
        """All 1 once the game is over, as in Pgx: a learner that fills its batches needs some action."""
        return np.ones_like(self.episode.mask) if self._over else self.episode.mask.copy()

    def action_masks(self) -> Any:
        """The legal actions as booleans: what sb3-contrib's MaskablePPO asks for."""
        self.episode.demand_game()
        return self._mask().astype(bool)

    def render(self) -> Any:
        """What the seat sees: human prints it, ansi gives it as text, svg as a picture, rgb_array as its pixels."""
        drawn = self.episode.picture(self.seat, self.render_mode)
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None


def _id(game: str) -> str:
    return f"infila/{game.title().replace('_', '')}-v0"


for _game in usable_games():
    gymnasium.register(
        _id(_game),
        entry_point=f"{__name__}:{SeatEnv.__name__}",
        vector_entry_point="infila.envs.vector:vector_env",
        kwargs={"game": _game},
    )
