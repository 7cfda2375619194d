"""How large the games are: deals, positions and what a seat can see, two players, counted by combinatorics.

All are upper bounds, exact for what they count: positions that the rules never reach are counted, too. Numbers are big
ints; polynomials are dictionaries from exponents to coefficients.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import comb, factorial, log10, prod

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


def zatre_deals() -> int:
    return factorial(121) // (factorial(21) * factorial(20) ** 5)


def zatre_boards() -> int:
    laid = {0: 1}  # ways to choose which cells hold the values so far, by how many cells
    for supply in (21, 20, 20, 20, 20, 20):
        more: dict[int, int] = defaultdict(int)
        for tiles, ways in laid.items():
            for count in range(supply + 1):
                more[tiles + count] += ways * comb(193 - tiles, count)
        laid = more
    return sum(laid.values())


def take_that_deals() -> int:
    return factorial(79) // factorial(9) ** 2


def take_that(card: Polynomial) -> int:
    """Toads lie somewhere; of a pair each card does, or both are plus cards of one seat. Hands hold nine at most."""
    hand = 9
    pair = times(card, card, hand)
    pair[next(iter(card))] += 2
    return sum(times(power(pair, 36, hand), power(card, 7, hand), hand).values())


def take_that_positions() -> int:
    return take_that({(0, 0): 4, (1, 0): 1, (0, 1): 1})  # pile, row, two minus piles; two hands


def take_that_seen() -> int:
    return take_that({(0,): 4, (1,): 1})


def completto_deals() -> int:
    return factorial(100)


def completto(positions: bool) -> int:
    total = 0
    for hand in (0, 1):
        for mine in range(23):
            for his in range(23):
                for lying in range(56 - hand + 1):
                    unseen = 100 - mine - his - lying - hand
                    ways = factorial(100) // prod(map(factorial, (mine, his, lying, hand, unseen)))
                    ways *= comb(22, mine) * comb(22, his)
                    if positions:
                        ways *= factorial(unseen) // factorial(unseen - (44 - mine - his))
                    total += ways
    return 2 * total  # whose turn it is


def sequence_deals() -> int:
    return factorial(104) // 2**52


def sequence_positions() -> int:
    # two copies among pile, discards and hands
    kind: Polynomial = {(0, 0): 3, (1, 0): 2, (0, 1): 2, (2, 0): 1, (0, 2): 1, (1, 1): 1}
    return 2 * 3**96 * power(kind, 52, 7)[7, 7]


def sequence_seen() -> int:
    kind: Polynomial = {(0,): 3, (1,): 2, (2,): 1}
    return 2 * 3**96 * power(kind, 52, 7)[7,]


SIZES: dict[str, tuple[Size, ...]] = {
    "zatre": (
        Size("orders of the bag", "121 tiles, 21 and five times 20 of them alike", zatre_deals),
        Size(
            "boards",
            "each of 193 cells empty or with one of six values, as many of each as there are; most break Z7 or Z8",
            zatre_boards,
        ),
        Size(
            "what a seat sees",
            "a board and two tiles in hand; the sheets, which depend on the past, come on top",
            lambda: zatre_boards() * 21,
        ),
    ),
    "take_that": (
        Size("deals of a round", "79 cards in order; the order in a hand does not matter", take_that_deals),
        Size(
            "positions of a round",
            "where each card lies: pile, row, hands, minus cards, in pairs plus cards; the order of row and pile comes "
            "on top",
            take_that_positions,
        ),
        Size("what a seat sees", "the same, the other hand and the pile being one", take_that_seen),
    ),
    "completto": (
        Size("orders of the tiles", "100 tiles in order", completto_deals),
        Size(
            "positions of a game",
            "what is seen (next line), and which tile each covered one in a row is",
            lambda: completto(positions=True),
        ),
        Size(
            "what everybody sees",
            "which places of the rows are open, with which ascending tiles, and the open tiles of the middle; tiles "
            "used turned come on top",
            lambda: completto(positions=False),
        ),
    ),
    "sequence": (
        Size("orders of the deck", "104 cards in order, two of each alike", sequence_deals),
        Size(
            "positions",
            "96 cells open or with a chip of either side, and where the two copies of each card are: pile, discards, "
            "two hands of seven",
            sequence_positions,
        ),
        Size("what a seat sees", "the same, the other hand and the pile being one", sequence_seen),
    ),
}


def main() -> None:
    for game, sizes in SIZES.items():
        for size in sizes:
            print(f"{game:<10} {size.what:<24} 10^{size.digits:.1f}")


if __name__ == "__main__":
    main()
