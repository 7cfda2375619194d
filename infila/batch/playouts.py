"""Playing to the end in one call: at random, or by a linear policy on the features of each seat's own view.

A policy is a table of int16, one column for each action and one row for each feature, and one more row, the last, of
what is always added. A legal action's preference is the sum of its column's weights, each times its feature; the
most preferred one is played. All of it is in whole numbers, so that every machine plays the very same games. With noise
the choice is that of a softmax at this temperature: a Gumbel-distributed number is added to each preference.

Only the columns of legal actions and the rows of features that are not 0 are looked at: some thousands of products a
move, where a network's first layer alone would need millions. A table whose only row is the last is a policy of fixed
preferences, and all zeros with noise play uniformly at random.
"""

import numpy as np

from infila.batch.stepping import offer, share_out
from infila.core import driver
from infila.core.chance import LAST, luck_below, word
from infila.core.contract import AnyState
from infila.core.dispatch import mover, observe, over, play, scores
from infila.core.record import Array, Floats, Grid, Ints, States, int64
from infila.core.rule import inlined, rule

QUANTILES = 4096
_middles = (np.arange(QUANTILES) + 0.5) / QUANTILES
GUMBEL = np.round(-np.log(-np.log(_middles)) * 1024).astype(np.int32)  # in 1024ths


@inlined
def list_features(features: Ints, nonzero: Ints) -> int:
    """List the features that are not 0; return how many."""
    n = 0
    for k in range(len(features)):
        nonzero[n] = k
        n += int(features[k] != 0)
    return n


@inlined
def preferred(table: Grid, features: Ints, nonzero: Ints, some: int, out: Ints, n: int, luck: Ints, noise: int) -> int:
    """The most preferred of the n actions in `out`; of equals, the first."""
    best = int64(0)
    chosen = int64(out[0])
    for k in range(n):
        action = int64(out[k])
        liking = int64(table[len(features), action])
        for j in range(some):
            feature = int64(nonzero[j])
            liking += int64(table[feature, action]) * int64(features[feature])
        liking *= 1024
        if noise > 0:
            liking += noise * int64(GUMBEL[luck_below(luck, QUANTILES)])
        if k == 0 or liking > best:
            best = liking
            chosen = action
    return chosen


@inlined
def play_by(s: AnyState, tables: Array, noise: int, features: Ints, nonzero: Ints, out: Ints, luck: Ints) -> int:
    """Play to the end, seat k by tables[k] or all by the only one; return the number of moves."""
    moves = 0
    while not over(s):
        seat = int64(mover(s))
        observe(s, seat, features)
        some = list_features(features, nonzero)
        n = offer(s, out)
        play(s, preferred(tables[seat if tables.shape[0] > 1 else 0], features, nonzero, some, out, n, luck, noise))
        moves += 1
    return moves


@inlined
def judge(s: AnyState, points: Ints, rewards: Floats, total: Floats) -> None:
    """Add the rewards of a game that is over."""
    scores(s, points)
    share_out(len(points), points, rewards)
    for seat in range(len(points)):
        total[seat] += rewards[seat]


@inlined
def average(total: Array, repeat: int) -> None:
    for seat in range(len(total)):
        total[seat] /= np.float32(repeat)


@rule
def play_out_all(
    states: States,
    work: States,
    first: int,
    repeat: int,
    out: Ints,
    luck: Ints,
    points: Ints,
    rewards: Floats,
    totals: Array,
    moves: Ints,
) -> None:
    """Play each game `repeat` times to its end, at random, in the record work[0]; playouts count from `first`."""
    for i in range(len(states)):
        for k in range(repeat):
            work[0] = states[i]
            luck[0] = word(work[0], int64(LAST) - first - k)
            moves[i] += driver.playout(work[0], out, luck, driver.ENDLESS)
            judge(work[0], points, rewards, totals[i])
        average(totals[i], repeat)


@rule
def play_policy_all(
    states: States,
    work: States,
    first: int,
    repeat: int,
    out: Ints,
    luck: Ints,
    points: Ints,
    rewards: Floats,
    totals: Array,
    moves: Ints,
    tables: Array,
    noise: int,
    features: Ints,
    nonzero: Ints,
) -> None:
    for i in range(len(states)):
        for k in range(repeat):
            work[0] = states[i]
            luck[0] = word(work[0], int64(LAST) - first - k)
            moves[i] += play_by(work[0], tables, noise, features, nonzero, out, luck)
            judge(work[0], points, rewards, totals[i])
        average(totals[i], repeat)
