"""What many games between the same players say about their strength.

Two players meet in a *duel* whenever they sit at one table on different sides: the better score wins it, equal scores
share it. All games of one deal share its luck, so deals are what is counted: a player's share against
another is the mean over deals, and the intervals come from how it varies between deals.

Where the luck of the draw was measured (`infila.arena.luck`), it is taken out of every duel: what is left, the
*adjusted* share, has the same mean and varies less. It may lie outside of 0 and 1 in a single deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import atan, cos, log, pi, sin, sqrt
from typing import Any

import numpy as np

ERROR = 0.05
RESAMPLED = 400  # times, for the intervals of the ratings
FEWEST_DEALS = 20  # before a contest ends
TIGHT = 2.5  # the bound that ends it is tightest at about a hundred deals …
TIGHT_ADJUSTED = TIGHT / 4  # … also where they vary half as much


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
    luck: tuple[float, ...] | None = None  #: what the draws brought each seat's side, in parts of a win, if measured
    forfeit: str = ""  #: what an agent did wrong, if one did: it has lost this game


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
    adjusted: bool = field(default=False, kw_only=True)  #: whether luck was measured, and is taken out
    lines: list[GameLine] = field(default_factory=list)
    # for each deal, the duels that each player won against each other player, and how many there were
    won: list[Any] = field(default_factory=list)
    met: list[Any] = field(default_factory=list)
    lucky: list[Any] = field(default_factory=list)  # … and how many of those won were luck

    def add_deal(self, lines: Sequence[GameLine]) -> None:
        """Count all games of a deal."""
        size = len(self.contestants)
        won, met, lucky = np.zeros((3, size, size))
        for line in lines:
            luck = line.luck or [0.0] * len(line.seats)
            by_side = {side: (line.seats[seat], line.scores[seat], luck[seat]) for seat, side in enumerate(self.sides)}
            for (a, score_a, luck_a), (b, score_b, luck_b) in combinations(by_side.values(), 2):
                if a != b:
                    point = 1.0 if score_a > score_b else 0.5 if score_a == score_b else 0.0
                    won[a, b] += point
                    won[b, a] += 1 - point
                    met[a, b] += 1
                    met[b, a] += 1
                    lucky[a, b] += (luck_a - luck_b) / 2
                    lucky[b, a] += (luck_b - luck_a) / 2
        self.lines += lines
        self.won.append(won)
        self.met.append(met)
        self.lucky.append(lucky)

    def add_others(self, others: "Results") -> None:
        """Count the deals of a contest between some of these players."""
        place = [self.contestants.index(name) for name in others.contestants]
        for won, met, lucky in zip(others.won, others.met, others.lucky, strict=True):
            for mine, theirs in ((self.won, won), (self.met, met), (self.lucky, lucky)):
                wide = np.zeros((len(self.contestants), len(self.contestants)))
                wide[np.ix_(place, place)] = theirs
                mine.append(wide)
        self.lines += [replace(line, seats=tuple(place[i] for i in line.seats)) for line in others.lines]

    def share(self, a: int, b: int, *, plain: bool = False) -> DuelShare:
        """The part of the duels with contestant number b that contestant number a, from 0, won.

        Adjusted, if the contest is; `plain` is as it was played."""
        plain = plain or not self.adjusted
        won = self.won if plain else self._without_luck()
        shares = np.array([won[a, b] / met[a, b] for won, met in zip(won, self.met, strict=True) if met[a, b] > 0])
        n = len(shares)
        if n < 2:
            return DuelShare(float(shares.mean()) if n else 0.5, 0.0, 1.0, n, False)
        mean = float(shares.mean())
        # two more deals, one won and one lost, so that a few equal ones do not count as certainty
        deviation = sqrt((float(((shares - mean) ** 2).sum()) + mean**2 + (1 - mean) ** 2) / (n + 1))
        reach = student(n - 1) * deviation / sqrt(n)
        decided = abs(mean - 0.5) * n > _anytime_reach(n * deviation**2, TIGHT if plain else TIGHT_ADJUSTED)
        return DuelShare(mean, max(0.0, mean - reach), min(1.0, mean + reach), n, decided)

    def _without_luck(self) -> list[Any]:
        return [won - lucky for won, lucky in zip(self.won, self.lucky, strict=True)]

    @property
    def decided(self) -> bool:
        """Whether it is clear for every pair of contestants who is stronger."""
        return all(self.share(a, b).decided for a, b in combinations(range(len(self.contestants)), 2))

    def standings(self) -> list[Standing]:
        """All players, the best first: ratings by the model of Bradley and Terry, intervals by resampling the deals."""
        won, met = np.array(self._without_luck() if self.adjusted else self.won), np.array(self.met)
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


@cache
def student(degrees: int) -> float:
    """How many standard errors from the mean a 95 % interval reaches, by Student's t with these degrees of freedom."""
    if degrees > 1000:
        return 1.96
    low, high = 1.9, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < 1 - ERROR else (low, middle)
    return low


def _within(t: float, degrees: int) -> float:
    """The part of Student's distribution between -t and t: a finite sum for whole degrees of freedom (Abramowitz and
    Stegun, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(degrees))
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for k in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (k - 1) / k
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _anytime_reach(variance: float, tight: float) -> float:
    """How far a sum may stray from its mean, with 95 % certainty at all times together, not only at one of them.

    The normal mixture bound of Robbins (1970)."""
    return sqrt((variance + tight) * log((variance + tight) / (tight * ERROR**2)))


def _interval(won: Any, met: Any, weakest: int) -> Any:
    """The bounds within which 95 % of samples of the deals put each rating.

    As in `share`, there are two more deals, one won and one lost; a sample is one deal smaller, though it counts as
    much, since n deals drawn from n vary too little; and it reaches as far as Student's t says. All of that matters
    when there are few."""
    n = len(won)
    usual = met.sum(0) / np.maximum((met > 0).sum(0), 1)
    one_way = np.triu(usual)
    won, met = np.concatenate([won, [one_way, usual - one_way]]), np.concatenate([met, [usual, usual]])
    chance = np.random.Generator(np.random.PCG64(0))
    weights = chance.multinomial(n - 1, np.full(n + 2, 1 / (n + 2)), RESAMPLED) * (n / (n - 1))
    resampled = _ratings(np.tensordot(weights, won, 1), np.tensordot(weights, met, 1))
    apart = resampled - resampled[:, [weakest]]
    bounds, middle = np.percentile(apart, [2.5, 97.5], axis=0), np.median(apart, axis=0)
    return (middle + (bounds - middle) * student(n - 1) / 1.96).tolist()


def _ratings(won: Any, met: Any) -> Any:
    """Elo ratings by the model of Bradley and Terry, for many results at once; their mean is 0.

    Half a duel won and lost by each against each other keeps a clean sweep finite."""
    size = won.shape[1]
    apart = 1 - np.eye(size)
    # what luck is taken out of may be less than nothing, or more than all, if there is little of it
    won, met = np.clip(won, 0, met) + 0.5 * apart * (met > 0), met + apart * (met > 0)
    strength = np.ones(won.shape[:2])
    wins = won.sum(2)
    for _ in range(500):
        pairs = met / (strength[:, :, None] + strength[:, None, :])
        strength = wins / np.maximum(pairs.sum(2), 1e-12)
        strength /= np.exp(np.log(np.maximum(strength, 1e-12)).mean(1, keepdims=True))
    return 400 * np.log10(np.maximum(strength, 1e-12))
