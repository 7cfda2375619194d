"""A batch on threads of the CPU: compiled rules do not hold the interpreter's lock, so chunks run side by side."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from infila.batch import playouts, stepping
from infila.core.contract import Contract
from infila.core.errors import InfilaError
from infila.core.record import States, uint64

CHUNK = 4096  # games handed to a thread at a time


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

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def fill(self, array: Any, value: int) -> None:
        array[:] = value

    def host(self, array: Any) -> Any:
        """An array of the batch as a NumPy array."""
        return array

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

    def each(self, work: Callable[[int, int], Any]) -> list[Any]:
        """Do the work for all games, chunk by chunk."""
        starts = range(0, self.n, CHUNK)
        if self.pool is None:
            return [work(a, min(a + CHUNK, self.n)) for a in starts]
        return list(self.pool.map(lambda a: work(a, min(a + CHUNK, self.n)), starts))

    def deal(self, states: States, seed: int, games: Any, points: Any, rewards: Any, dones: Any) -> None:
        """Deal the first game of each slot."""
        games[:] = 0
        self.chosen[:] = stepping.NO_MOVE
        self.play(states, seed, games, points, rewards, dones)

    def play(self, states: States, seed: int, *results: Any) -> None:
        """Play the actions that have been chosen."""

        def work(a: int, b: int) -> None:
            games, *ended = (array[a:b] for array in results)
            slots = uint64(a), uint64(self.n)
            stepping.step_all(states[a:b], self.template, uint64(seed), *slots, games, self.chosen[a:b], *ended)

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

    def step(self, states: States, allowed: Any, seed: int, given: Any, results: Any, wait: bool) -> int:
        """Play; return the first game whose action is illegal, in which case nothing has been played, or -1."""
        self.chosen[:] = stepping.NO_MOVE  # which is never legal
        exists = (given >= 0) & (given < self.contract.rules.ACTIONS)
        np.copyto(self.chosen, given, casting="unsafe", where=exists)
        firsts = self.each(lambda a, b: (a, int(stepping.first_illegal(allowed[a:b], self.chosen[a:b]))))
        wrong: list[int] = [a + i for a, i in firsts if i >= 0]
        if wrong:
            return wrong[0]
        self.play(states, seed, *results)
        return -1

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
