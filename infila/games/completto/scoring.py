"""Completto: the minus points of every game."""

import numpy as np

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.completto import rules
from infila.games.completto.notation import covered_in
from infila.games.completto.rules import ROW, State, is_finished, minus_points

GAME = "infila.games.completto"
GROUPS = dict.fromkeys(("complete", "covered", "covered_one", "covered_so_far", "covered_so_far_one"), "covered")


def stage(s: State) -> str:
    return f"game {int(s.game_now) + 1}"


def explain(s: State) -> list[list[Item]]:
    p = plain(s)
    finished = any(is_finished(opened, p.turns) for opened in p.n_open[: p.players])
    seats = []
    for seat in range(p.players):
        covered = covered_in(p, seat)
        one = "_one" if covered == 1 else ""
        if covered == 0:
            seats.append([item(GAME, 0, "C10", "complete", count=ROW)])
        elif finished:
            seats.append([item(GAME, -minus_points(p.n_open[seat]), "C11", f"covered{one}", count=covered)])
        else:
            seats.append([item(GAME, 0, "C11", f"covered_so_far{one}", count=covered)])
    return seats


def ending(s: State, action: int) -> State | None:
    after = np.array([s], dtype=State.dtype)
    ended: State = after[0]
    ends = rules.carry_out(ended, action)
    return ended if ends and s.game_now + 1 < s.games else None
