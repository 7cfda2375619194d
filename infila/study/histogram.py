"""How often each whole number occurred."""

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np

QUANTILES = (5, 50, 95)  # percent


class Histogram:
    """Whole numbers, and how often each occurred. Everything it says is exact, apart from rounding.

    >>> lengths = Histogram()
    >>> lengths.add(np.array([3, 5, 5, 7]))
    >>> lengths.mean, lengths.quantile(50), lengths.most
    (5.0, 5, 7)
    """

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, values: Any) -> None:
        """Count an array of numbers."""
        numbers, times = np.unique(values, return_counts=True)
        self.add_counts(numbers, times)

    def add_counts(self, numbers: Any, times: Any) -> None:
        """Count each of some numbers a number of times."""
        for number, count in zip(numbers.tolist(), times.tolist(), strict=True):
            if count:
                self.counts[number] += count

    @property
    def size(self) -> int:
        """How many numbers were counted."""
        return self.counts.total()

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(number * count for number, count in self.counts.items()) / max(self.size, 1)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        mean = self.mean
        return sqrt(sum((number - mean) ** 2 * count for number, count in self.counts.items()) / max(self.size, 1))

    @property
    def least(self) -> int:
        """The smallest number; 0 if there is none."""
        return min(self.counts, default=0)

    @property
    def most(self) -> int:
        """The largest number; 0 if there is none."""
        return max(self.counts, default=0)

    def quantile(self, percent: float) -> int:
        """The smallest number that at least this percentage of all numbers do not exceed."""
        seen, wanted = 0, self.size * percent / 100
        for number in sorted(self.counts):
            seen += self.counts[number]
            if seen >= wanted:
                return number
        return 0

    def facts(self) -> dict[str, Any]:
        """All of this by name, for JSON."""
        quantiles = {f"{percent}%": self.quantile(percent) for percent in QUANTILES}
        return {
            "mean": round(self.mean, 4),
            "deviation": round(self.deviation, 4),
            "least": self.least,
            **quantiles,
            "most": self.most,
        }
