"""How the symmetries of Take That turn a position."""

from typing import Any

import numpy as np

from infila.core.record import States

EVERY = 5  # of the sets of options that are looked at


def comparable(s: Any) -> bool:
    """Every position can be turned."""
    return True


def goes_on(before: Any, after: Any) -> bool:
    """Another deal is not symmetric."""
    return bool(after.round_now == before.round_now)


def turned(states: States, symmetry: Any) -> None:
    def other(cards: Any) -> Any:
        return np.where(cards > 0, 110 - cards, 0)

    s = states[1]
    for name in ("pile", "row", "extra"):
        s[name][:] = other(s[name])
    for seat in range(4):
        n = s.n_hand[seat]
        s.hand[seat, :n] = sorted(110 - s.hand[seat, :n])
    s.lies[12:] = s.lies[12:][::-1].copy()
