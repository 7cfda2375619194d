"""How large games are: deals, positions and what a seat can see, two players, counted by combinatorics.

All are upper bounds, exact for what they count: positions that the rules never reach are counted, too. Numbers are big
ints; polynomials are dictionaries from exponents to coefficients.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import log10

Polynomial = dict[tuple[int, ...], int]


def times(one: Polynomial, other: Polynomial, most: int) -> Polynomial:
    """The product, without what has an exponent above `most`."""
    found: Polynomial = defaultdict(int)
    for a, x in one.items():
        for b, y in other.items():
            exponents = tuple(i + k for i, k in zip(a, b, strict=True))
            if max(exponents) <= most:
                found[exponents] += x * y
    return found


def power(base: Polynomial, n: int, most: int) -> Polynomial:
    found: Polynomial = {tuple(0 for _ in next(iter(base))): 1}
    for _ in range(n):
        found = times(found, base, most)
    return found


@dataclass(frozen=True)
class Size:
    """What is counted, how, and its number."""

    what: str
    how: str
    count: Callable[[], int]

    @property
    def digits(self) -> float:
        return log10(self.count())


def main() -> None:
    from bench.games import facts_of
    from infila.core.games import NAMES

    for game in NAMES:
        for size in facts_of(game).sizes:
            print(f"{game:<10} {size.what:<24} 10^{size.digits:.1f}")


if __name__ == "__main__":
    main()
