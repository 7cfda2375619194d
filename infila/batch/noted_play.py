"""Games played by random or heuristic players while their moves are noted, and what every move was chosen from and by:
for datasets. They are the games of `infila study` with the same seed and players.
"""

from infila.batch.counted_play import begin, pick
from infila.core.contract import AnyState
from infila.core.dispatch import actor, observe, over, scores
from infila.core.driver import play_at
from infila.core.record import Array, Ints, States, int64, uint64
from infila.core.rule import inlined, rule
from infila.players.search import WHOEVER, choices_at

DAMAGED = -1  # in place of a number of moves


@rule
def play_noted(
    template: States,
    seed: int,
    first: int,
    ways: Ints,
    sides: Ints,
    work: States,
    out: Ints,
    ratings: Ints | None,
    luck: Ints,
    actions: Ints,
    seats: Ints,
    lengths: Ints,
    points: Array,
) -> int:
    """Play games number `first`, `first` + 1, … of a seed, as in `play_counted`, and note their moves one after the
    other; return how many games there was room for."""
    at = 0
    for i in range(len(lengths)):
        number = first + i
        begin(work, template, seed, uint64(number), luck)
        lengths[i] = 0
        while not over(work[0]):
            if at == len(actions):
                return i
            n = choices_at(work, int64(WHOEVER), out)
            seat = int64(actor(work[0], out[0]))
            way = ways[(sides[seat] + number) % len(ways)]
            actions[at] = pick(work, seat, way, n, out, ratings, luck)
            seats[at] = seat
            play_at(work, int64(0), int64(actions[at]))
            lengths[i] += 1
            at += 1
        scores(work[0], points[i])
    return len(lengths)


@inlined
def is_among(out: Ints, n: int, action: int) -> bool:
    found = 0
    for k in range(n):
        found |= int(out[k] == action)
    return found != 0


@inlined
def pack(out: Ints, n: int, bits: Ints) -> None:
    """Set the bits of n actions, the first in the lowest bit of a byte."""
    for k in range(len(bits)):
        bits[k] = 0
    for k in range(n):
        action = int64(out[k])
        bits[action >> 3] |= 1 << (action & 7)


@inlined
def see(s: AnyState, seat: int, out: Ints, n: int, bits: Ints, row: Ints) -> None:
    """What a seat may do and know, as far as it is asked for."""
    if len(bits) > 0:
        pack(out, n, bits)
    if len(row) > 0:
        observe(s, seat, row)


@rule
def replay_noted(
    template: States,
    seed: int,
    numbers: Ints,
    lengths: Ints,
    actions: Ints,
    seats: Ints,
    work: States,
    out: Ints,
    luck: Ints,
    masks: Array,
    rows: Array,
    finals: States,
) -> int:
    """Play noted moves again: fill in masks and observations, unless their rows have length 0, and the final states.
    Return the number of moves; or DAMAGED, if a move is not legal or a game does not end where it should."""
    at = 0
    for i in range(len(lengths)):
        begin(work, template, seed, uint64(numbers[i]), luck)
        for _ in range(lengths[i]):
            if over(work[0]):
                return int64(DAMAGED)
            seat = int64(seats[at])
            n = choices_at(work, seat, out)
            if not is_among(out, n, int64(actions[at])):
                return int64(DAMAGED)
            see(work[0], seat, out, n, masks[at], rows[at])
            play_at(work, int64(0), int64(actions[at]))
            at += 1
        if not over(work[0]):
            return int64(DAMAGED)
        finals[i] = work[0]
    return at
