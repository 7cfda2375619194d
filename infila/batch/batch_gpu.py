"""A batch on a GPU: its arrays stay there, and other libraries use them there by `__cuda_array_interface__`."""

from typing import Any

import numpy as np

from infila.batch.cuda import usable_cuda
from infila.core.contract import Contract
from infila.core.errors import InfilaError
from infila.core.record import States, uint64

ALIGNED = 16


def words(states: Any) -> Any:
    """Records as words of eight bytes."""
    return states.view(np.int64)


class Gpu:
    """Where a batch's arrays lie, and what is done with them: here all on the device."""

    name = "GPU"

    def __init__(self, contract: Contract, template: States, n: int) -> None:
        self.cuda = usable_cuda()
        from infila.batch import batch_kernels as kernels

        self.kernels = kernels
        self.rules = kernels.kernels_of(contract.name)
        self.n = n
        self.actions = contract.rules.ACTIONS
        self.template = self.cuda.to_device(template)
        self.chosen = self.cuda.device_array(n, np.int16)
        self.no_mask = self.cuda.device_array((0, 1), np.uint8)
        self.ended = self.cuda.device_array(n, np.int64)
        self.count = self.cuda.to_device(np.zeros(1, np.int64))
        self.illegal = self.cuda.to_device(np.full(1, kernels.NOTHING, np.int64))  # the first game …
        self.no_seat = self.cuda.to_device(np.full(1, kernels.NOTHING, np.int64))
        self.unread = self.cuda.to_device(np.zeros(1, np.int64))  # for results that nobody reads

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        try:
            array = self.cuda.device_array(shape, dtype)
        except Exception as problem:  # the driver's error has no class of its own
            if "MEMORY" in str(problem).upper():
                raise MemoryError from problem
            raise
        if np.dtype(dtype).names is None:
            self.fill(array, 0)
        return array

    def fill(self, array: Any, value: int) -> None:
        self.kernels.launch_fill(array, value)

    def launch(self, kernel: Any, *arguments: Any) -> None:
        self.kernels.launch(kernel, self.n, *arguments)

    def host(self, array: Any) -> Any:
        return array.copy_to_host()

    def read(self, array: Any, what: str) -> Any:
        if self.kernels.SIMULATED and hasattr(array, "copy_to_host"):
            return array
        if not hasattr(array, "__cuda_array_interface__"):
            raise InfilaError(
                f"{what} must lie on the GPU, as the batch does: an array of PyTorch, JAX, CuPy or Numba."
            )
        return self.cuda.as_cuda_array(array)

    def write(self, array: Any, what: str) -> Any:
        own = self.read(array, what)
        if not own.is_c_contiguous() or (not self.kernels.SIMULATED and own.device_ctypes_pointer.value % ALIGNED):
            raise InfilaError(f"{what} must be contiguous and begin at a multiple of {ALIGNED} bytes.")
        return own

    def deal(self, states: Any, seed: int, *results: Any) -> None:
        for array in results:
            self.fill(array, 0)
        self.launch(self.rules.deal, words(states), self.template, uint64(seed))

    def legal(self, states: Any, allowed: Any, lists: Any, counts: Any) -> None:
        self.fill(allowed, 0)
        self.fill(lists, -1)
        self.launch(self.rules.legal, states, allowed, lists, counts)

    def mask(self, states: Any, allowed: Any, mask: Any = None) -> None:
        self.fill(allowed, 0)
        if mask is not None:
            self.fill(mask, 0)
        self.launch(self.rules.mask, states, allowed, self.no_mask if mask is None else mask)

    def movers(self, states: Any, seats: Any) -> None:
        self.launch(self.rules.movers, states, seats)

    def seats(self, given: Any, seats: Any, end: int) -> int:
        self.launch(self.kernels.take, given, seats, end, self.no_seat)
        return self.first(self.no_seat)

    def observe(self, states: Any, seats: Any, out: Any) -> None:
        self.launch(self.rules.observe, states, seats, out.view(np.int64))

    def step(self, states: Any, allowed: Any, seed: int, given: Any, results: Any, wait: bool) -> int:
        games, *ended = results
        self.fill(self.count, 0)
        self.launch(self.kernels.take, given, self.chosen, self.actions, self.unread)
        self.launch(self.kernels.check, allowed, self.chosen, self.illegal)
        self.launch(self.rules.step, states, self.chosen, self.illegal, games, *ended, self.ended, self.count)
        self.launch(self.rules.redeal, words(states), self.template, uint64(seed), games, self.ended, self.count)
        return self.wrong() if wait else -1

    def wrong(self) -> int:
        """The first game with an illegal action among those not waited for yet; this forgets it."""
        return self.first(self.illegal)

    def first(self, noted: Any) -> int:
        """The game that kernels have noted, or -1; asking waits for them."""
        found = int(noted.copy_to_host()[0])
        if found == self.kernels.NOTHING:
            return -1
        self.fill(noted, self.kernels.NOTHING)
        return found

    def play_out(self, states: Any, first: int, repeat: int, totals: Any, moves: Any, table: Any, noise: int) -> None:
        if table is None:
            self.launch(self.rules.play_out, words(states), first, repeat, totals, moves)
        else:
            self.launch(self.rules.play_policy, words(states), first, repeat, totals, moves, table, noise)

    def synchronize(self) -> None:
        self.cuda.synchronize()
