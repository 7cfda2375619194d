"""One game, one step at a time, each step one compiled call: what the environments for other libraries are built on.

The seat to act, its legal actions, mask and observation are found in the same call that plays: from Python it is the
calls that cost time.
"""

from infila.batch.stepping import NO_MOVE, offer, share_out
from infila.core.contract import AnyState
from infila.core.dispatch import mover, observe, over, play, scores
from infila.core.record import Floats, Ints, States, int64
from infila.core.rule import inlined, rule

OVER = -1
ILLEGAL = -2


@inlined
def look(s: AnyState, legal: Ints, count: Ints, mask: Ints, observation: Ints) -> int:
    """Find the seat to act, and what it may know and do."""
    for action in range(len(mask)):
        mask[action] = 0
    count[0] = 0
    if over(s):
        return int64(OVER)
    count[0] = offer(s, legal)
    for k in range(count[0]):
        mask[int64(legal[k])] = 1
    seat = int64(mover(s))
    observe(s, seat, observation)
    return seat


@rule
def step_at(states: States, action: int, legal: Ints, count: Ints, mask: Ints, observation: Ints) -> int:
    """Play one of the first `count` legal actions; return the seat to act next, or OVER. If it is ILLEGAL, nothing has
    changed. With NO_MOVE only look. There is one entry point because each is compiled with all the rules in it."""
    if action != NO_MOVE:
        found = 0
        for k in range(count[0]):
            found |= int(legal[k] == action)
        if not found:
            return int64(ILLEGAL)
        play(states[0], action)
    return look(states[0], legal, count, mask, observation)


@rule
def results_at(states: States, players: int, points: Ints, rewards: Floats) -> None:
    """Each seat's score, and what it is worth once the game is over."""
    scores(states[0], points)
    share_out(players, points, rewards)
