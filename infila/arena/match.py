"""One game, played to its end by computer players."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infila.core import driver
from infila.core.contract import Contract
from infila.core.notation import POINTS
from infila.core.options import Options
from infila.players import search
from infila.players.player import Player


@dataclass
class Result:
    """How a game went: for each seat its score, its decisions and the seconds they took."""

    scores: list[int]
    decisions: list[int]
    seconds: list[float]
    moves: int
    turns: int  # how often the decision passed to another seat


def play_game(contract: Contract, options: Options, seed: int, number: int, seats: Sequence[Player]) -> Result:
    """Play deal `number` of a seed, with a player in each seat. Forced moves count as moves, not as decisions."""
    states = np.zeros(1, contract.rules.State)
    options.write(states[0])
    driver.deal_at(states, 0, np.uint64(seed), np.uint64(number))
    points = np.zeros(POINTS, np.int64)
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    result = Result([], [0] * len(seats), [0.0] * len(seats), 0, 0)
    before = -1
    while not driver.status_at(states, 0, points)[1]:
        seat = int(search.decider_at(states, out))
        result.turns += seat != before
        before = seat
        hidden = states.copy()
        driver.hide_at(hidden, 0, seat)
        if search.choices_at(hidden, seat, out) == 1:
            action = int(out[0])
        else:
            start = time.perf_counter()
            action = seats[seat].ponder(hidden, seat)[0].action
            result.seconds[seat] += time.perf_counter() - start
            result.decisions[seat] += 1
        driver.play_at(states, 0, action)
        result.moves += 1
    result.scores = points[: len(seats)].tolist()
    return result
