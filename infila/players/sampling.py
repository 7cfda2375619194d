"""A computer player for any game: it tries its moves in many worlds that look like its view, and takes the best.

Each trial draws all that the seat cannot know anew (`redraw`), plays one of the seat's moves and then at random for a
while, and looks at the scores; trials go where they promise most (UCB1). The generator of the real game is never read.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from infila.core.chance import luck_below
from infila.core.contract import actor, legal, play, redraw, scores
from infila.core.driver import playout
from infila.core.game import View
from infila.core.notation import POINTS
from infila.core.rule import record, rule

DEPTH = 400  # moves after which a trial is judged as it stands: some matches are very long
CURIOSITY = 0.7


Trials = record([("total", "f8"), ("count", "i8"), ("action", "i2")])  # what is known of one of the seat's moves


@rule
def trial(s: Any, seat: Any, seats: Any, action: Any, out: Any, luck: Any, points: Any) -> Any:
    """Play an action and then at random; how far the seat is above the mean of all."""
    play(s, action)
    playout(s, out, luck, DEPTH)
    scores(s, points)
    total = 0
    for i in range(seats):
        total += points[i]
    return points[seat] - total / seats


@rule
def promising(table: Any, n: Any, done: Any, low: Any, high: Any) -> Any:
    """The move to try next: each one once, then by UCB1 on results scaled to 0 … 1."""
    if done < n:
        return done
    best = 0
    top = -1.0
    for i in range(n):
        mean = (table[i].total / table[i].count - low) / max(high - low, 1e-9)
        value = mean + CURIOSITY * sqrt(log(done) / table[i].count)
        if value > top:
            top = value
            best = i
    return best


@rule
def search(states: Any, seat: Any, seats: Any, trials: Any, luck: Any, table: Any, out: Any, points: Any) -> Any:
    """Fill `table` with the seat's moves and their trials; return how many. states[0] is the view."""
    n = 0
    for i in range(legal(states[0], out)):
        if actor(states[0], out[i]) == seat:
            table[n].action = out[i]
            n += 1
    low = 1e18
    high = -1e18
    for done in range(trials if n > 1 else 0):
        i = promising(table, n, done, low, high)
        states[1] = states[0]
        redraw(states[1], seat, np.uint64(luck_below(luck, 2**31)), np.uint64(luck_below(luck, 2**31)))
        result = trial(states[1], seat, seats, table[i].action, out, luck, points)
        low = min(low, result)
        high = max(high, result)
        table[i].total += result
        table[i].count += 1
    return n


def best_move(view: View, trials: int = 1500, seed: int = 0) -> str:
    """The move of the view's seat that did best; the same view, trials and seed give the same move."""
    width = view.contract.rules.MAX_LEGAL
    table = np.zeros(width, Trials)
    luck = np.array([seed], np.uint64)
    states = np.concatenate([view.states, view.states])
    buffers = np.zeros(width, np.int16), np.zeros(POINTS, np.int64)
    n = search(states, view.seat, len(view.names), trials, luck, table, *buffers)
    return view.text(int(table["action"][int(np.argmax(table["count"][:n]))]))
