"""Whether one move of a position is clearly best: all moves are played on in the same worlds, as many as it takes.

A search names the move that may be best, and then it has to prove it twice: in some worlds, and in many others that
have nothing to do with the first. What is told of a puzzle is measured in the second alone, because to find something
and to measure it by the same worlds would flatter it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from infila.core import driver
from infila.core.contract import Contract
from infila.core.notation import legal_actions
from infila.core.record import States, copied
from infila.players.judging import OPEN
from infila.puzzles.puzzle import CLEAR
from infila.reviewing.judge import Estimate, Judge

FEWEST = 32  # worlds before anything is settled
NEAREST = 2  # others that are tried first
SURELY = 2.0  # standard errors
SAME = 0.02  # moves that come to the same differ by no more, as far as can be measured
WORLDS_ALIKE = 4  # in which two moves must lead to the same


@dataclass(frozen=True)
class Verdict:
    """A move that is clearly best."""

    best: tuple[int, ...]  #: with those that come to the same
    margin: float
    error: float
    costs: dict[int, float]  #: of all others


class Trial:
    """The moves of a seat, compared."""

    def __init__(self, contract: Contract, hidden: States, seat: int, actions: list[int], seed: int) -> None:
        options = contract.options.read(hidden[0])
        players = int(options.to_dict()["players"])
        mates = players // len({options.side(each) for each in range(players)})
        self.contract, self.hidden, self.seat, self.actions = contract, hidden, seat, actions
        self.judge = Judge(contract, players, mates, seed)
        self.estimates = {
            action: Estimate(self.judge, hidden, seat, seat, action, learns=True) for action in sorted(actions)
        }

    def lead(self, better: int, worse: int) -> tuple[float, float]:
        """By how much one move is better than another in the worlds that both have met, and the standard error."""
        return self.estimates[better].above(self.estimates[worse])

    def run(self, best: int, most: int) -> Verdict | None:
        """Whether a move is better than all others by CLEAR, and by SURELY as many standard errors.

        The first of the others, which may be nearest to it, are tried alone: mostly that is the end of it."""
        same, others = {best}, [action for action in self.actions if action != best]
        if not (self._ahead(best, others[:NEAREST], most, same) and self._ahead(best, others[NEAREST:], most, same)):
            return None
        leads = {action: self.lead(best, action) for action in others if action not in same}
        if not leads:
            return None
        # whoever stops when it looks good flatters it: the nearest is measured in all worlds, whichever that is then
        self.estimates[best].grow(most)
        measured = set[int]()
        while (nearest := min(leads, key=lambda action: (leads[action], action))) not in measured:
            self.estimates[nearest].grow(most)
            leads[nearest] = self.lead(best, nearest)
            measured.add(nearest)
        margin, error = leads[nearest]
        if margin < max(CLEAR, SURELY * error):
            return None
        alike = tuple(sorted(same, key=lambda action: (action != best, action)))
        return Verdict(alike, margin, error, {action: max(0.0, lead) for action, (lead, _error) in leads.items()})

    def _ahead(self, best: int, others: list[int], most: int, same: set[int]) -> bool:
        """Whether a move is ahead of others, as far as it can be known in so many worlds; what comes to the same is
        put there. Gives up as soon as it is surely not, and follows others only until it is known how they compare."""
        left, size = list(others), FEWEST
        while left:
            self.estimates[best].grow(size)
            for action in list(left):
                self.estimates[action].grow(size)
                ahead, error = self.lead(best, action)
                if ahead - SURELY * error >= CLEAR or (size >= most and ahead >= max(CLEAR, SURELY * error)):
                    left.remove(action)
                elif size >= most or ahead + SURELY * error < CLEAR:
                    if abs(ahead) > max(SAME, SURELY * error) or not self.comes_to_the_same(best, action):
                        return False
                    same.add(action)
                    left.remove(action)
            size = min(2 * size, most)
        return True

    def comes_to_the_same(self, one: int, other: int) -> bool:
        """Whether two moves lead to the same position: at once, or when each is followed by the other."""
        return all(
            a == b for a, b in self._ends((one,), (other,))
        ) or all(a == b for a, b in self._ends((one, other), (other, one)))  # fmt: skip

    def _ends(self, one: tuple[int, ...], other: tuple[int, ...]) -> Iterator[tuple[bytes | None, bytes | None]]:
        """What the seat sees after some moves and after others, in the same worlds; nothing where they are illegal."""
        two = np.concatenate([self.hidden, self.hidden])
        seed = self.judge.seed_for(self.hidden, self.seat)
        for number in range(WORLDS_ALIKE):
            a, b = (self._end(two, seed, number, actions) for actions in (one, other))
            yield (a, b) if a is not None and b is not None else (b"", None)

    def _end(self, two: States, seed: int, number: int, actions: tuple[int, ...]) -> bytes | None:
        if not self.judge.world(two, self.seat, actions[0], seed, number, OPEN):
            return None
        world = copied(two[1:])
        for action in actions[1:]:
            mine = [
                each for each, actor in zip(*legal_actions(self.contract, world), strict=True) if actor == self.seat
            ]
            if action not in mine:
                return None
            driver.play_at(world, 0, action)
        driver.hide_at(world, 0, self.seat)
        return world.tobytes()
