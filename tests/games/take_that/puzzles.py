"""Proofs for bench/games/take_that/puzzles.json, by the rules alone: every world that the view of the seat allows is
searched to the end of the round, with open cards.

What counts is the lead over the best of the others. With two players and no pile that is the whole truth: all cards
that one has not seen are in the other's hand. Otherwise the best move must be best in every world; with more than two
players it must win against anything the others do, together, in every world, and no other move may.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numba import njit

import infila
from infila.core.record import States, Table, int64
from infila.core.rule import Function, rule
from infila.games.take_that.rules import DECK, MAX_LEGAL, UNSEEN, State, legal, play

DEEPEST = 60
ENDLESS = 10_000


def compiled(function: Function) -> Function:
    """Like `rule`, but not cached: a function that calls itself does not survive Numba's cache."""
    made: Function = njit(nogil=True, error_model="numpy")(function)
    return made


@rule
def lead(s: State, me: int) -> int:
    """Of a round that is over: how far a seat is ahead of the best of the others."""
    best = -ENDLESS
    for seat in range(s.players):
        if seat != me:
            best = max(best, int64(s.points[seat]))
    return int64(s.points[me]) - best


@compiled
def guaranteed(states: States, depth: int, me: int, low: int, high: int, moves: Table) -> int:
    """The lead that a seat can reach against all others, alpha-beta; states[depth] is the position."""
    s = states[depth]
    if s.ended or s.round_now != states[0].round_now:
        return lead(s, me)
    mine = s.turn == me
    value = int64(-ENDLESS if mine else ENDLESS)
    for i in range(legal(s, moves[depth])):
        states[depth + 1] = states[depth]
        play(states[depth + 1], moves[depth, i])
        reached = guaranteed(states, depth + 1, me, low, high, moves)
        if mine:
            value = max(value, reached)
            low = max(low, value)
        else:
            value = min(value, reached)
            high = min(high, value)
        if low >= high:
            break
    return value


@compiled
def guaranteed_by(states: States, action: int, me: int, moves: Table) -> int:
    states[1] = states[0]
    play(states[1], action)
    return guaranteed(states, 1, me, -ENDLESS, ENDLESS, moves)


def worlds(hidden: States, me: int) -> Iterator[States]:
    """All states that look to a seat like this view."""
    s = hidden[0]
    known = {int(card) for card in [*s.hand[me, : s.n_hand[me]], *s.extra[me, : s.n_extra[me]]]}
    unseen = [int(card) for card in DECK if s.lies[card] == UNSEEN and int(card) not in known]
    gaps = [("hand", seat, int(s.n_hand[seat])) for seat in range(s.players) if seat != me]
    gaps += [("extra", seat, int(s.n_extra[seat])) for seat in range(s.players) if seat != me]

    def fill(states: States, gap: int, left: list[int]) -> Iterator[States]:
        if gap == len(gaps):
            for pile in permutations(left):
                states["pile"][0, : len(pile)] = pile
                yield states
            return
        field, seat, count = gaps[gap]
        for cards in combinations(left, count):
            states[field][0, seat, :count] = cards
            yield from fill(states, gap + 1, [card for card in left if card not in cards])

    yield from fill(hidden.copy(), 0, unseen)


def values(game: infila.Game, me: int, most: int = 10**9) -> dict[str, list[int]]:
    """For each move the lead that it guarantees, in world after world; nothing if there are too many worlds."""
    view = game.view(me)
    states = np.zeros(DEEPEST, view.states.dtype)
    moves = np.zeros((DEEPEST, MAX_LEGAL), np.int16)
    found: dict[str, list[int]] = {view.text(action): [] for action in view.actions()}
    for number, world in enumerate(worlds(view.states, me)):
        if number == most:
            return {}
        for action in view.actions():
            states[0] = world[0]
            found[view.text(action)].append(int(guaranteed_by(states, action, me, moves)))
    return found


def best_of(found: dict[str, list[int]], players: int) -> list[str]:
    """The moves that are provably best; none if that cannot be said."""
    if players > 2:
        return [move for move, leads in found.items() if min(leads) > 0]
    tops = [max(leads) for leads in zip(*found.values(), strict=True)]
    return [move for move, leads in found.items() if leads == tops]


def prove(game: infila.Game, puzzle: dict[str, Any]) -> None:
    assert game.player == puzzle["seat"] - 1, puzzle["name"]
    assert best_of(values(game, game.player), len(game.names)) == puzzle["best"], puzzle["name"]
