"""How the symmetries of Sequence turn a position."""

from typing import Any

import numpy as np

from infila.core.record import States

EVERY = 11  # of the sets of options that are looked at


def comparable(s: Any) -> bool:
    """Not once the discards are shuffled: chance is not symmetric."""
    return bool(s.n_pile > 0)


def goes_on(before: Any, after: Any) -> bool:
    """What follows a move is as symmetric as the move."""
    return True


def turned(states: States, symmetry: Any) -> None:
    from infila.games.sequence.rules import DISCARD
    from infila.games.sequence.state import SEATS

    cards = np.concatenate([[0], symmetry.actions[DISCARD : DISCARD + 52] - DISCARD + 1])
    s = states[1]
    for name in ("pile", "discards", "cut"):
        s[name][:] = cards[s[name]]
    for seat in range(SEATS):
        n = s.n_hand[seat]
        s.hand[seat, :n] = sorted(cards[s.hand[seat, :n]])
