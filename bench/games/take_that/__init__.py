"""Take That: what benches must know of it."""

from math import factorial

from bench.games import Facts
from bench.sizes import Polynomial, Size, power, times


def deals() -> int:
    return factorial(79) // factorial(9) ** 2


def placed(card: Polynomial) -> int:
    """Toads lie somewhere; of a pair each card does, or both are plus cards of one seat. Hands hold nine at most."""
    hand = 9
    pair = times(card, card, hand)
    pair[next(iter(card))] += 2
    return sum(times(power(pair, 36, hand), power(card, 7, hand), hand).values())


def positions() -> int:
    return placed({(0, 0): 4, (1, 0): 1, (0, 1): 1})  # pile, row, two minus piles; two hands


def seen() -> int:
    return placed({(0,): 4, (1,): 1})


FACTS = Facts(
    target=3,
    tables=[{"players": 2}, {"players": 3}],
    lucky=True,
    reference=("mean result of a round", lambda figures: figures["mean_score"] / 2, "{:.1f}"),
    middle=40,
    hidden="yes",
    single={"players": 2, "rounds": 1},
    sizes=(
        Size("deals of a round", "79 cards in order; the order in a hand does not matter", deals),
        Size(
            "positions of a round",
            "where each card lies: pile, row, hands, minus cards, in pairs plus cards; the order of row and pile comes "
            "on top",
            positions,
        ),
        Size("what a seat sees", "the same, the other hand and the pile being one", seen),
    ),
)
