"""Zatre: what benches must know of it."""

from collections import defaultdict
from math import comb, factorial

from bench.games import Facts
from bench.sizes import Size


def deals() -> int:
    return factorial(121) // (factorial(21) * factorial(20) ** 5)


def boards() -> int:
    laid = {0: 1}  # ways to choose which cells hold the values so far, by how many cells
    for supply in (21, 20, 20, 20, 20, 20):
        more: dict[int, int] = defaultdict(int)
        for tiles, ways in laid.items():
            for count in range(supply + 1):
                more[tiles + count] += ways * comb(193 - tiles, count)
        laid = more
    return sum(laid.values())


FACTS = Facts(
    target=1,
    tables=[{"players": 2}, {"players": 4}],
    lucky=False,
    reference=("mean score", lambda figures: figures["mean_score"], "{:.0f}"),
    middle=50,
    hidden="yes",
    sizes=(
        Size("orders of the bag", "121 tiles, 21 and five times 20 of them alike", deals),
        Size(
            "boards",
            "each of 193 cells empty or with one of six values, as many of each as there are; most break Z7 or Z8",
            boards,
        ),
        Size(
            "what a seat sees",
            "a board and two tiles in hand; the sheets, which depend on the past, come on top",
            lambda: boards() * 21,
        ),
    ),
)
