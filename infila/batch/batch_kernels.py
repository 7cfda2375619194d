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

from infila.batch import deciding, playouts, stepping
from infila.batch.simulate_kernel import SIMULATED  # importing it teaches the compiler the rules
from infila.core import chance, dispatch, driver
from infila.core.games import contract_of
from infila.core.record import int64, uint64

__all__ = ["SIMULATED"]


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
    if i < actions.shape[0] and actions[i] != stepping.STAY and not stepping.is_allowed(allowed[i], int64(actions[i])):
        cuda.atomic.min(wrong, 0, i)


@kernel
def stay(wanted: Any, actions: Any) -> None:
    """Games that are not wanted do not move."""
    i = cuda.grid(1)
    if i < actions.shape[0] and not wanted[i]:
        actions[i] = stepping.STAY


@kernel
def count_up(numbers: Any, one: Any) -> None:
    """The first game of each slot: 0, 1, 2, … if all share one seed, or 0."""
    i = cuda.grid(1)
    if i < numbers.shape[0]:
        numbers[i] = i * one


@kernel
def look_up(given: Any, places: Any, end: Any, seen: Any, wrong: Any) -> None:
    """Copy indices of any integer type; note the first that does not exist. With a counter for every place, none may
    come twice; which of two is noted, is left to chance."""
    k = cuda.grid(1)
    if k < places.shape[0]:
        place = int64(given[k])
        if 0 <= place < end:
            places[k] = place
            if seen.shape[0] > end and cuda.atomic.add(seen, place, 1) > 0:
                cuda.atomic.min(wrong, 0, k)
        else:
            places[k] = 0
            cuda.atomic.min(wrong, 0, k)


@kernel
def mark(places: Any, wanted: Any) -> None:
    k = cuda.grid(1)
    if k < places.shape[0]:
        wanted[places[k]] = 1


@kernel
def spread(given: Any, places: Any, full: Any) -> None:
    k = cuda.grid(1)
    if k < places.shape[0]:
        full[places[k]] = given[k]


@kernel
def convert(given: Any, full: Any) -> None:
    i = cuda.grid(1)
    if i < full.shape[0]:
        full[i] = uint64(given[i])


@kernel
def discount(dones: Any, out: Any) -> None:
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = 1 - dones[i]


@kernel
def gather(memory: Any, places: Any, rows: Any) -> None:
    """Copy records out, each word by a thread of its own: neighbours read and write side by side."""
    length = rows.shape[0] // places.shape[0]
    for k in range(cuda.grid(1), rows.shape[0], cuda.gridsize(1)):
        rows[k] = memory[places[k // length] * length + k % length]


@kernel
def scatter(memory: Any, places: Any, rows: Any, length: Any) -> None:
    """Copy records in; a single one goes to all places."""
    for k in range(cuda.grid(1), places.shape[0] * length, cuda.gridsize(1)):
        memory[places[k // length] * length + k % length] = rows[k % length if rows.shape[0] == length else k]


@kernel
def add(totals: Any, more: Any) -> None:
    for k in range(cuda.grid(1), totals.shape[0], cuda.gridsize(1)):
        totals[k] += more[k]


@kernel
def other(movers: Any, own: Any, seat: Any, wanted: Any, count: Any) -> None:
    """Mark the games in which another seat than the own one is to act, or this one, and count them."""
    i = cuda.grid(1)
    if i < movers.shape[0]:
        wanted[i] = movers[i] != own[i] and (seat < 0 or movers[i] == seat)
        if wanted[i]:
            cuda.atomic.add(count, 0, 1)


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


def launch_flat(kernel: Any, n: int, *arguments: Any) -> None:
    """Start threads that share n elements between them."""
    kernel[min((n + FILLING - 1) // FILLING, BLOCKS), FILLING](*arguments)


def launch_fill(array: Any, value: Any) -> None:
    """Fill an array with 0 or -1: all its bytes are equal, and can be written eight at a time."""
    flat = array.ravel()
    if value in (0, -1) and len(flat) * flat.dtype.itemsize % WORD == 0:
        flat = flat.view(np.int64)
    launch_flat(fill, len(flat), flat, flat.dtype.type(value))


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
    def deal(memory: Any, template: Any, seeds: Any, numbers: Any) -> None:
        i = cuda.grid(1)
        if i < numbers.shape[0]:
            mine = cuda.local.array(1, record)
            stepping.begin(mine, 0, template, seeds[i if seeds.shape[0] > 1 else 0], numbers[i])
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
    def observe_ended(last: Any, dones: Any, seats: Any, rows: Any) -> None:
        i = cuda.grid(1)
        if i < last.shape[0] and dones[i]:
            row = cuda.local.array(words, types.int64)
            dispatch.observe(last[i], int64(seats[i]), row.view(np.int8))
            for k in range(words):
                rows[i, k] = row[k]

    @kernel
    def step(
        states: Any, actions: Any, wrong: Any, points: Any, rewards: Any, dones: Any, ended: Any, count: Any
    ) -> None:
        """Play, unless an action is illegal. The games that end are listed, to be dealt by threads side by side."""
        i = cuda.grid(1)
        if i < states.shape[0] and wrong[0] == NOTHING:
            dones[i] = 0
            for seat in range(points.shape[1]):
                points[i, seat] = 0
                rewards[i, seat] = 0
            if actions[i] != stepping.STAY:
                dispatch.play(states[i], int64(actions[i]))
                if dispatch.over(states[i]):
                    dones[i] = 1
                    dispatch.scores(states[i], points[i])
                    stepping.share_out(points.shape[1], points[i], rewards[i])
                    ended[cuda.atomic.add(count, 0, 1)] = i

    @kernel
    def redeal(
        memory: Any, last: Any, template: Any, seeds: Any, stride: Any, numbers: Any, ended: Any, count: Any
    ) -> None:
        """Deal the games that have ended anew; how they ended is kept, if there is room for it."""
        k = cuda.grid(1)
        if k < count[0]:
            i = ended[k]
            if last.shape[0] == memory.shape[0]:
                for w in range(i * length, (i + 1) * length):
                    last[w] = memory[w]
            numbers[i] += stride
            mine = cuda.local.array(1, record)
            stepping.begin(mine, 0, template, seeds[i if seeds.shape[0] > 1 else 0], numbers[i])
            store(memory, i, mine)

    @kernel
    def find_over(memory: Any, found: Any) -> None:
        i = cuda.grid(1)
        if i * length < memory.shape[0]:
            mine = cuda.local.array(1, record)
            fetch(memory, i, mine)
            if dispatch.over(mine[0]):
                cuda.atomic.min(found, 0, i)

    @kernel
    def redraw(memory: Any, wanted: Any, seats: Any, seeds: Any) -> None:
        i = cuda.grid(1)
        if i < wanted.shape[0] and wanted[i]:
            mine = cuda.local.array(1, record)
            fetch(memory, i, mine)
            shared = seeds.shape[0] == 1
            part = uint64(i if shared else 0)
            dispatch.redraw(mine[0], int64(seats[i]), seeds[0 if shared else i], part)
            store(memory, i, mine)

    @kernel
    def draw_lots(memory: Any, wanted: Any, noise: Any, first: Any, actions: Any) -> None:
        """What those who play at random do."""
        i = cuda.grid(1)
        if i < wanted.shape[0]:
            actions[i] = stepping.STAY
            if wanted[i]:
                mine = cuda.local.array(1, record)
                out = cuda.local.array(width, types.int16)
                luck = cuda.local.array(1, types.uint64)
                fetch(memory, i, mine)
                luck[0] = chance.word(mine[0], int64(chance.LAST) - first)
                n = stepping.offer(mine[0], out)
                actions[i] = out[0]
                if n > 1:
                    actions[i] = dispatch.choose(mine[0], out, n, luck)

    @kernel
    def rate(memory: Any, wanted: Any, noise: Any, first: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < wanted.shape[0]:
            actions[i] = stepping.STAY
            if wanted[i]:
                mine = cuda.local.array(1, record)
                view = cuda.local.array(1, record)
                out = cuda.local.array(width, types.int16)
                ratings = cuda.local.array(width, types.int64)
                luck = cuda.local.array(1, types.uint64)
                fetch(memory, i, mine)
                fetch(memory, i, view)
                luck[0] = chance.word(mine[0], int64(chance.LAST) - first)
                n = stepping.offer(mine[0], out)
                actions[i] = out[0]
                if n > 1:
                    actions[i] = deciding.rated(mine[0], view[0], n, noise, out, ratings, luck)

    @kernel
    def prefer(states: Any, wanted: Any, tables: Any, noise: Any, first: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < wanted.shape[0]:
            actions[i] = stepping.STAY
            if wanted[i]:
                out = cuda.local.array(width, types.int16)
                luck = cuda.local.array(1, types.uint64)
                features = cuda.local.array(size, types.int8)
                nonzero = cuda.local.array(size, types.int16)
                luck[0] = chance.word(states[i], int64(chance.LAST) - first)
                n = stepping.offer(states[i], out)
                actions[i] = deciding.liked(states[i], tables, noise, features, nonzero, out, n, luck)

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
        observe_ended=observe_ended,
        step=step,
        redeal=redeal,
        find_over=find_over,
        redraw=redraw,
        draw_lots=draw_lots,
        rate=rate,
        prefer=prefer,
        play_out=play_out,
        play_policy=play_policy,
    )
