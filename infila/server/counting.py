"""What a server counts about itself: how often something happened, and how long it took."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

EDGES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Histogram:
    """How often something took at most so many seconds.

    >>> taken = Histogram()
    >>> for seconds in (0.0004, 0.003, 0.003, 60.0):
    ...     taken.add(seconds)
    >>> taken.count, taken.up_to()[:3], taken.up_to()[-1]
    (4, [(0.001, 1), (0.0025, 1), (0.005, 3)], (10.0, 3))
    """

    def __init__(self) -> None:
        self._counts = [0] * (len(EDGES) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(EDGES, seconds)] += 1
        self.sum += seconds

    @property
    def count(self) -> int:
        return sum(self._counts)

    def up_to(self) -> list[tuple[float, int]]:
        """For every edge how often it took no longer."""
        so_far, found = 0, []
        for edge, count in zip(EDGES, self._counts, strict=False):
            so_far += count
            found.append((edge, so_far))
        return found


@dataclass
class Written:
    """What was written to the database; only the thread that writes counts here."""

    entries: int = 0
    moves: int = 0
    commits: Histogram = field(default_factory=Histogram)

    def count(self, rows: Sequence[Mapping[str, Any]], seconds: float) -> None:
        """One transaction with these entries."""
        self.entries += len(rows)
        self.moves += sum(row["kind"] == "move" for row in rows)
        self.commits.add(seconds)
