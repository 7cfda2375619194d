"""Zatre's puzzles: last turns, where all that can still happen can be counted out by the rules alone.

Provable are positions in which the seat on turn knows all that matters:
the bag is empty, so that nobody else lays after this turn (Z19; in the team game the partner, whose tiles are seen);
or two play, and whoever draws next draws all that is left, so that the unseen tiles are known to be theirs.
In the latter an optional draw (Z13) comes from every order of the bag alike, and what follows is known.

A move is worth the margin over the best of the others that it leads to if everybody plays best. Best moves must also be
best for winning alone, so that it does not matter which of the two a player plays for.
"""

from itertools import permutations
from typing import Any

import numpy as np

import infila
from infila.core import driver

NODES = 60_000


class TooMuch(Exception):
    """More positions than a puzzle should need."""


class Count:
    """Everything that can follow from a position, counted out."""

    def __init__(self, game: infila.Game) -> None:
        self.rules = game.contract.rules
        self.sheets = [seat >> int(game.states[0].teams) for seat in range(len(game.names))]
        self.me = self.sheets[game.player]
        self.known: dict[bytes, int] = {}
        self.nodes = 0

    def actions(self, states: Any) -> list[int]:
        out = np.zeros(self.rules.MAX_LEGAL, np.int16)
        n = int(driver.legal_at(states, 0, out))
        return [int(action) for action in out[:n]]

    def after(self, states: Any, action: int) -> int:
        """The margin that an action leads to."""
        then = states.copy()
        driver.play_at(then, 0, action)
        key = then.tobytes()
        if key not in self.known:
            self.nodes += 1
            if self.nodes > NODES:
                raise TooMuch
            self.known[key] = self.value(then)
        return self.known[key]

    def value(self, states: Any) -> int:
        points = np.zeros(16, np.int64)
        seat, over = driver.status_at(states, 0, points)
        if over:
            totals = {sheet: int(points[i]) for i, sheet in enumerate(self.sheets)}
            return totals[self.me] - max(total for sheet, total in totals.items() if sheet != self.me)
        values = [self.after(states, action) for action in self.actions(states)]
        return max(values) if self.sheets[int(seat)] == self.me else min(values)


def worlds(game: infila.Game) -> list[Any]:
    """All that may be, to the seat on turn, each equally likely; nothing if it cannot know enough."""
    s = game.states[0]
    bag = [int(value) for value in s.bag[: int(s.n_bag)]]
    if not bag:
        return [game.states]
    rival = 1 - game.player
    mine_to_draw = not s.drawn and not s.laid.any()
    if len(game.names) != 2 or int(s.n_hand[rival]) + len(bag) > 2 or (mine_to_draw and s.n_hand[rival] > 0):
        return []
    if not mine_to_draw:
        return [game.states]
    found = []
    for order in sorted(set(permutations(bag))):
        states = game.states.copy()
        states[0].bag[: len(bag)] = order
        found.append(states)
    return found


def count(game: infila.Game) -> dict[str, tuple[float, float]]:
    """For each move the mean margin and the mean result (1 won, 0.5 shared)."""
    margins: dict[int, list[int]] = {}
    for states in worlds(game):
        counted = Count(game)
        for action in counted.actions(states):
            margins.setdefault(action, []).append(counted.after(states, action))
    return {
        game.text(action): (
            sum(values) / len(values),
            sum((value > 0) + 0.5 * (value == 0) for value in values) / len(values),
        )
        for action, values in margins.items()
    }


def prove(game: infila.Game, puzzle: dict[str, Any]) -> None:
    """The moves given as best lead to a better margin than all others, and none wins more often."""
    assert game.player == puzzle["seat"] - 1
    values = count(game)
    assert len(values) > 1
    best = max(margin for margin, _ in values.values())
    assert sorted(puzzle["best"]) == sorted(move for move, (margin, _) in values.items() if margin == best)
    most = max(won for _, won in values.values())
    assert all(values[move][1] == most for move in puzzle["best"])


__all__ = ["TooMuch", "count", "prove", "worlds"]
