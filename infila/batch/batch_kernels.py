"""The kernels of a batch: one thread steps one game. Imported only where CUDA, or its simulator, can be used.

A step and the search for legal actions touch a few places of a record, and work on it in place. Where all of it is
used, and for the rows of observations, which are written byte by byte, a thread has a copy in its own memory, in which
a warp's accesses lie side by side. Such copies are made in words of eight bytes: `memory` is all records as such words.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import cuda, from_dtype, types

from infila.batch import playouts, stepping
from infila.batch.simulate_kernel import SIMULATED  # importing it teaches the compiler the rules
from infila.core import chance, dispatch, driver
from infila.core.games import contract_of
from infila.core.record import int64, uint64

__all__ = ["NOTHING", "SIMULATED", "check", "kernels_of", "launch", "launch_fill", "take"]

NOTHING = 2**62  # no game has an illegal action
WORD = 8
# threads of a block: few, because a game's record lies in the thread's own memory; more for kernels that fill an array,
# and their greatest number of blocks. The simulator starts a Python thread for each.
THREADS, FILLING, BLOCKS = (4, 8, 2) if SIMULATED else (64, 256, 4096)


def kernel(function: Any) -> Any:
    return cuda.jit(function)


def within(function: Any) -> Any:
    """What kernels call."""
    return cuda.jit(function, device=True)


@kernel
def fill(array: Any, value: Any) -> None:
    """Fill a flat array, side by side."""
    for k in range(cuda.grid(1), array.shape[0], cuda.gridsize(1)):
        array[k] = value


@kernel
def take(given: Any, own: Any, end: Any, wrong: Any) -> None:
    """Copy numbers of any integer type below `end`; others become NO_MOVE, and the first of them is noted."""
    i = cuda.grid(1)
    if i < own.shape[0]:
        number = int64(given[i])
        if 0 <= number < end:
            own[i] = number
        else:
            own[i] = stepping.NO_MOVE
            cuda.atomic.min(wrong, 0, i)


@kernel
def check(allowed: Any, actions: Any, wrong: Any) -> None:
    """Note the first game whose action is not allowed."""
    i = cuda.grid(1)
    if i < actions.shape[0] and not stepping.is_allowed(allowed[i], int64(actions[i])):
        cuda.atomic.min(wrong, 0, i)


@within
def fetch(memory: Any, i: Any, mine: Any) -> None:
    """Copy game i out of all games' memory, by words: the compiler would copy a record byte by byte."""
    words = mine.view(np.int64)
    for k in range(words.shape[0]):
        words[k] = memory[i * words.shape[0] + k]


@within
def store(memory: Any, i: Any, mine: Any) -> None:
    words = mine.view(np.int64)
    for k in range(words.shape[0]):
        memory[i * words.shape[0] + k] = words[k]


def launch(kernel: Any, n: int, *arguments: Any) -> None:
    """Start a thread for each of n games."""
    kernel[(n + THREADS - 1) // THREADS, THREADS](*arguments)


def launch_fill(array: Any, value: Any) -> None:
    """Fill an array with 0 or -1: all its bytes are equal, and can be written eight at a time."""
    flat = array.ravel()
    if value in (0, -1) and len(flat) * flat.dtype.itemsize % WORD == 0:
        flat = flat.view(np.int64)
    blocks = min((len(flat) + FILLING - 1) // FILLING, BLOCKS)
    fill[blocks, FILLING](flat, flat.dtype.type(value))


@cache
def kernels_of(name: str) -> SimpleNamespace:
    """The kernels of a game, compiled when they are first used."""
    game = contract_of(name)
    record = game.rules.State if SIMULATED else from_dtype(game.rules.State.dtype)
    width = game.rules.MAX_LEGAL
    words = game.features.SIZE // WORD
    size = game.features.SIZE
    seats = stepping.SEATS
    length = game.rules.State.dtype.itemsize // WORD

    @kernel
    def deal(memory: Any, template: Any, seed: Any) -> None:
        i = cuda.grid(1)
        if i * length < memory.shape[0]:
            mine = cuda.local.array(1, record)
            stepping.begin(mine, 0, template, seed, uint64(i))
            store(memory, i, mine)

    @kernel
    def movers(states: Any, players: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            players[i] = dispatch.mover(states[i])

    @kernel
    def legal(states: Any, allowed: Any, lists: Any, counts: Any) -> None:
        """The lists are filled with NO_MOVE already, and what is allowed with 0."""
        i = cuda.grid(1)
        if i < states.shape[0]:
            n = dispatch.legal(states[i], lists[i])
            stepping.allow(lists[i], n, allowed[i])
            own = stepping.keep_own(states[i], lists[i], n)
            counts[i] = own
            for k in range(own, n):
                lists[i, k] = stepping.NO_MOVE

    @kernel
    def mask(states: Any, allowed: Any, bytes_of: Any) -> None:
        """The mask, if one is wanted, and what is allowed are filled with 0 already."""
        i = cuda.grid(1)
        if i < states.shape[0]:
            out = cuda.local.array(width, types.int16)
            n = dispatch.legal(states[i], out)
            stepping.allow(out, n, allowed[i])
            if bytes_of.shape[0] > 0:
                for k in range(stepping.keep_own(states[i], out, n)):
                    bytes_of[i, int64(out[k])] = 1

    @kernel
    def observe(states: Any, seats: Any, rows: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            row = cuda.local.array(words, types.int64)
            dispatch.observe(states[i], int64(seats[i]), row.view(np.int8))
            for k in range(words):
                rows[i, k] = row[k]

    @kernel
    def step(
        states: Any, actions: Any, wrong: Any, games: Any, points: Any, rewards: Any, dones: Any, ended: Any, count: Any
    ) -> None:
        """Play, unless an action is illegal. The games that end are listed, to be dealt by threads side by side."""
        i = cuda.grid(1)
        if i < states.shape[0] and wrong[0] == NOTHING:
            dispatch.play(states[i], int64(actions[i]))
            dones[i] = 0
            for seat in range(points.shape[1]):
                points[i, seat] = 0
                rewards[i, seat] = 0
            if dispatch.over(states[i]):
                dones[i] = 1
                dispatch.scores(states[i], points[i])
                stepping.share_out(points.shape[1], points[i], rewards[i])
                games[i] += uint64(1)
                ended[cuda.atomic.add(count, 0, 1)] = i

    @kernel
    def redeal(memory: Any, template: Any, seed: Any, games: Any, ended: Any, count: Any) -> None:
        k = cuda.grid(1)
        if k < count[0]:
            i = ended[k]
            mine = cuda.local.array(1, record)
            number = uint64(i) + games[i] * uint64(games.shape[0])
            stepping.begin(mine, 0, template, seed, number)
            store(memory, i, mine)

    @kernel
    def play_out(memory: Any, first: Any, repeat: Any, totals: Any, moves: Any) -> None:
        i = cuda.grid(1)
        if i * length < memory.shape[0]:
            mine = cuda.local.array(1, record)
            out = cuda.local.array(width, types.int16)
            luck = cuda.local.array(1, types.uint64)
            points = cuda.local.array(seats, types.int32)[: totals.shape[1]]
            rewards = cuda.local.array(seats, types.float32)[: totals.shape[1]]
            for k in range(repeat):
                fetch(memory, i, mine)
                luck[0] = chance.word(mine[0], int64(chance.LAST) - first - k)
                moves[i] += driver.playout(mine[0], out, luck, driver.ENDLESS)
                playouts.judge(mine[0], points, rewards, totals[i])
            playouts.average(totals[i], repeat)

    @kernel
    def play_policy(memory: Any, first: Any, repeat: Any, totals: Any, moves: Any, tables: Any, noise: Any) -> None:
        i = cuda.grid(1)
        if i * length < memory.shape[0]:
            mine = cuda.local.array(1, record)
            out = cuda.local.array(width, types.int16)
            luck = cuda.local.array(1, types.uint64)
            points = cuda.local.array(seats, types.int32)[: totals.shape[1]]
            rewards = cuda.local.array(seats, types.float32)[: totals.shape[1]]
            features = cuda.local.array(size, types.int8)
            nonzero = cuda.local.array(size, types.int16)
            for k in range(repeat):
                fetch(memory, i, mine)
                luck[0] = chance.word(mine[0], int64(chance.LAST) - first - k)
                moves[i] += playouts.play_by(mine[0], tables, noise, features, nonzero, out, luck)
                playouts.judge(mine[0], points, rewards, totals[i])
            playouts.average(totals[i], repeat)

    return SimpleNamespace(
        deal=deal,
        movers=movers,
        legal=legal,
        mask=mask,
        observe=observe,
        step=step,
        redeal=redeal,
        play_out=play_out,
        play_policy=play_policy,
    )
