"""What a seat could expect, from the deal to the end, so that one step ends where the next begins.

Between two strokes of luck nothing comes but moves. What a seat's own move changed is known well, because before and
after it the same worlds were played on. So everything that was measured on such a *stretch* measures one thing, its
height, and the mean of it is taken. What is uncertain about the height then raises the luck before it as much as it
lowers the luck after it: in the sum it cancels, and only what is uncertain about the changes remains.

Somebody else's move ends a stretch too. If nothing comes by chance with it, what it is worth is what the position after
it is worth, and that is measured anyway.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from infila.reviewing.judge import Estimate, Value


@dataclass(frozen=True)
class Fact:
    """What is known without playing on: how a game ended."""

    value: Value
    solved = True

    def rated(self) -> float:
        return self.value.win


Known = Estimate | Fact


@dataclass(frozen=True)
class Change:
    """What a move changed, before anything came by chance."""

    win: float
    score: float
    error: float


NOTHING = Change(0.0, 0.0, 0.0)


def gain(before: Known, after: Known) -> float:
    """By how much a chance rose. Like is compared with like: as long as the end was not solved before, what is played
    on by ratings with what is played on by ratings."""
    return (after.rated() if before.solved is None else after.value.win) - before.value.win


def change(before: Estimate, after: Estimate) -> Change:
    """What a move changed: after it, and before it, in the same worlds."""
    return Change(gain(before, after), after.value.score - before.value.score, after.above(before)[1])


class Measured(NamedTuple):
    """What was found somewhere on a stretch, less the changes up to there."""

    number: int  # of changes up to there
    win: float
    score: float
    error: float
    worlds: int


@dataclass
class Stretch:
    """Moves between two strokes of luck."""

    solved: bool  # its height is what the best play brings, not what comes of it by ratings
    win: float = 0.0  # the changes so far
    score: float = 0.0
    errors: list[float] = field(default_factory=list)  # of each of them
    _measured: list[Measured] = field(default_factory=list)

    def move(self, changed: Change) -> None:
        self.win += changed.win
        self.score += changed.score
        self.errors.append(changed.error)

    def measure(self, win: float, known: Value) -> None:
        found = Measured(len(self.errors), win - self.win, known.score - self.score, known.error, known.worlds)
        self._measured.append(found)

    def here(self) -> "Place":
        return Place(self, len(self.errors), self.win, self.score)

    def height(self, number: int) -> Value:
        """Where it begins, and how well a place on it is known, after so many changes; what is certain counts alone.

        Whatever was measured on the other side of a change is as uncertain as that change."""
        counted = [found._replace(worlds=1) for found in self._measured if found.error == 0] or self._measured
        n = sum(found.worlds for found in counted) or 1
        win = sum(found.win * found.worlds for found in counted) / n
        score = sum(found.score * found.worlds for found in counted) / n
        squares = sum((found.error * found.worlds) ** 2 for found in counted)
        for at, error in enumerate(self.errors):
            beyond = sum(found.worlds for found in counted if (found.number <= at) == (at < number))
            squares += (error * beyond) ** 2
        return Value(win, score, sqrt(squares) / n, sum(found.worlds for found in self._measured))


@dataclass(frozen=True)
class Place:
    """Somewhere on a stretch."""

    stretch: Stretch
    number: int  # of changes up to here
    win: float
    score: float

    @property
    def value(self) -> Value:
        height = self.stretch.height(self.number)
        return Value(height.win + self.win, height.score + self.score, height.error, height.worlds)


@dataclass(frozen=True)
class Chain:
    """What a seat could expect: before each move, after it, and after what came with it by chance."""

    before: list[Value]  # the last is the end
    after: list[Value]  # of each move, before anything came
    arrived: list[Value]  # as `before`, but as it was judged on the way there, where from then on the end is solved
    changes: list[Change | None]  # of each move; None: it is all that lies between the positions before and after it


def chain_of(known: list[Known], changes: list[Change | None], has_chance: list[bool]) -> Chain:
    """Put together what was measured of each position and of each move between them."""
    before: list[Place] = []
    after: list[Place] = []
    arrived: list[Place] = []
    stretch = Stretch(known[0].solved is not None)
    for at, one in enumerate(known):
        if one.solved is not None and not stretch.solved:
            stretch.measure(one.rated(), one.value)
            arrived.append(stretch.here())
            stretch = Stretch(True)
        stretch.measure(one.value.win, one.value)
        before.append(stretch.here())
        if len(arrived) <= at:
            arrived.append(before[at])
        if at < len(changes):
            changed = changes[at]
            if changed is not None:
                stretch.move(changed)
            after.append(stretch.here())
            if changed is None or has_chance[at]:
                stretch = Stretch(stretch.solved)
    return Chain(_values(before), _values(after), _values(arrived), changes)


def _values(places: list[Place]) -> list[Value]:
    return [place.value for place in places]
