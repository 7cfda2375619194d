"""Completto: the minus points of every game."""

from typing import Any

import numpy as np

from infila.core.contract import Item
from infila.core.rule import plain
from infila.games.completto import rules
from infila.games.completto.notation import row_length
from infila.games.completto.rules import CAP, ROW


def stage(s: Any) -> str:
    return f"game {int(s.game_now) + 1}"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    finished = p.turns == CAP or ROW in p.n_open
    seats = []
    for seat in range(p.players):
        covered = row_length(p, seat) - p.n_open[seat]
        tiles = "1 tile" if covered == 1 else f"{covered} tiles"
        if covered == 0:
            seats.append([Item(0, f"all {ROW} tiles open", "C10")])
        elif finished:
            seats.append([Item(-covered, f"{tiles} still covered", "C11")])
        else:
            seats.append([Item(0, f"{tiles} still covered, to be noted when the game ends", "C11")])
    return seats


def ending(s: Any, action: int) -> Any | None:
    after = np.array([s], dtype=rules.State)
    ends = rules.act(after[0], action)
    return after[0] if ends and s.game_now + 1 < s.games else None
