"""One game as all environments see it: whose decision is next, what that seat may know and do, and its result.

Actions are the small ints of the rules. The decision belongs to the seat on turn, unless another must act first
(`mover`). Moves that belong to no seat are not offered.
"""

import importlib
import operator
import random
import secrets
from typing import Any, Literal

import numpy as np

from infila.batch import one_game
from infila.batch.stepping import NO_MOVE
from infila.core import driver
from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import View
from infila.core.games import contract_of
from infila.core.growing import Growing
from infila.core.log import Log
from infila.core.notation import POINTS

Rewards = Literal["win", "score"]
Illegal = Literal["lose", "raise", "random"]
ILLEGALS = ("lose", "raise", "random")
MODES = ("human", "ansi", "svg", "rgb_array")
SEEDS = 2**64

OVER = one_game.OVER
ILLEGAL = one_game.ILLEGAL


def checked(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    """An argument that must be one of a few values."""
    if value not in choices:
        raise InfilaError(f"{name} cannot be {value!r}: it must be {' or '.join(repr(choice) for choice in choices)}.")
    return value


def no_game() -> InfilaError:
    return InfilaError("there is no game: call reset() first.")


def checked_mode(mode: str | None) -> str | None:
    """A render mode; pixels need the library that draws them."""
    checked("render_mode", mode, (None, *MODES))
    if mode == "rgb_array":
        importlib.import_module("infila.envs.raster")
    return mode


class Episode:
    """A game with fixed options that is dealt again and again.

    `seat` is the seat to act, or OVER; `mask` and `observation` are its own, in arrays that are never written
    again, so that whoever learns may keep them.
    """

    def __init__(self, game: str, rewards: Rewards, options: dict[str, Any]) -> None:
        self.contract = contract_of(game)
        self.options = self.contract.options.make(options)
        self.rewards: Rewards = checked("rewards", rewards, ("win", "score"))
        self.players = int(self.options.to_dict()["players"])
        self.actions = self.contract.rules.ACTIONS
        self.features = self.contract.features.SIZE
        self._template = np.zeros(1, self.contract.rules.State)
        self.options.write(self._template[0])
        self.states = np.zeros(1, self.contract.rules.State)
        self._legal = np.zeros(self.contract.rules.MAX_LEGAL, np.int16)
        self._count = np.zeros(1, np.int64)
        self._seed = secrets.randbelow(SEEDS)
        self._number = -1
        self._frame: tuple[int, int] | None = None
        self.seat = OVER

    def deal(self, seed: int | None = None) -> None:
        """Deal the first game of a seed, or the next: the same games as in a batch or a simulation of this seed."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEEDS:
                raise InfilaError(f"a seed cannot be {seed!r}: it must be a whole number from 0 to {SEEDS - 1}.")
            self._seed, self._number = int(seed), -1
        self._number += 1
        self._luck = random.Random(f"{self._seed} {self._number}")  # for what is not part of the game
        self.states[0] = self._template[0]
        driver.deal_at(self.states, 0, np.uint64(self._seed), np.uint64(self._number))
        self.look()

    def demand_game(self) -> None:
        """Raise an error unless a game has been dealt."""
        if self._number < 0:
            raise no_game()

    def set_up(self, states: Any) -> None:
        """Continue from another state."""
        self.states[0] = states[0]
        self.look()

    def look(self) -> None:
        """Find out who is to act in a state that is new here."""
        self.mask = np.empty(self.actions, np.int8)
        self.observation = np.empty(self.features, np.int8)
        found = self._legal, self._count, self.mask, self.observation
        self.seat = one_game.step_at(self.states, NO_MOVE, *found)

    def play(self, action: Any) -> int:
        """Play an action; return the seat to act next, or OVER. If it is ILLEGAL, nothing has changed."""
        try:
            number = operator.index(action)
        except TypeError:
            return ILLEGAL
        if not 0 <= number < self.actions:
            return ILLEGAL
        mask = np.empty(self.actions, np.int8)
        observation = np.empty(self.features, np.int8)
        seat: int = one_game.step_at(self.states, number, self._legal, self._count, mask, observation)
        if seat == ILLEGAL:
            return seat
        if seat == OVER:
            mask.fill(1)  # as in Pgx: whoever fills batches needs some action
        self.mask, self.observation, self.seat = mask, observation, seat
        return seat

    def play_other(self, action: Any, illegal: Illegal) -> int:
        """Play a random legal action in place of an illegal one, and return it; with "raise", raise IllegalMove."""
        if illegal == "raise":
            raise IllegalMove(
                "", f"action {action!r} is not legal now, so nothing has been played. The mask shows which are."
            )
        chosen = self._luck.choice(self.legal)
        self.play(chosen)
        return chosen

    @property
    def legal(self) -> list[int]:
        """The actions of the seat to act."""
        actions: list[int] = self._legal[: int(self._count[0])].tolist()
        return actions

    def observed_by(self, seat: int) -> Any:
        """What a seat may know."""
        if seat == self.seat:
            return self.observation
        out = np.empty(self.features, np.int8)
        driver.observe_at(self.states, 0, seat, out)
        return out

    def observed_by_all(self) -> Any:
        """What all seats together may know, one after the other: for a critic that sees everybody's hand."""
        self.demand_game()
        return np.concatenate([self.observed_by(seat) for seat in range(self.players)])

    def hidden(self, seat: int) -> Any:
        """A copy of the state that shows what a seat may know and no more."""
        states = self.states.copy()
        driver.hide_at(states, 0, seat)
        return states

    def view(self, seat: int) -> View:
        """What a seat may know, to be looked at."""
        names = tuple(f"player_{i}" for i in range(self.players))
        log = Log(self.contract.name, self.options, names, rules=self.contract.rules_version)
        return View(self.contract, self.hidden(seat), seat, log, Growing())

    def picture(self, seat: int, mode: str | None) -> Any:
        """What a seat sees: text, SVG, or pixels, whose number is the same for all pictures of an episode."""
        if mode is None:
            raise InfilaError(f"nothing can be rendered without a render_mode: choose one of {', '.join(MODES)}.")
        self.demand_game()
        if mode in ("human", "ansi"):
            return str(self.view(seat))
        svg = self.view(seat)._repr_svg_()
        if mode == "svg":
            return svg
        from infila.envs import raster

        self._frame = self._frame or raster.size_of(svg)
        return raster.pixels(svg, self._frame)

    def results(self) -> list[float]:
        """What each seat gets for a game that is over: its score, or its share of what all have staked."""
        points, shares = np.zeros(POINTS, np.int64), np.zeros(POINTS, np.float32)
        one_game.results_at(self.states, self.players, points, shares)
        got: list[float] = (shares if self.rewards == "win" else points.astype(float))[: self.players].tolist()
        return got
