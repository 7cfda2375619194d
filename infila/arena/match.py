"""One game, played to its end by computer players and agents.

An agent that misbehaves forfeits the game: its seat goes on at random, so that the game is a whole one for the others,
and in the end its side stands last.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infila.agents import Misbehaved, Sitter
from infila.arena.luck import Luck
from infila.core import driver
from infila.core.contract import Contract
from infila.core.notation import POINTS
from infila.core.options import Options
from infila.players import search
from infila.players.player import RANDOM, player


@dataclass
class Result:
    """How a game went: for each seat its score, its decisions and the seconds they took."""

    scores: list[int]
    decisions: list[int]
    seconds: list[float]
    moves: int
    turns: int  # how often the decision passed to another seat
    luck: list[float] | None = None  # what the draws brought each seat's side, in parts of a win, if it was measured
    forfeit: str = ""  # what an agent did wrong, if one did, in a sentence that names it


def play_game(
    contract: Contract, options: Options, seed: int, number: int, seats: Sequence[Sitter], luck: Luck | None = None
) -> Result:
    """Play deal `number` of a seed, with somebody in each seat. Forced moves count as moves, not as decisions.

    Whether `luck` is measured makes no difference to the game."""
    seats, out_of_it = list(seats), set()
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
            try:
                action = seats[seat].choose(hidden, seat)
            except Misbehaved as problem:
                result.forfeit = result.forfeit or str(problem)
                out_of_it.add(options.side(seat))
                seats[seat] = player(contract.name, RANDOM)
                action = seats[seat].choose(hidden, seat)
            result.seconds[seat] += time.perf_counter() - start
            result.decisions[seat] += 1
        previous = states.copy()
        driver.play_at(states, 0, action)
        result.moves += 1
        if luck:
            luck.note(previous, action, states)
    result.scores = _with_forfeits(points[: len(seats)].tolist(), options, out_of_it)
    result.luck = luck.sums.tolist() if luck else None
    return result


def _with_forfeits(scores: list[int], options: Options, out_of_it: set[int]) -> list[int]:
    """The scores, with those who forfeited behind all others, and equal among themselves."""
    last = min(scores) - 1
    return [last if options.side(seat) in out_of_it else score for seat, score in enumerate(scores)]
