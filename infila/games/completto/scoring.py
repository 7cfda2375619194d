"""Completto: the minus points of every game."""

from typing import Any

import numpy as np

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.completto import rules
from infila.games.completto.notation import row_length
from infila.games.completto.rules import CAP, ROW

GAME = "infila.games.completto"


def stage(s: Any) -> str:
    return f"game {int(s.game_now) + 1}"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    finished = p.turns == CAP or ROW in p.n_open
    seats = []
    for seat in range(p.players):
        covered = row_length(p, seat) - p.n_open[seat]
        one = "_one" if covered == 1 else ""
        if covered == 0:
            seats.append([item(GAME, 0, "C10", "complete", count=ROW)])
        elif finished:
            seats.append([item(GAME, -covered, "C11", f"covered{one}", count=covered)])
        else:
            seats.append([item(GAME, 0, "C11", f"covered_so_far{one}", count=covered)])
    return seats


def ending(s: Any, action: int) -> Any | None:
    after = np.array([s], dtype=rules.State)
    ends = rules.act(after[0], action)
    return after[0] if ends and s.game_now + 1 < s.games else None
