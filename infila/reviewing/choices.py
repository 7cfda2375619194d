"""A decision: which of its moves was best, and how much another one gave away.

All moves meet the same worlds, in which everybody goes on as in a search, by what has proved best so far; moves that
fall behind are not followed further. The best of several uncertain figures looks better than it is: so for what
moves gave away half of the worlds choose the best and the others measure it, and the other way round. No loss is
below 0, and that of the move played counts in full only where it is large next to its standard error.
"""

from collections.abc import Iterable
from math import erf, exp, pi, sqrt

from infila.core.record import States
from infila.reviewing.judge import Estimate, Judge

WORTH_IT = 0.002  # a move that may be expected to gain less than this by being better after all is not followed further
FEWEST = 32  # worlds before anything is dropped
TOGETHER = 1024  # worlds of all moves that may be the best: the more each meets, the fewer are followed, at least two

HALVES = slice(0, None, 2), slice(1, None, 2)  # even worlds, and odd ones


class Choice:
    """The moves of a seat that were looked at, and what they are worth to it."""

    def __init__(self, judge: Judge, hidden: States, seat: int, played: int, usual: int) -> None:
        self.judge, self.hidden, self.seat = judge, hidden, seat
        self.played, self.usual = played, usual  # `usual` is what everybody does who plays on
        self.estimates: dict[int, Estimate] = {}
        self.open: set[int] = set()  # moves that may still be the best
        self._flattered: float | None = None  # what `_flattery` has found
        self.consider([played, usual])

    def consider(self, actions: Iterable[int]) -> None:
        """Look at more moves."""
        for action in actions:
            if action not in self.estimates:
                self.estimates[action] = Estimate(self.judge, self.hidden, self.seat, self.seat, action, learns=True)
                self.open.add(action)

    def grow(self, worlds: int, error: float = 0.0) -> None:
        """Follow all that may be the best, and the move played, in this many worlds, or until the loss is known to a
        standard error."""
        size = FEWEST
        while True:
            self._flattered = None
            size = min(size, worlds)
            for action in sorted(self.open | {self.played}):
                self.estimates[action].grow(size)
            self._drop(size)
            if size >= worlds or self.open_error() <= error:
                return
            size *= 2

    def _drop(self, size: int) -> None:
        best = self.best
        for action in sorted(self.open - {best}):
            behind, error = self._apart(best, action)
            if hoped(-behind, error) < WORTH_IT:
                self.open.discard(action)
        by_mean = sorted(self.open, key=lambda each: (-self._mean(each), each))
        self.open.difference_update(by_mean[max(2, TOGETHER // size) :])

    @property
    def best(self) -> int:
        """The move with the best mean so far; of equal ones, the one that was played."""
        open_ones = sorted(self.open | {self.played})
        return max(open_ones, key=lambda each: (self._mean(each), each == self.played, each == self.usual))

    def _mean(self, action: int) -> float:
        return self.estimates[action].share(self.seat)

    def _apart(self, better: int, worse: int) -> tuple[float, float]:
        """By how much one move is better than another in the worlds that both have met, and the standard error."""
        return self.estimates[better].above(self.estimates[worse])

    def lost_by(self, action: int) -> tuple[float, float]:
        """By how much a move fell short of the best, 0 or more, and the standard error."""
        best = self.best
        if action != best:
            behind, error = self._apart(best, action)
            return max(0.0, behind - self._flattery()), error
        others = sorted(self.open - {action})
        return 0.0, self._apart(action, max(others, key=self._mean))[1] if others else 0.0

    def _flattery(self) -> float:
        """By how much the best looks better than it is: in all worlds than in those that did not choose it."""
        if self._flattered is None:
            best, total = self.estimates[self.best], 0.0
            rivals = [self.estimates[each] for each in sorted(self.open | {self.played})]
            for half, other in (HALVES, HALVES[::-1]):
                ahead = [each.above(best, other)[0] for each in rivals]
                chosen = rivals[ahead.index(max(ahead))] if max(ahead) > 0 else best
                total += best.above(chosen, half)[0] / 2
            self._flattered = max(0.0, total)
        return self._flattered

    @property
    def known(self) -> bool:
        """Whether anything has been played on."""
        return bool(self.estimates[self.played].worlds)

    @property
    def loss(self) -> tuple[float, float]:
        """What the move that was played gave away, and the standard error."""
        if self.best == self.played:
            return 0.0, max((self._doubt(rival) for rival in self.estimates if rival != self.played), default=0.0)
        behind, error = self.lost_by(self.played)
        lost = given_away(behind, error)
        return lost, doubt(behind, error, lost)

    def _doubt(self, rival: int) -> float:
        """How much the move played, which is ahead, may give away because another one is better after all."""
        ahead, error = self._apart(self.played, rival)
        return doubt(-ahead, error, 0.0)

    def open_error(self) -> float:
        """As much of the error of the loss as more worlds can take away: only what may be the best is followed."""
        rivals = self.open - {self.played}
        if self.best == self.played:
            return max((self._doubt(rival) for rival in rivals), default=0.0)
        return self.loss[1]


def given_away(behind: float, error: float) -> float:
    """What a move that fell short by so much most likely gave away: Breiman's garrote (Technometrics 37, 1995).

    >>> given_away(0.01, 0.02), round(given_away(0.1, 0.02), 3)
    (0.0, 0.096)
    """
    return behind - error**2 / behind if behind > error else 0.0


def doubt(behind: float, error: float, lost: float) -> float:
    """By how much a loss may be wrong that cannot be below 0: the root of the mean square, if what a move fell short by
    was measured with a standard error. Next to nothing, where the move is ahead of all others.

    >>> doubt(0.1, 0.0, 0.1), round(doubt(0.0, 0.02, 0.0), 3), round(doubt(-0.04, 0.02, 0.0), 4)
    (0.0, 0.014, 0.0015)
    """
    if error == 0:
        return 0.0
    likely, density = _normal(behind / error)
    square = (behind**2 + error**2) * likely + behind * error * density
    return sqrt(max(0.0, square - 2 * lost * hoped(behind, error) + lost**2))


def hoped(ahead: float, error: float) -> float:
    """What can be expected of something that counts only if it is above 0, measured with a standard error.

    >>> hoped(-0.1, 0.0), round(hoped(0.0, 0.05), 3), round(hoped(-0.1, 0.05), 4)
    (0.0, 0.02, 0.0004)
    """
    if error == 0:
        return max(0.0, ahead)
    likely, density = _normal(ahead / error)
    return ahead * likely + error * density


def _normal(z: float) -> tuple[float, float]:
    """How likely a normal number is below z, and its density there."""
    return (1 + erf(z / sqrt(2))) / 2, exp(-z * z / 2) / sqrt(2 * pi)
