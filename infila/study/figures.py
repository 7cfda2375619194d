"""The figures of a study: what was counted in the games so far, and what it comes to.

Sides have *places*, by the order of play: place 1 is the side of the seat that made the first move of the game. A
player without a team is a side. A *decision* is a move that had a choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10, sqrt
from typing import Any

import numpy as np

from infila.batch.counted_play import SLICES
from infila.core.contract import Contract, Event
from infila.core.options import Options
from infila.study.histogram import Histogram


@dataclass(frozen=True)
class Chunk:
    """Some games that were watched, from game `first` on."""

    first: int
    courses: Any
    widths: Any  # at n, how many moves had n choices
    curve: Any  # for each slice of a game, its moves and the sum of their choices


@dataclass(frozen=True)
class WinShare:
    """A share of the games, with its 95 % interval."""

    mean: float
    low: float
    high: float


def share_of(won: Any, games: int) -> WinShare:
    """The share of the games won, where won[k] wins were shared by k."""
    parts = [(count, 1 / k) for k, count in enumerate(won.tolist()) if k]
    mean = sum(count * part for count, part in parts) / max(games, 1)
    square = sum(count * part**2 for count, part in parts) / max(games, 1)
    # half a game more, won and lost, so that a clean sweep does not count as certainty
    reach = 1.96 * sqrt((max(square - mean**2, 0) * games + 0.25) / max(games, 1) ** 2)
    return WinShare(mean, max(0.0, mean - reach), min(1.0, mean + reach))


@dataclass(frozen=True)
class Happened:
    """An event, in all games."""

    event: Event
    times: int
    games: int  # in which it happened
    most: int  # in one game


class Figures:
    """Everything that was counted, and what follows from it."""

    def __init__(self, contract: Contract, options: Options, by: Sequence[str], wanted: int, seed: int) -> None:
        self.contract, self.options, self.by, self.seed = contract, options, tuple(by), seed
        self.wanted = wanted  # games
        self.players = int(options.to_dict()["players"])
        self.side_of = np.array([options.side(seat) for seat in range(self.players)])
        self.sides = len(set(self.side_of.tolist()))
        self.seat_of = np.unique(self.side_of, return_index=True)[1]  # one seat of each side
        self.order = np.array([_sides_from(self.side_of, seat) for seat in range(self.players)])
        self.games = 0
        self.seconds = 0.0
        self.moves, self.turns, self.decisions, self.scores = Histogram(), Histogram(), Histogram(), Histogram()
        self.widths = np.zeros(contract.rules.MAX_LEGAL + 1, np.int64)
        self.curve = np.zeros((2, SLICES), np.int64)
        self.place_scores = np.zeros(self.sides, np.int64)
        self.place_decisions = np.zeros(self.sides, np.int64)
        self.won = np.zeros((self.sides, self.sides + 1), np.int64)  # by place, and how many shared it
        self.player_won = np.zeros((len(by), self.sides + 1), np.int64)
        self.player_sides = np.zeros(len(by), np.int64)  # on how many sides a player sat, in all games
        self.player_scores = np.zeros(len(by), np.int64)
        self.draws = 0
        events = len(contract.study.EVENTS)
        self.times, self.in_games, self.most = (np.zeros(events, np.int64) for _ in range(3))

    def add(self, chunk: Chunk) -> None:
        """Count some more games."""
        courses = chunk.courses
        self.games += len(courses)
        self.moves.add(courses["moves"])
        self.turns.add(courses["turns"])
        self.decisions.add(courses["decisions"].sum(1))
        self.widths += chunk.widths
        self.curve += chunk.curve
        self._add_sides(chunk)
        counts = courses["events"][:, : len(self.times)]
        self.times += counts.sum(0)
        self.in_games += (counts > 0).sum(0)
        self.most = np.maximum(self.most, counts.max(0, initial=0))

    def _add_sides(self, chunk: Chunk) -> None:
        """Scores, decisions and wins, by the places of the sides and by player."""
        courses = chunk.courses
        first = courses["first"].astype(np.int64)
        scores = courses["scores"][:, : self.players]
        best = scores == scores.max(1, keepdims=True)
        if self.contract.needs_winner:
            best &= ~(scores == scores[:, :1]).all(1, keepdims=True)
        scores, won = scores[:, self.seat_of], best[:, self.seat_of]  # all that follows is by side
        decisions = courses["decisions"][:, : self.players] @ (self.side_of[:, None] == np.arange(self.sides))
        sharing = won.sum(1)
        self.draws += int((sharing == 0).sum())
        self.scores.add(scores)
        games = np.arange(len(first))
        for place in range(self.sides):
            side = self.order[first, place]
            self.place_scores[place] += scores[games, side].sum()
            self.place_decisions[place] += decisions[games, side].sum()
            self.won[place] += self._by_sharing(won[games, side], sharing)
        for side in range(self.sides):
            player = (side + chunk.first + games) % len(self.by)
            for k in range(len(self.by)):
                self.player_sides[k] += (player == k).sum()
                self.player_scores[k] += scores[player == k, side].sum()
                self.player_won[k] += self._by_sharing(won[:, side] & (player == k), sharing)

    def _by_sharing(self, won: Any, sharing: Any) -> Any:
        """How many of these wins were shared by 1, 2, … sides."""
        return np.bincount(sharing[won], minlength=self.sides + 1)

    @property
    def choices(self) -> Histogram:
        """How many choices a decision had."""
        found = Histogram()
        found.add_counts(np.arange(2, len(self.widths)), self.widths[2:])
        return found

    @property
    def forced(self) -> float:
        """The share of the moves that had no choice."""
        return float(self.widths[1] / max(self.widths.sum(), 1))

    @property
    def tree(self) -> float:
        """The mean of log10 of the product of the choices of a game: the size of its tree, chance left out."""
        return sum(log10(n) * count for n, count in enumerate(self.widths.tolist()) if n) / max(self.games, 1)

    @property
    def course(self) -> list[float | None]:
        """Choices in the course of the game: the mean of each slice of it, forced moves included."""
        return [float(total / moves) if moves else None for moves, total in self.curve.T]

    @property
    def ties(self) -> float:
        """The share of the games won by several sides together."""
        return float(self.won[:, 2:].sum(0) @ (1 / np.arange(2, self.sides + 1)) / max(self.games, 1))

    def wins(self) -> list[WinShare]:
        """The part of the games that each place wins."""
        return [share_of(won, self.games) for won in self.won]

    def player_wins(self) -> list[WinShare]:
        """For each player, how often a side that it played won."""
        return [share_of(won, int(sides)) for won, sides in zip(self.player_won, self.player_sides, strict=True)]

    def events(self) -> list[Happened]:
        """Each event of the game's `study.py`, and how often it happened."""
        counted = zip(self.contract.study.EVENTS, self.times, self.in_games, self.most, strict=True)
        return [Happened(event, int(times), int(games), int(most)) for event, times, games, most in counted]


def _sides_from(side_of: Any, first: int) -> list[int]:
    """The sides in the order of play if this seat begins."""
    order = [int(side_of[(first + step) % len(side_of)]) for step in range(len(side_of))]
    return list(dict.fromkeys(order))
