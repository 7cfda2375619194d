"""What a player without a search would do in each game: at random, by a level's heuristic, or by a policy.

A heuristic player decides by what its seat sees, as in the arena. A policy is a table (`infila.batch.playouts`).
"""

from infila.batch.playouts import list_features, preferred
from infila.batch.stepping import STAY, offer
from infila.core.chance import LAST, word
from infila.core.contract import AnyState
from infila.core.dispatch import choose, hide, mover, observe
from infila.core.record import Array, Ints, States, int64
from infila.core.rule import inlined, rule
from infila.players.search import best_rated


@inlined
def rated(s: AnyState, view: AnyState, n: int, noise: int, out: Ints, ratings: Ints, luck: Ints) -> int:
    """A heuristic player's choice among the n actions in `out`; `view` is a copy of the state, to be hidden."""
    hide(view, int64(mover(s)))
    return out[best_rated(view, out, n, ratings, noise, luck)]


@inlined
def liked(s: AnyState, tables: Array, noise: int, features: Ints, nonzero: Ints, out: Ints, n: int, luck: Ints) -> int:
    """A policy's choice among the n actions in `out`."""
    seat = int64(mover(s))
    observe(s, seat, features)
    some = list_features(features, nonzero)
    return preferred(tables[seat if tables.shape[0] > 1 else 0], features, nonzero, some, out, n, luck, noise)


@rule
def decide_all(
    states: States,
    work: States,
    wanted: Ints,
    noise: int,
    first: int,
    out: Ints,
    ratings: Ints | None,
    luck: Ints,
    actions: Ints,
) -> None:
    """An action for each game that is wanted, STAY for the others. Without `ratings` all play at random."""
    for i in range(len(states)):
        actions[i] = STAY
        if wanted[i]:
            luck[0] = word(states[i], int64(LAST) - first)
            n = offer(states[i], out)
            actions[i] = out[0]
            if n > 1:
                if ratings is None:
                    actions[i] = choose(states[i], out, n, luck)
                else:
                    work[0] = states[i]
                    actions[i] = rated(states[i], work[0], n, noise, out, ratings, luck)


@rule
def prefer_all(
    states: States,
    wanted: Ints,
    tables: Array,
    noise: int,
    first: int,
    features: Ints,
    nonzero: Ints,
    out: Ints,
    luck: Ints,
    actions: Ints,
) -> None:
    """The same by a policy."""
    for i in range(len(states)):
        actions[i] = STAY
        if wanted[i]:
            luck[0] = word(states[i], int64(LAST) - first)
            n = offer(states[i], out)
            actions[i] = liked(states[i], tables, noise, features, nonzero, out, n, luck)
