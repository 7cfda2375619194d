"""A batch on threads of the CPU: compiled rules do not hold the interpreter's lock, so chunks run side by side."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from infila.batch import deciding, playouts, stepping
from infila.core.contract import Contract
from infila.core.errors import InfilaError
from infila.core.record import States, uint64

CHUNK = 4096  # games handed to a thread at a time

_SOMEBODY = [np.zeros(0)]
ALONE = sys.getrefcount(_SOMEBODY[0])  # what Python counts for an array that is in one list and nowhere else


def words(states: States) -> Any:
    """Records as rows of words of eight bytes, in the same memory: NumPy would copy records field by field."""
    return states.view(np.int64).reshape(len(states), -1)


class Cpu:
    """Where a batch's arrays lie, and what is done with them: here plain NumPy."""

    name = "CPU"

    def __init__(self, contract: Contract, template: States, n: int, threads: int | None) -> None:
        self.contract = contract
        self.template = template
        self.n = n
        self.threads = threads or os.cpu_count() or 1
        self.pool = ThreadPoolExecutor(self.threads) if self.threads > 1 and n > CHUNK else None
        self.chosen = np.zeros(n, np.int16)
        self.no_counts = np.zeros(0, np.int32)
        self.no_mask = np.zeros((n, 0), np.uint8)
        self.no_last = np.zeros(0, contract.rules.State)
        self.everywhere = np.ones(n, np.uint8)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def fill(self, array: Any, value: int) -> None:
        array[:] = value

    def host(self, array: Any) -> Any:
        """An array of the batch as a NumPy array."""
        return array

    def device(self, array: Any) -> Any:
        """A NumPy array where the batch lies."""
        return array

    def is_free(self, arrays: list[Any], k: int) -> bool:
        """Whether nobody but this list holds an array: no variable, no view of it, and no other library."""
        return sys.getrefcount(arrays[k]) == ALONE

    def seen(self, array: Any) -> Any:
        """An array of the batch that others may read but not write."""
        view = array.view()
        view.flags.writeable = False
        return view

    held = seen

    def read(self, array: Any, what: str) -> Any:
        """The caller's array, of NumPy, PyTorch, JAX or a list, as a NumPy array; memory is shared if possible."""
        if hasattr(array, "__cuda_array_interface__"):
            raise InfilaError(
                f"the array for {what} lies on a GPU and the batch on the CPU: move it, or make the batch device='gpu'."
            )
        try:
            return np.asarray(array)
        except (TypeError, ValueError, RuntimeError):
            raise InfilaError(f"{what} must be an array, not {type(array).__name__}.") from None

    def write(self, array: Any, what: str) -> Any:
        """The caller's array, to be written into."""
        own = self.read(array, what)
        if own is not array and not (hasattr(array, "__array__") and np.shares_memory(own, np.asarray(array))):
            raise InfilaError(
                f"{what} must be an array that shares its memory, such as one of NumPy or a tensor of PyTorch."
            )
        if not own.flags.writeable or not own.flags.c_contiguous:
            raise InfilaError(f"{what} must be writeable and contiguous.")
        return own

    def each(self, work: Callable[[int, int], Any], n: int | None = None) -> list[Any]:
        """Do the work for all games, or for n things, chunk by chunk."""
        end = self.n if n is None else n
        starts = range(0, end, CHUNK)
        if self.pool is None:
            return [work(a, min(a + CHUNK, end)) for a in starts]
        return list(self.pool.map(lambda a: work(a, min(a + CHUNK, end)), starts))

    def deal(self, states: States, seeds: Any, stride: int, numbers: Any, *results: Any) -> None:
        """Deal the first game of each slot."""
        numbers[:] = 0 if len(seeds) > 1 else np.arange(self.n)
        self.chosen[:] = stepping.NO_MOVE
        self.play(states, seeds, stride, numbers, *results)

    def play(self, states: States, seeds: Any, stride: int, *results: Any) -> None:
        """Play the actions that have been chosen; the last of the results may have no games."""

        def work(a: int, b: int) -> None:
            numbers, *ended = (array[a:b] for array in results)
            own = seeds[a:b] if len(seeds) > 1 else seeds
            stepping.step_all(states[a:b], self.template, own, uint64(stride), numbers, self.chosen[a:b], *ended)

        self.each(work)

    def legal(self, states: States, allowed: Any, lists: Any, counts: Any) -> None:
        def work(a: int, b: int) -> None:
            stepping.legal_all(states[a:b], allowed[a:b], lists[a:b], counts[a:b], self.no_mask[a:b])

        self.each(work)

    def mask(self, states: States, allowed: Any, mask: Any = None) -> None:
        """Find what is allowed, and fill a mask if there is one."""
        mask = self.no_mask if mask is None else mask

        def work(a: int, b: int) -> None:
            one = np.empty((1, self.contract.rules.MAX_LEGAL), np.int16)
            stepping.legal_all(states[a:b], allowed[a:b], one, self.no_counts, mask[a:b])

        self.each(work)

    def movers(self, states: States, seats: Any) -> None:
        self.each(lambda a, b: stepping.movers_all(states[a:b], seats[a:b]))

    def seats(self, given: Any, seats: Any, end: int) -> int:
        """Copy seats of any integer type; return the first game whose seat does not exist, or -1."""
        wrong = np.flatnonzero((given < 0) | (given >= end))
        if not len(wrong):
            seats[:] = given
        return int(wrong[0]) if len(wrong) else -1

    def observe(self, states: States, seats: Any, out: Any) -> None:
        self.each(lambda a, b: stepping.observe_all(states[a:b], seats[a:b], out[a:b]))

    def discount(self, dones: Any, out: Any) -> None:
        np.subtract(1, dones, out=out)

    def first_over(self, rows: Any, contract: Contract) -> int:
        """The first of these records that is a game that is over, or -1."""
        records = np.ascontiguousarray(rows).reshape(-1).view(contract.rules.State.dtype)
        return int(stepping.first_over(records))

    def unsigned(self, numbers: Any) -> Any:
        return np.ascontiguousarray(numbers).astype(np.uint64)

    def observe_ended(self, last: States, dones: Any, seats: Any, out: Any) -> None:
        """Overwrite the rows of games that have just ended."""
        self.each(lambda a, b: stepping.observe_ended(last[a:b], dones[a:b], seats[a:b], out[a:b]))

    def step(
        self, states: States, allowed: Any, dealing: Any, given: Any, wanted: Any, results: Any, wait: bool
    ) -> int:
        """Play; return the first game whose action is illegal, in which case nothing has been played, or -1."""
        self.chosen[:] = stepping.NO_MOVE  # which is never legal
        exists = (given >= 0) & (given < self.contract.rules.ACTIONS)
        np.copyto(self.chosen, given, casting="unsafe", where=exists)
        if wanted is not None:
            self.chosen[wanted == 0] = stepping.STAY
        firsts = self.each(lambda a, b: (a, int(stepping.first_illegal(allowed[a:b], self.chosen[a:b]))))
        wrong: list[int] = [a + i for a, i in firsts if i >= 0]
        if wrong:
            return wrong[0]
        self.play(states, *dealing, *results)
        return -1

    def indices(self, given: Any, end: int, distinct: bool) -> tuple[Any, int]:
        """Indices of any integer type; and the first place where one does not exist, or comes again, or else -1."""
        places = np.ascontiguousarray(given, np.int64)
        wrong = (places < 0) | (places >= end)
        if not wrong.any() and distinct:
            first = np.zeros(end, np.int64)
            first[places[::-1]] = np.arange(len(places))[::-1]
            wrong = first[places] != np.arange(len(places))
        return places, int(wrong.argmax()) if wrong.any() else -1

    def at(self, places: Any) -> Any:
        """A byte for each game: 1 for those at these places."""
        wanted = np.zeros(self.n, np.uint8)
        wanted[places] = 1
        return wanted

    def where(self, mask: Any) -> Any:
        """A byte for each game, from booleans."""
        return np.ascontiguousarray(mask).view(np.uint8)

    def spread(self, given: Any, places: Any) -> Any:
        """Numbers for the games at these places, as an array for all games."""
        full = np.zeros(self.n, given.dtype)
        full[places] = given
        return full

    def gather(self, states: States, places: Any) -> Any:
        """Copies of the records at these places, as words."""
        rows = words(states)
        out = np.empty((len(places), rows.shape[1]), np.int64)
        self.each(lambda a, b: rows.take(places[a:b], axis=0, out=out[a:b], mode="clip"), len(places))
        return out

    def replace(self, states: States, rows: Any) -> None:
        """Put records at all places, in their order."""
        target = words(states)

        def work(a: int, b: int) -> None:
            target[a:b] = rows[a:b]

        self.each(work, len(rows))

    def copy(self, states: States, rows: Any) -> None:
        """All records as rows of bytes."""
        target, source = rows.view(np.int64), words(states)

        def work(a: int, b: int) -> None:
            target[a:b] = source[a:b]

        self.each(work)

    def as_words(self, rows: Any) -> Any:
        """Rows of bytes as words of eight, in the same memory."""
        return np.ascontiguousarray(rows).view(np.int64)

    def scatter(self, states: States, places: Any, rows: Any) -> None:
        """Put records at these places; one is put at all of them."""
        target = words(states)
        one = len(rows) == 1

        def work(a: int, b: int) -> None:
            target[places[a:b]] = rows if one else rows[a:b]

        self.each(work, len(places))

    def redraw(self, states: States, wanted: Any, seats: Any, seeds: Any) -> None:
        def work(a: int, b: int) -> None:
            own = seeds[a:b] if len(seeds) > 1 else seeds
            stepping.redraw_all(states[a:b], wanted[a:b], seats[a:b], own, a)

        self.each(work)

    def decide(self, states: States, wanted: Any, noise: int | None, first: int, actions: Any) -> None:
        """Fill in what a heuristic player, or without noise one that plays at random, would do."""
        rules = self.contract.rules

        def work(a: int, b: int) -> None:
            out, luck = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(1, np.uint64)
            ratings = None if noise is None else np.zeros(rules.MAX_LEGAL, np.int64)
            view = np.zeros(1, rules.State)
            fixed = states[a:b], view, wanted[a:b], noise or 0, first, out, ratings, luck, actions[a:b]
            deciding.decide_all(*fixed)

        self.each(work)

    def prefer(self, states: States, wanted: Any, table: Any, noise: int, first: int, actions: Any) -> None:
        """Fill in what a policy would do."""
        rules, size = self.contract.rules, self.contract.features.SIZE
        tables = np.require(table, requirements=["C", "W"])

        def work(a: int, b: int) -> None:
            scratch = np.zeros(size, np.int8), np.zeros(size, np.int16)
            out, luck = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(1, np.uint64)
            fixed = states[a:b], wanted[a:b], tables, noise, first, *scratch, out, luck, actions[a:b]
            deciding.prefer_all(*fixed)

        self.each(work)

    def add(self, totals: Any, more: Any) -> None:
        """Add up, element by element."""
        totals += more

    def others(self, movers: Any, own: Any, seat: int | None = None) -> Any:
        """Booleans: where another seat than the own one, or this other seat, is to act; None if there is no such
        game."""
        wanted = movers != own
        if seat is not None:
            wanted &= movers == seat
        return wanted if wanted.any() else None

    def wrong(self) -> int:
        """The first game with an illegal action among those not waited for: there are none here."""
        return -1

    def play_out(
        self, states: States, first: int, repeat: int, totals: Any, moves: Any, table: Any, noise: int
    ) -> None:
        rules, features = self.contract.rules, self.contract.features

        def work(a: int, b: int) -> None:
            players = totals.shape[1]
            fixed = (
                states[a:b], np.zeros(1, rules.State), first, repeat, np.zeros(rules.MAX_LEGAL, np.int16),
                np.zeros(1, np.uint64), np.zeros(players, np.int32), np.zeros(players, np.float32), totals[a:b],
                moves[a:b],
            )  # fmt: skip
            if table is None:
                playouts.play_out_all(*fixed)
            else:
                scratch = np.zeros(features.SIZE, np.int8), np.zeros(features.SIZE, np.int16)
                playouts.play_policy_all(*fixed, np.require(table, requirements=["C", "W"]), noise, *scratch)

        self.each(work)

    def synchronize(self) -> None:
        """There is nothing to wait for."""
