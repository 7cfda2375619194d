"""What many games between the same players say about their strength.

Two players meet in a *duel* whenever they sit at one table on different sides: the better score wins it, equal scores
share it. All games of one deal share its luck, so deals are what is counted: a player's share against
another is the mean over deals, and the intervals come from how it varies between deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log, sqrt
from typing import Any

import numpy as np

ERROR = 0.05
RESAMPLED = 400  # times, for the intervals of the ratings
FEWEST_DEALS = 20  # before a contest ends


@dataclass(frozen=True)
class GameLine:
    """One game: which player sat where, and how it went, by seat."""

    deal: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    moves: int
    turns: int


@dataclass(frozen=True)
class DuelShare:
    """The part of the duels between two players that the first one won, with its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int
    decided: bool  #: clear of one half, even when checked after every deal


@dataclass(frozen=True)
class Standing:
    """A player's place in the contest."""

    player: str
    rating: float  #: Elo points above the weakest
    low: float | None  #: of its 95 % interval; None after a single deal, which cannot give one
    high: float | None
    games: int
    wins: float
    mean_score: float
    seconds_per_move: float


@dataclass
class Results:
    """The deals played so far, in order.

    >>> results = Results(("club", "casual"), sides=(0, 1))
    >>> seconds, decisions = (0.1, 0.1), (60, 60)
    >>> first = GameLine(0, (0, 1), (-20, -35), decisions, seconds, moves=130, turns=120)
    >>> second = GameLine(0, (1, 0), (-28, -28), decisions, seconds, moves=130, turns=120)
    >>> results.add_deal([first, second])
    >>> results.share(0, 1).mean
    0.75
    """

    contestants: Sequence[str]
    sides: Sequence[int]  #: of each seat
    lines: list[GameLine] = field(default_factory=list)
    # for each deal, the duels that each player won against each other player, and how many there were
    won: list[Any] = field(default_factory=list)
    met: list[Any] = field(default_factory=list)

    def add_deal(self, lines: Sequence[GameLine]) -> None:
        """Count all games of a deal."""
        size = len(self.contestants)
        won, met = np.zeros((size, size)), np.zeros((size, size))
        for line in lines:
            by_side = {side: (line.seats[seat], line.scores[seat]) for seat, side in enumerate(self.sides)}
            for (a, score_a), (b, score_b) in combinations(by_side.values(), 2):
                if a != b:
                    point = 1.0 if score_a > score_b else 0.5 if score_a == score_b else 0.0
                    won[a, b] += point
                    won[b, a] += 1 - point
                    met[a, b] += 1
                    met[b, a] += 1
        self.lines += lines
        self.won.append(won)
        self.met.append(met)

    def add_others(self, others: "Results") -> None:
        """Count the deals of a contest between some of these players."""
        place = [self.contestants.index(name) for name in others.contestants]
        for won, met in zip(others.won, others.met, strict=True):
            for mine, theirs in ((self.won, won), (self.met, met)):
                wide = np.zeros((len(self.contestants), len(self.contestants)))
                wide[np.ix_(place, place)] = theirs
                mine.append(wide)
        self.lines += [replace(line, seats=tuple(place[i] for i in line.seats)) for line in others.lines]

    def share(self, a: int, b: int) -> DuelShare:
        """The part of the duels with contestant number b that contestant number a, from 0, won."""
        shares = np.array([won[a, b] / met[a, b] for won, met in zip(self.won, self.met, strict=True) if met[a, b] > 0])
        n = len(shares)
        if n < 2:
            return DuelShare(float(shares.mean()) if n else 0.5, 0.0, 1.0, n, False)
        mean = float(shares.mean())
        # one more deal, half won, so that a clean sweep does not count as certainty
        deviation = sqrt((float(((shares - mean) ** 2).sum()) + (0.5 - mean) ** 2) / n)
        reach = 1.96 * deviation / sqrt(n)
        decided = abs(mean - 0.5) * n > _anytime_reach(n * deviation**2)
        return DuelShare(mean, max(0.0, mean - reach), min(1.0, mean + reach), n, decided)

    @property
    def decided(self) -> bool:
        """Whether it is clear for every pair of contestants who is stronger."""
        return all(self.share(a, b).decided for a, b in combinations(range(len(self.contestants)), 2))

    def standings(self) -> list[Standing]:
        """All players, the best first: ratings by the model of Bradley and Terry, intervals by resampling the deals."""
        won, met = np.array(self.won), np.array(self.met)
        ratings = _ratings(won.sum(0)[None], met.sum(0)[None])[0]
        weakest = int(np.argmin(ratings))
        low, high = _interval(won, met, weakest) if len(won) > 1 else 2 * ([None] * len(ratings),)
        standings = []
        for i, name in enumerate(self.contestants):
            games, wins, scores, decisions, seconds = 0, 0.0, [0.0], 0, 0.0
            for line in self.lines:
                seats = [seat for seat, player in enumerate(line.seats) if player == i]
                winners = [seat for seat, score in enumerate(line.scores) if score == max(line.scores)]
                games += bool(seats)
                wins += len(set(seats) & set(winners)) / len(winners)
                scores += [line.scores[seat] for seat in seats]
                decisions += sum(line.decisions[seat] for seat in seats)
                seconds += sum(line.seconds[seat] for seat in seats)
            mean = sum(scores) / max(len(scores) - 1, 1)
            rating = float(ratings[i] - ratings[weakest])
            pace = seconds / max(decisions, 1)
            standings.append(Standing(name, rating, low[i], high[i], games, wins, mean, pace))
        return sorted(standings, key=lambda standing: -standing.rating)


def _anytime_reach(variance: float) -> float:
    """How far a sum may stray from its mean, with 95 % certainty at all times together, not only at one of them.

    The normal mixture bound of Robbins (1970), tightest at about a hundred deals."""
    tight = 2.5
    return sqrt((variance + tight) * log((variance + tight) / (tight * ERROR**2)))


def _interval(won: Any, met: Any, weakest: int) -> Any:
    """The bounds within which 95 % of samples of the deals put each rating.

    As in `share`, there is one more deal, half won; and a sample is one deal smaller, though it counts as much, since
    n deals drawn from n vary too little. Both matter when there are few."""
    n = len(won)
    usual = met.sum(0) / np.maximum((met > 0).sum(0), 1)
    won, met = np.concatenate([won, usual[None] / 2]), np.concatenate([met, usual[None]])
    chance = np.random.Generator(np.random.PCG64(0))
    weights = chance.multinomial(n - 1, np.full(n + 1, 1 / (n + 1)), RESAMPLED) * (n / (n - 1))
    resampled = _ratings(np.tensordot(weights, won, 1), np.tensordot(weights, met, 1))
    return np.percentile(resampled - resampled[:, [weakest]], [2.5, 97.5], axis=0).tolist()


def _ratings(won: Any, met: Any) -> Any:
    """Elo ratings by the model of Bradley and Terry, for many results at once; their mean is 0.

    Half a duel won and lost by each against each other keeps a clean sweep finite."""
    size = won.shape[1]
    apart = 1 - np.eye(size)
    won, met = won + 0.5 * apart * (met > 0), met + apart * (met > 0)
    strength = np.ones(won.shape[:2])
    wins = won.sum(2)
    for _ in range(500):
        pairs = met / (strength[:, :, None] + strength[:, None, :])
        strength = wins / np.maximum(pairs.sum(2), 1e-12)
        strength /= np.exp(np.log(np.maximum(strength, 1e-12)).mean(1, keepdims=True))
    return 400 * np.log10(np.maximum(strength, 1e-12))
