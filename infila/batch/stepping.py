"""Many games side by side, one step each: what CPU threads run in loops, and the parts that a GPU runs as well.

Each slot has the number of its game in its seed, and a stride from there to the next one. If n slots share a seed, slot
i plays its games i, i + n, i + 2 n, …: the same ones as in `simulate`, whoever plays them.
"""

import numpy as np

from infila.batch.prefetch import fetch_ahead
from infila.core import chance
from infila.core.contract import AnyState
from infila.core.dispatch import actor, deal, legal, mover, observe, over, play, redraw, scores
from infila.core.record import Array, Floats, Ints, States, int64, uint64
from infila.core.rule import inlined, rule

NO_MOVE = -1  # what a list of legal actions holds after the last one
STAY = -2  # in place of an action: this game does not move
SEATS = 12  # more than any game has
AHEAD = 16  # a record is fetched this many games before it is needed …
SOON = 2  # … and a row that will be written, this many

# the reward of each winner, by players and winners: a share of all stakes; those who do not win lose 1
SHARES = np.array(
    [[players / max(winners, 1) - 1 for winners in range(SEATS + 1)] for players in range(SEATS + 1)], np.float32
)
LOSS = np.array([-1], np.float32)


@inlined
def begin(states: States, i: int, template: States, seed: int, number: int) -> None:
    """Deal a game anew."""
    states[i] = template[0]
    chance.seed(states[i], seed, number)
    deal(states[i])


@inlined
def keep_own(s: AnyState, out: Ints, n: int) -> int:
    """Keep, of n legal actions, only those of the seat to act; return how many."""
    seat = int64(mover(s))
    kept = 0
    for k in range(n):
        action = out[k]
        out[kept] = action
        kept += int(actor(s, int64(action)) == seat)
    return kept


@inlined
def offer(s: AnyState, out: Ints) -> int:
    """Write the legal actions of the seat to act into `out`; return how many."""
    return keep_own(s, out, legal(s, out))


@inlined
def allow(out: Ints, n: int, allowed: Ints) -> None:
    """Set the bits of n legal actions, where all are 0. Neighbours on the list are often in the same word."""
    word = int64(0)
    at = int64(0)
    for k in range(n):
        action = int64(out[k])
        if action >> 5 != at:
            allowed[at] |= word
            word = int64(0)
            at = action >> 5
        word |= int64(1) << (action & 31)
    allowed[at] |= word


@inlined
def is_allowed(allowed: Ints, action: int) -> int:
    """Whether the bit of an action is set; that of NO_MOVE never is."""
    return action >= 0 and (int64(allowed[action >> 5]) >> (action & 31)) & 1


@inlined
def share_out(players: int, points: Ints, rewards: Floats) -> None:
    """Rewards by final scores: they add up to 0, and for two players are 1, 0 or -1."""
    best = points[0]
    for seat in range(players):
        best = max(best, points[seat])
    winners = 0
    for seat in range(players):
        winners += int(points[seat] == best)
    for seat in range(players):
        rewards[seat] = SHARES[players, winners] if points[seat] == best else LOSS[0]


@rule
def legal_all(states: States, allowed: Array, lists: Array, counts: Ints, mask: Array) -> None:
    """Everything legal as bits, and what the seats to act may do as lists, padded with NO_MOVE, or as a mask.

    Without counts, all games share one list; without a mask, its rows have length 0.
    """
    for i in range(len(states)):
        fetch_ahead(states, i + AHEAD)
        fetch_ahead(mask, i + SOON)
        out = lists[i if len(counts) > 0 else 0]
        bits = allowed[i]
        row = mask[i]
        for w in range(len(bits)):
            bits[w] = 0
        for action in range(len(row)):
            row[action] = 0
        for k in range(len(out) if len(counts) > 0 else 0):
            out[k] = NO_MOVE
        n = legal(states[i], out)
        allow(out, n, bits)
        own = keep_own(states[i], out, n)
        for k in range(own if len(row) > 0 else 0):
            row[int64(out[k])] = 1
        if len(counts) > 0:
            counts[i] = own
            for k in range(own, n):
                out[k] = NO_MOVE


@rule
def movers_all(states: States, seats: Ints) -> None:
    for i in range(len(states)):
        seats[i] = mover(states[i])


@rule
def observe_all(states: States, seats: Ints, rows: Array) -> None:
    for i in range(len(states)):
        fetch_ahead(states, i + AHEAD)
        fetch_ahead(rows, i + SOON)
        observe(states[i], int64(seats[i]), rows[i])


@rule
def observe_ended(last: States, dones: Ints, seats: Ints, rows: Array) -> None:
    """Overwrite the rows of the games that have just ended: they show how they ended."""
    for i in range(len(last)):
        if dones[i]:
            observe(last[i], int64(seats[i]), rows[i])


@rule
def step_all(
    states: States,
    template: States,
    seeds: Ints,
    stride: int,
    numbers: Ints,
    actions: Ints,
    points: Array,
    rewards: Array,
    dones: Ints,
    last: States,
) -> None:
    """Play a legal action in every game; games that end give rewards and are dealt anew. NO_MOVE only deals, STAY does
    nothing. One seed is that of all games. How games ended is kept in `last`, unless its length is 0."""
    for i in range(len(states)):
        fetch_ahead(states, i + AHEAD)
        dones[i] = 0
        for seat in range(points.shape[1]):
            points[i, seat] = 0
            rewards[i, seat] = 0
        if actions[i] == STAY:
            continue
        if actions[i] != NO_MOVE:
            play(states[i], int64(actions[i]))
            if not over(states[i]):
                continue
            dones[i] = 1
            scores(states[i], points[i])
            share_out(points.shape[1], points[i], rewards[i])
            numbers[i] += uint64(stride)
            if len(last) > 0:
                last[i] = states[i]
        begin(states, i, template, seeds[i if len(seeds) > 1 else 0], numbers[i])


@rule
def first_illegal(allowed: Array, actions: Ints) -> int:
    """The first game whose action is not allowed, or -1. It does not depend on the kind of game."""
    for i in range(len(actions)):
        if actions[i] != STAY and not is_allowed(allowed[i], int64(actions[i])):
            return i
    return -1


@rule
def redraw_all(states: States, wanted: Ints, seats: Ints, seeds: Ints, first: int) -> None:
    """Draw anew what a seat cannot know, in every game that is wanted. One seed is that of all games, and each has its
    own part of it; seeds of their own draw the same wherever a game lies."""
    for i in range(len(states)):
        if wanted[i]:
            shared = len(seeds) == 1
            part = uint64(first + i if shared else 0)
            redraw(states[i], int64(seats[i]), seeds[0 if shared else i], part)


@rule
def first_over(states: States) -> int:
    """The first game that is over, or -1."""
    for i in range(len(states)):
        if over(states[i]):
            return i
    return -1
