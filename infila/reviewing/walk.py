"""A game as a review walks through it: every position, who moved, and what each seat saw."""

import numpy as np

from infila.core import driver
from infila.core.game import Game
from infila.core.record import States, copied
from infila.players import search


class Walk:
    """The positions of a game, from the deal on, and the moves between them."""

    def __init__(self, game: Game) -> None:
        self.game, self.contract, self.names = game, game.contract, game.names
        self.moves = tuple(game.history)
        again = game.before(len(self.moves))
        self.states = [copied(again.states)]
        self.actions: list[int] = []
        self.movers: list[int] = []
        for move in self.moves:
            action = again.action_of(move)
            self.movers.append(int(driver.actor_at(again.states, 0, action)))
            self.actions.append(action)
            again.play_action(action)
            self.states.append(copied(again.states))
        self.over, self.scores = again.over, again.scores
        self.options = self.contract.options.read(self.states[0][0])
        self._out = np.zeros(self.contract.rules.MAX_LEGAL, np.int16)
        self._hidden: dict[tuple[int, int], States] = {}

    def __len__(self) -> int:
        return len(self.moves)

    def seen(self, at: int, seat: int) -> States:
        """What a seat could know after this many moves."""
        if (at, seat) not in self._hidden:
            hidden = copied(self.states[at])
            driver.hide_at(hidden, 0, seat)
            self._hidden[at, seat] = hidden
        return self._hidden[at, seat]

    def choices(self, at: int) -> list[int]:
        """The moves of whoever made the next one."""
        mover = self.movers[at]
        n = int(search.choices_at(self.seen(at, mover), mover, self._out)) if mover >= 0 else 0
        return [int(action) for action in self._out[:n]]

    def undealt(self) -> "States | None":
        """A record with nothing but the options; None if the game began from a position."""
        if self.game.seed is None:
            return None
        states = np.zeros(1, self.contract.rules.State)
        self.options.write(states[0])
        return states
