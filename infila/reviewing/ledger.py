"""What a review says: everything that happened, and what it was worth to each seat.

All values are shares of the win, 1 for a game that is won; a hundredth of one is a *point of chance*. Beside it stands
what it was worth in points of the game.
"""

from dataclasses import dataclass
from typing import Literal

from infila.core.contract import Reason
from infila.reviewing.judge import Value

Kind = Literal["luck", "gift", "loss"]
KINDS: tuple[Kind, ...] = ("luck", "gift", "loss")
GRADES = (0.02, 0.05, 0.10)  # a loss above these is marked …
SURELY = 2.0  # … if it is as many standard errors


def grade(loss: float, error: float) -> int:
    """How grave a loss is, 1 to 3; 0 if it is small, or not sure.

    >>> grade(0.06, 0.02), grade(0.06, 0.04)
    (2, 0)
    """
    return sum(loss > bound for bound in GRADES) if loss >= SURELY * error else 0


@dataclass(frozen=True)
class Step:
    """Something that changed what a seat could expect."""

    number: int  #: of the move, from 1; 0 is the deal
    by: int  #: the seat that moved, from 0; -1: nobody
    kind: Kind
    win: float  #: by how much its chance rose
    score: float  #: … and the score it could expect
    error: float  #: the standard error of `win`

    @property
    def sure(self) -> bool:
        """Whether it is worth a mark."""
        return grade(abs(self.win), self.error) > 0


@dataclass(frozen=True)
class Judged:
    """A move that was looked at."""

    move: str
    action: int
    value: Value
    loss: float  #: what it gives away: what was measured, less where that is uncertain; 0 or more
    error: float  #: of the loss


@dataclass(frozen=True)
class Decision:
    """A choice that a seat had, judged by what it could know."""

    number: int  #: of the move, from 1
    seat: int
    played: Judged
    best: Judged
    moves: tuple[Judged, ...]  #: all that were looked at, the best first
    loss: float  #: what the move played gave away
    score: float  #: … in points
    error: float
    reasons: tuple[Reason, ...]  #: for the best move
    levels: dict[str, Judged]  #: what each level would have played
    ahead: dict[str, float]  #: by how much that is better than the move played, in as many worlds for every level

    @property
    def grade(self) -> int:
        """How grave the loss is: 1 above 2 %, 2 above 5 %, 3 above 10 %; 0 if it is small, or not sure."""
        return grade(self.loss, self.error)


@dataclass(frozen=True)
class Likeness:
    """How somebody played, next to the levels in the very same positions."""

    level: str  #: the nearest
    place: float  #: from 0, the weakest level, to 4, the strongest
    low: float  #: of its 95 % interval
    high: float
    loss: float  #: the mean of a decision
    levels: dict[str, float]  #: what the levels would have lost in these positions


@dataclass(frozen=True)
class SeatReview:
    """A game for one seat: start + luck + gifts - losses = result, up to the rest."""

    seat: int
    name: str
    start: Value  #: before the deal
    curve: tuple[Value, ...]  #: after the deal, and after every move, from what the seat knew
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    result: float
    luck: float
    gifts: float
    losses: float
    errors: dict[Kind, float]  #: the standard errors of these three
    rest: float  #: what is left: the uncertainty
    error: float  #: how large the rest can be expected to be: its standard error
    given_by: dict[int, float]  #: the gifts by who made them
    score_luck: float
    score_gifts: float
    score_losses: float
    like: Likeness | None

    @property
    def even_luck(self) -> float:
        """What would have come of it with even luck."""
        return min(1.0, max(0.0, self.result - self.luck))

    def gravest(self, most: int = 3) -> list[Decision]:
        """The decisions that mattered most, among those that are sure."""
        marked = [decision for decision in self.decisions if decision.grade]
        return sorted(marked, key=lambda each: (-each.loss, each.number))[:most]


@dataclass(frozen=True)
class Review:
    """A game, looked at once more."""

    game: str
    moves: int
    over: bool
    seats: tuple[SeatReview, ...]
    hindsight: tuple[tuple[float, ...], ...]  #: for every seat a curve with open hands; blames nobody
    reference: str  #: who played on
    seed: int
    worlds: int  #: games that were played on
    complete: bool  #: whether it came to its end: to the error that was wanted, or to the most simulations
    error: float  #: that was wanted, a standard error
    vague: int  #: values and losses that are not known so well: there the simulations were not enough

    def seat(self, seat: int) -> SeatReview:
        """What it says about a seat, from 0."""
        return next(each for each in self.seats if each.seat == seat)
