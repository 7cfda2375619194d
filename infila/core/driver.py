"""The generic rules as compiled entry points.

An array of records and an index go in, because passing a record itself from Python is slow.
"""

from typing import Any

from infila.core import chance
from infila.core.dispatch import actor, choose, deal, hide, legal, observe, over, play, player, redraw, scores
from infila.core.entry import entry
from infila.core.record import I1s, I2s, I8s, States, U8s, Word
from infila.core.rule import inlined, rule


@entry("deal")
def deal_at(states: States, i: int, key0: Word, key1: Word) -> None:
    """Begin game i, whose record holds only its options."""
    chance.seed(states[i], key0, key1)
    deal(states[i])


@entry("legal")
def legal_at(states: States, i: int, out: I2s) -> Any:
    return legal(states[i], out)


@entry("play")
def play_at(states: States, i: int, action: int) -> None:
    play(states[i], action)


@entry("status")
def status_at(states: States, i: int, points: I8s) -> Any:
    """The seat on turn and whether the game is over; the scores are written into `points`."""
    scores(states[i], points)
    return player(states[i]), over(states[i])


@entry("actor")
def actor_at(states: States, i: int, action: int) -> Any:
    return actor(states[i], action)


@entry("actors")
def actors_at(states: States, i: int, actions: I2s, n: int, out: I2s) -> None:
    """The seats that the first n actions belong to, in one call."""
    for k in range(n):
        out[k] = actor(states[i], actions[k])


@entry("hide")
def hide_at(states: States, i: int, viewer: int) -> None:
    hide(states[i], viewer)


@entry("redraw")
def redraw_at(states: States, i: int, viewer: int, key0: Word, key1: Word) -> None:
    redraw(states[i], viewer, key0, key1)


@entry("observe")
def observe_at(states: States, i: int, viewer: int, out: I1s) -> None:
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


@entry("simulate")
def simulate(states: States, template: States, seed: Word, first: Word, moves: I8s, out: I2s, luck: U8s) -> None:
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


@entry("playout")
def playout_at(states: States, i: int, out: I2s, luck: U8s, most: int) -> Any:
    return playout(states[i], out, luck, most)
