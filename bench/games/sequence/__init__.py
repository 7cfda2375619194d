"""Sequence: what benches must know of it."""

from math import factorial

from bench.games import Facts
from bench.sizes import Polynomial, Size, power


def deals() -> int:
    return factorial(104) // 2**52


def positions() -> int:
    # two copies among pile, discards and hands
    kind: Polynomial = {(0, 0): 3, (1, 0): 2, (0, 1): 2, (2, 0): 1, (0, 2): 1, (1, 1): 1}
    return 2 * 3**96 * power(kind, 52, 7)[7, 7]


def seen() -> int:
    kind: Polynomial = {(0,): 3, (1,): 2, (2,): 1}
    return 2 * 3**96 * power(kind, 52, 7)[7,]


FACTS = Facts(
    target=2,
    tables=[{"players": 2}, {"players": 4}],
    lucky=False,
    reference=("wins of the first seat, percent", lambda figures: 100 * figures["first_seat_wins"], "{:.0f}"),
    middle=40,
    hidden="yes",
    sizes=(
        Size("orders of the deck", "104 cards in order, two of each alike", deals),
        Size(
            "positions",
            "96 cells open or with a chip of either side, and where the two copies of each card are: pile, discards, "
            "two hands of seven",
            positions,
        ),
        Size("what a seat sees", "the same, the other hand and the pile being one", seen),
    ),
)
