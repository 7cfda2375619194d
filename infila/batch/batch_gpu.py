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
        self.no_last = self.cuda.device_array(2 if n == 1 else 1, contract.rules.State.dtype)  # not of n games: unused
        self.everywhere = self.cuda.to_device(np.ones(n, np.uint8))
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

    def device(self, array: Any) -> Any:
        return self.cuda.to_device(np.ascontiguousarray(array))

    def is_free(self, arrays: list[Any], k: int) -> bool:
        """There is one array of each kind, which is used again and again: the memory of a GPU is dear."""
        return True

    def seen(self, array: Any) -> Any:
        """A copy: on a GPU nothing can keep others from writing."""
        copy = self.cuda.device_array(array.shape, array.dtype)
        copy.copy_to_device(array)
        return copy

    def held(self, array: Any) -> Any:
        return array

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

    def deal(self, states: Any, seeds: Any, stride: int, numbers: Any, *results: Any) -> None:
        for array in results[:-1]:  # the last of them are records
            self.fill(array, 0)
        self.launch(self.kernels.count_up, numbers, int(len(seeds) == 1))
        self.launch(self.rules.deal, words(states), self.template, seeds, numbers)

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

    def discount(self, dones: Any, out: Any) -> None:
        self.launch(self.kernels.discount, dones, out)

    def first_over(self, rows: Any, contract: Contract) -> int:
        if len(rows):
            self.kernels.launch(self.rules.find_over, len(rows), rows.ravel(), self.no_seat)
        return self.first(self.no_seat)

    def observe_ended(self, last: Any, dones: Any, seats: Any, out: Any) -> None:
        self.launch(self.rules.observe_ended, last, dones, seats, out.view(np.int64))

    def step(self, states: Any, allowed: Any, dealing: Any, given: Any, wanted: Any, results: Any, wait: bool) -> int:
        seeds, stride = dealing
        numbers, *ended, last = results
        self.fill(self.count, 0)
        self.launch(self.kernels.take, given, self.chosen, self.actions, self.unread)
        if wanted is not None:
            self.launch(self.kernels.stay, wanted, self.chosen)
        self.launch(self.kernels.check, allowed, self.chosen, self.illegal)
        self.launch(self.rules.step, states, self.chosen, self.illegal, *ended, self.ended, self.count)
        dealt = self.template, seeds, uint64(stride), numbers, self.ended, self.count
        self.launch(self.rules.redeal, words(states), words(last), *dealt)
        return self.wrong() if wait else -1

    def indices(self, given: Any, end: int, distinct: bool) -> tuple[Any, int]:
        places = self.cuda.device_array(len(given), np.int64)
        seen = self.cuda.device_array(end + 1 if distinct else 1, np.int64)
        if len(given):
            self.fill(seen, 0)
            self.kernels.launch(self.kernels.look_up, len(given), given, places, end, seen, self.no_seat)
        return places, self.first(self.no_seat)

    def at(self, places: Any) -> Any:
        wanted = self.zeros((self.n,), np.uint8)
        if len(places):
            self.kernels.launch(self.kernels.mark, len(places), places, wanted)
        return wanted

    def where(self, mask: Any) -> Any:
        return mask.view(np.uint8)

    def spread(self, given: Any, places: Any) -> Any:
        full = self.zeros((self.n,), np.uint64 if given.dtype.kind == "u" else np.int64)
        if len(places):
            self.kernels.launch(self.kernels.spread, len(places), given, places, full)
        return full

    def unsigned(self, numbers: Any) -> Any:
        full = self.cuda.device_array(self.n, np.uint64)
        self.launch(self.kernels.convert, numbers, full)
        return full

    def gather(self, states: Any, places: Any) -> Any:
        length = states.dtype.itemsize // self.kernels.WORD
        out = self.cuda.device_array((len(places), length), np.int64)
        if len(places):
            self.kernels.launch_flat(self.kernels.gather, len(places) * length, words(states), places, out.ravel())
        return out

    def replace(self, states: Any, rows: Any) -> None:
        words(states).copy_to_device(rows.ravel())

    def copy(self, states: Any, rows: Any) -> None:
        rows.view(np.int64).ravel().copy_to_device(words(states))

    def as_words(self, rows: Any) -> Any:
        return self.write(rows, "states").view(np.int64)

    def scatter(self, states: Any, places: Any, rows: Any) -> None:
        length = states.dtype.itemsize // self.kernels.WORD
        if len(places):
            moved = words(states), places, rows.ravel(), length
            self.kernels.launch_flat(self.kernels.scatter, len(places) * length, *moved)

    def redraw(self, states: Any, wanted: Any, seats: Any, seeds: Any) -> None:
        self.launch(self.rules.redraw, words(states), wanted, seats, seeds)

    def decide(self, states: Any, wanted: Any, noise: int | None, first: int, actions: Any) -> None:
        kernel = self.rules.draw_lots if noise is None else self.rules.rate
        self.launch(kernel, words(states), wanted, noise or 0, first, actions)

    def prefer(self, states: Any, wanted: Any, table: Any, noise: int, first: int, actions: Any) -> None:
        self.launch(self.rules.prefer, states, wanted, table, noise, first, actions)

    def add(self, totals: Any, more: Any) -> None:
        flat = totals.ravel()
        self.kernels.launch_flat(self.kernels.add, len(flat), flat, more.ravel())

    def others(self, movers: Any, own: Any, seat: int | None = None) -> Any:
        wanted = self.cuda.device_array(self.n, np.bool_)
        self.fill(self.count, 0)
        self.launch(self.kernels.other, movers, own, -1 if seat is None else seat, wanted, self.count)
        return wanted if int(self.count.copy_to_host()[0]) else None

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
