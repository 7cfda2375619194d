"""The generic rules as compiled entry points.

An array of records and an index go in, because passing a record itself from Python is slow.
"""

from typing import Any

from infila.core import chance
from infila.core.dispatch import actor, choose, deal, hide, legal, observe, over, play, player, redraw, scores
from infila.core.rule import inlined, rule


@rule
def deal_at(states: Any, i: Any, key0: Any, key1: Any) -> None:
    """Begin game i, whose record holds only its options."""
    chance.seed(states[i], key0, key1)
    deal(states[i])


@rule
def legal_at(states: Any, i: Any, out: Any) -> Any:
    return legal(states[i], out)


@rule
def play_at(states: Any, i: Any, action: Any) -> None:
    play(states[i], action)


@rule
def status_at(states: Any, i: Any, points: Any) -> Any:
    """The seat on turn and whether the game is over; the scores are written into `points`."""
    scores(states[i], points)
    return player(states[i]), over(states[i])


@rule
def actor_at(states: Any, i: Any, action: Any) -> Any:
    return actor(states[i], action)


@rule
def actors_at(states: Any, i: Any, actions: Any, n: Any, out: Any) -> None:
    """The seats that the first n actions belong to, in one call."""
    for k in range(n):
        out[k] = actor(states[i], actions[k])


@rule
def hide_at(states: Any, i: Any, viewer: Any) -> None:
    hide(states[i], viewer)


@rule
def redraw_at(states: Any, i: Any, viewer: Any, key0: Any, key1: Any) -> None:
    redraw(states[i], viewer, key0, key1)


@rule
def observe_at(states: Any, i: Any, viewer: Any, out: Any) -> None:
    observe(states[i], viewer, out)


ENDLESS = 2**31  # more moves than any game has


@inlined
def playout(s: Any, out: Any, luck: Any, most: Any) -> Any:
    """Play at random to the end, but at most `most` moves; return their number."""
    moves = 0
    while moves < most and not over(s):
        play(s, choose(s, out, legal(s, out), luck))
        moves += 1
    return moves


@rule
def simulate(states: Any, template: Any, seed: Any, first: Any, moves: Any, out: Any, luck: Any) -> None:
    """Play games number `first`, `first` + 1, … of a seed at random, one in each record; options as in template[0]."""
    for i in range(len(states)):
        states[i] = template[0]
        chance.seed(states[i], seed, first + i)
        deal(states[i])
        chance.seed_luck(luck, states[i])
        moves[i] = playout(states[i], out, luck, ENDLESS)


@rule
def scores_all(states: Any, points: Any) -> None:
    """The scores of every game, a row each."""
    for i in range(len(states)):
        scores(states[i], points[i])


@rule
def playout_at(states: Any, i: Any, out: Any, luck: Any, most: Any) -> Any:
    return playout(states[i], out, luck, most)
