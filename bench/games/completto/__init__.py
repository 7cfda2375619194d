"""Completto: what benches must know of it."""

from math import comb, factorial, prod

from bench.games import Facts
from bench.sizes import Size


def deals() -> int:
    return factorial(100)


def placed(positions: bool) -> int:
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


FACTS = Facts(
    target=2,
    tables=[{"players": 2}, {"players": 3}],
    lucky=True,
    reference=("turns to finish a game, of both together", lambda figures: figures["turns"] / 2, "{:.1f}"),
    middle=30,
    hidden="alike for all",
    single={"players": 2, "games": 1},
    sizes=(
        Size("orders of the tiles", "100 tiles in order", deals),
        Size(
            "positions of a game",
            "what is seen (next line), and which tile each covered one in a row is",
            lambda: placed(positions=True),
        ),
        Size(
            "what everybody sees",
            "which places of the rows are open, with which ascending tiles, and the open tiles of the middle; tiles "
            "used turned come on top",
            lambda: placed(positions=False),
        ),
    ),
)
