"""Many games side by side, one step each: what threads of the CPU run in loops, and the parts that a GPU runs as well.

Game number k of slot i, of n slots, is game i + k × n of the seed: the same one as in `simulate`, whoever plays it.
"""

from typing import Any

import numpy as np

from infila.core import chance
from infila.core.contract import actor, deal, legal, mover, observe, over, play, scores
from infila.core.rule import part, rule

NO_MOVE = -1  # what stands in a list of legal actions behind the last one
SEATS = 12  # more than any game has

# the reward of each winner, by players and winners: what all stake, shared; who does not win loses 1
SHARES = np.array(
    [[players / max(winners, 1) - 1 for winners in range(SEATS + 1)] for players in range(SEATS + 1)], np.float32
)
LOSS = np.array([-1], np.float32)


@part
def begin(states: Any, i: Any, template: Any, seed: Any, number: Any) -> None:
    """Deal a game anew."""
    states[i] = template[0]
    chance.seed(states[i], seed, number)
    deal(states[i])


@part
def offer(s: Any, out: Any, whole: Any) -> Any:
    """The legal actions of the seat that is to act, or of all; return how many."""
    n = legal(s, out)
    if whole:
        return n
    seat = np.int64(mover(s))
    kept = 0
    for k in range(n):
        action = out[k]
        out[kept] = action
        kept += int(actor(s, np.int64(action)) == seat)
    return kept


@part
def share_out(players: Any, points: Any, rewards: Any) -> None:
    """Rewards by final scores: they add up to 0, and for two are 1, 0 or -1."""
    best = points[0]
    for seat in range(players):
        best = max(best, points[seat])
    winners = 0
    for seat in range(players):
        winners += int(points[seat] == best)
    for seat in range(players):
        rewards[seat] = SHARES[players, winners] if points[seat] == best else LOSS[0]


@rule
def list_all(states: Any, lists: Any, counts: Any, whole: Any) -> None:
    """Legal actions: a row for each game, and how many they are."""
    for i in range(len(states)):
        counts[i] = offer(states[i], lists[i], whole)


@rule
def movers_all(states: Any, seats: Any) -> None:
    for i in range(len(states)):
        seats[i] = mover(states[i])


@rule
def observe_all(states: Any, seats: Any, out: Any) -> None:
    for i in range(len(states)):
        observe(states[i], np.int64(seats[i]), out[i])


@rule
def step_all(
    states: Any,
    template: Any,
    seed: Any,
    first: Any,
    slots: Any,
    games: Any,
    actions: Any,
    points: Any,
    rewards: Any,
    dones: Any,
) -> None:
    """A legal action in every game; those that it ends give rewards and are dealt anew. NO_MOVE only deals."""
    for i in range(len(states)):
        dones[i] = 0
        for seat in range(points.shape[1]):
            points[i, seat] = 0
            rewards[i, seat] = 0
        if actions[i] != NO_MOVE:
            play(states[i], np.int64(actions[i]))
            if not over(states[i]):
                continue
            dones[i] = 1
            scores(states[i], points[i])
            share_out(points.shape[1], points[i], rewards[i])
            games[i] += np.uint64(1)
        begin(states, i, template, seed, first + np.uint64(i) + games[i] * slots)


# from here on nothing depends on the game


@rule
def pad_all(lists: Any, counts: Any) -> None:
    for i in range(len(lists)):
        for k in range(counts[i], lists.shape[1]):
            lists[i, k] = NO_MOVE


@rule
def mask_all(lists: Any, counts: Any, mask: Any) -> None:
    for i in range(len(lists)):
        for action in range(mask.shape[1]):
            mask[i, action] = 0
        for k in range(counts[i]):
            mask[i, np.int64(lists[i, k])] = 1


@rule
def first_illegal(lists: Any, counts: Any, actions: Any) -> Any:
    """The first game whose action is not on its list, or -1."""
    for i in range(len(lists)):
        found = 0
        for k in range(counts[i]):
            found |= int(lists[i, k] == actions[i])
        if not found:
            return i
    return -1
