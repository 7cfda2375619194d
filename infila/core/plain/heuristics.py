"""A game without `heuristics.py`: all moves are rated alike, and a position is worth what its end is worth. So a level
is as strong as its search is long."""

from infila.core.contract import WORTH, AnyState, Level
from infila.core.dispatch import over, scores
from infila.core.record import Ints
from infila.core.rule import rule

SPREAD = 1
LEVELS = {
    "beginner": Level(noise=1000),
    "casual": Level(simulations=20),
    "club": Level(simulations=100),
    "expert": Level(simulations=500),
    "master": Level(simulations=2500),
}


@rule
def rate(s: AnyState, actions: Ints, n: int, ratings: Ints) -> None:
    for i in range(n):
        ratings[i] = 0


@rule
def worth(s: AnyState, out: Ints) -> None:
    """All equal until the end; then the best scores share it. Every seat plays for itself."""
    scores(s, out)
    best = out[0]
    for seat in range(s.players):
        best = max(best, out[seat])
    ended = over(s)
    sharing = 0
    for seat in range(s.players):
        shares = not ended or out[seat] == best
        out[seat] = 1 if shares else 0
        sharing += out[seat]
    left = WORTH
    for seat in range(s.players):
        if out[seat]:
            out[seat] = left // sharing
            left -= out[seat]
            sharing -= 1


@rule
def enough(s: AnyState, root: AnyState, horizon: int) -> bool:
    """Playouts go on to the end."""
    return False
