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
ALIKE = 256  # worlds that all moves meet which are compared with the one played: what a level would do, say

HALVES = slice(0, None, 2), slice(1, None, 2)  # even worlds, and odd ones


class Choice:
    """The moves of a seat that were looked at, and what they are worth to it."""

    def __init__(
        self, judge: Judge, hidden: States, seat: int, played: int, usual: int, error: float = WORTH_IT
    ) -> None:
        self.judge, self.hidden, self.seat = judge, hidden, seat
        self.played, self.usual = played, usual  # `usual` is what everybody does who plays on
        self.wanted = error  # the standard error to which a loss is to be known
        self.estimates: dict[int, Estimate] = {}
        self.compared: set[int] = {played}  # moves that meet the same worlds, however they look
        self.open: set[int] = set()  # moves that may still be the best
        self._flattered: float | None = None  # what `_flattery` has found
        self.consider([played, usual])

    def consider(self, actions: Iterable[int]) -> None:
        """Look at more moves."""
        for action in actions:
            if action not in self.estimates:
                self.estimates[action] = Estimate(self.judge, self.hidden, self.seat, self.seat, action, learns=True)
                self.open.add(action)

    def compare(self, actions: Iterable[int]) -> None:
        """Look at moves to compare them with the one played."""
        actions = list(actions)
        self.consider(actions)
        self.compared.update(actions)

    def grow(self, worlds: int) -> None:
        """Follow all that may be the best, and the move played, in this many worlds."""
        size = min(FEWEST, worlds)
        while True:
            self._flattered = None
            compared = self.compared if size <= ALIKE else {self.played}
            for action in sorted(self.open | compared):
                self.estimates[action].grow(size)
            best = self.best
            self.open = {best, *(each for each in self.estimates if self._may_be_better(each, best))}
            if size == worlds:
                return
            size = min(2 * size, worlds)

    def _may_be_better(self, action: int, best: int) -> bool:
        """Whether more worlds with a move could change what is known of the loss."""
        ahead, error = self._apart(best, action)
        return hoped(-ahead, error) >= WORTH_IT or doubt(-ahead, error, 0.0) > self.wanted

    @property
    def best(self) -> int:
        """The move with the best mean of those that met as many worlds as the one played; of equal ones that."""
        met = len(self.estimates[self.played].worlds)
        followed = [each for each in sorted(self.estimates) if len(self.estimates[each].worlds) >= met]
        return max(followed, key=lambda each: (self._mean(each), each == self.played, each == self.usual))

    def _mean(self, action: int) -> float:
        return self.estimates[action].share(self.seat)

    def _apart(self, better: int, worse: int) -> tuple[float, float]:
        """By how much one move is better than another in the worlds that both have met, and the standard error."""
        return self.estimates[better].above(self.estimates[worse])

    def behind(self, action: int) -> tuple[float, float]:
        """By how much a move fell short of the best as it was measured, and the standard error."""
        best = self.best
        if action == best:
            return 0.0, 0.0
        behind, error = self._apart(best, action)
        return behind - self._flattery(), error

    def ahead(self, action: int) -> float:
        """By how much a move that is compared with the one played is better than it, in as many worlds as all others of
        them have met: however many these are has nothing to do with how a move looks, so that it is flattered by
        nothing."""
        met = min(ALIKE, *(len(self.estimates[each].worlds) for each in self.compared))
        return self.estimates[action].above(self.estimates[self.played], slice(met))[0]

    def lost_by(self, action: int) -> tuple[float, float]:
        """What a move gives away, 0 or more, and the standard error."""
        if action == self.best:
            rivals = (self._apart(action, each) for each in self.estimates if each != action)
            return 0.0, max((doubt(-ahead, error, 0.0) for ahead, error in rivals), default=0.0)
        behind, error = self.behind(action)
        lost = given_away(behind, error)
        return lost, doubt(behind, error, lost)

    def _flattery(self) -> float:
        """By how much the best looks better than it is: in all worlds than in those that did not choose it."""
        if self._flattered is None:
            best, total = self.estimates[self.best], 0.0
            rivals = [each for _, each in sorted(self.estimates.items()) if len(each.worlds) >= len(best.worlds)]
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
        return self.lost_by(self.played)


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
