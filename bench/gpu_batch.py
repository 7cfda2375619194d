"""Batches on a GPU: steps per second with observations and legal actions written to its memory, by number of games, and
proof that all of it is the CPU's, byte for byte. A part of `bench.gpu`.
"""

import hashlib
import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from infila.batch import Batch
from infila.batch.batch_kernels import kernel, launch

LONG = 400  # moves: longer than most games
SMALL = 10_000  # games that are really played so far; larger batches are copies of them


@kernel
def pick(lists: Any, counts: Any, salt: Any, actions: Any) -> None:
    """A learner's part: one of the legal actions, at random."""
    i = cuda.grid(1)
    if i < counts.shape[0]:
        x = (i * 2654435761 + salt * 40503) & 0x7FFFFFFF
        x = (x ^ (x >> 13)) * 48271 & 0x7FFFFFFF
        actions[i] = lists[i, (x >> 7) % counts[i]]


def choose(batch: Batch, salt: int, actions: Any) -> None:
    lists, counts = batch.legal()
    launch(pick, batch.n, lists, counts, salt, actions)


def prepare(name: str) -> float:
    """Compile all kernels; how long that took."""
    start = time.perf_counter()
    batch = Batch(name, 4, device="gpu")
    actions = cuda.device_array(4, np.int16)
    choose(batch, 0, actions)
    batch.observe()
    batch.mask()
    batch.step(actions)
    batch.playouts()
    policy = cuda.to_device(np.zeros((batch.features + 1, batch.actions), np.int16))
    batch.playouts(policy=policy)
    batch.gather([0] * 4)
    batch.redraw()
    for by in ("random", "casual", policy):
        batch.decide(by)
    batch.put(0, batch[1])
    batch.synchronize()
    return time.perf_counter() - start


def mixed(name: str, n: int, few: Batch | None) -> Batch:
    """A batch whose games are at all stages: copies of a few, or played so far by itself."""
    batch = Batch(name, n, device="gpu")
    actions = cuda.device_array(n, np.int16)
    if few is None:
        for step in range(LONG):
            choose(batch, step, actions)
            batch.step(actions, wait=False)
        batch.check()
    else:
        batch.put(slice(None), few[cuda.to_device(np.arange(n) % few.n)])
    batch.synchronize()
    return batch


def seconds(batch: Batch, rounds: int, work: Any) -> float:
    """Of one round."""
    batch.synchronize()
    start = time.perf_counter()
    for k in range(rounds):
        work(k)
    batch.synchronize()
    return (time.perf_counter() - start) / rounds


def speed(name: str, n: int, few: Batch) -> dict[str, Any]:
    """Steps with observations and legal actions, nobody waiting; and what each part takes by itself."""
    batch = mixed(name, n, few)
    actions = cuda.device_array(n, np.int16)
    rounds = max(4, min(100, 10**8 // n))

    def whole(k: int) -> None:
        batch.observe()
        choose(batch, k, actions)
        batch.step(actions, wait=False)

    def waiting(k: int) -> None:
        choose(batch, k, actions)
        batch.step(actions)

    def not_waiting(k: int) -> None:
        choose(batch, k, actions)
        batch.step(actions, wait=False)

    whole(0)
    found = seconds(batch, rounds, whole)
    batch.check()
    few_rounds = max(2, rounds // 4)
    source = cuda.to_device(np.random.default_rng(1).integers(0, n, n))
    parts = {
        "observe": seconds(batch, few_rounds, lambda k: batch.observe()),
        "legal": seconds(batch, few_rounds, lambda k: batch.legal()),
        "mask": seconds(batch, few_rounds, lambda k: batch.mask()) if n <= 10**6 else None,
        "legal, choose, step": seconds(batch, few_rounds, not_waiting),
        "legal, choose, step and wait": seconds(batch, few_rounds, waiting),
        "gather": seconds(batch, few_rounds, lambda k: batch.gather(source)),
        "redraw": seconds(batch, few_rounds, lambda k: batch.redraw(seed=k)),
        "decide, casual": seconds(batch, few_rounds, lambda k: batch.decide("casual", first=k)),
    }
    return {
        "steps_per_second": round(n / found),
        "nanoseconds_per_step": round(1e9 * found / n, 3),
        "milliseconds": {part: None if value is None else round(1e3 * value, 3) for part, value in parts.items()},
    }


def everything(name: str, device: str, n: int, steps: int) -> dict[str, str]:
    """Digests of all that a batch gives in so many steps, and of playouts."""
    batch = Batch(name, n, device=device, seed=77)
    told = {
        what: hashlib.sha256()
        for what in ("legal", "mask", "observations", "results", "playouts", "states", "branched")
    }

    def tell(what: str, *arrays: Any) -> None:
        for array in arrays:
            there = array if isinstance(array, np.ndarray) else batch._on.host(array)
            told[what].update(np.ascontiguousarray(there).tobytes())

    for step in range(steps):
        lists, counts = batch.legal()
        tell("legal", lists, counts, batch.movers)
        tell("mask", batch.mask())
        tell("observations", batch.observe())
        tell("observations", batch.observe(seats=step % 2))  # on a GPU, into the same memory
        numbers = np.arange(n) * 7919 + step * 104729
        actions = batch._on.host(lists)[np.arange(n), numbers % batch._on.host(counts)]
        batch.step(cuda.to_device(actions) if device == "gpu" else actions)
        tell("results", batch.rewards, batch.scores, batch.dones)
    table = np.random.default_rng(3).integers(-99, 99, (batch.features + 1, batch.actions), np.int16)
    policy = cuda.to_device(table) if device == "gpu" else table
    tell("playouts", *batch.playouts(2), *batch.playouts(policy=policy, noise=500))
    tell("states", batch.states)
    numbers = np.random.default_rng(4).integers(0, n, n)
    batch.gather(cuda.to_device(numbers) if device == "gpu" else numbers)
    batch.redraw(seed=8)
    for by in ("random", "casual", policy):
        actions = batch.decide(by, noise=9)
        tell("branched", actions, batch.states)
        batch.step(actions)
    tell("branched", batch[: n // 2].records(), batch.observe())
    return {what: digest.hexdigest() for what, digest in told.items()}


def shared(name: str) -> dict[str, str]:
    """Which libraries, of those that are installed, see a batch's memory itself and not a copy."""
    batch = Batch(name, 64, device="gpu")
    rows = batch.observe()
    address = rows.__cuda_array_interface__["data"][0]
    readers: dict[str, Callable[[Any], int]] = {
        "torch": lambda module: module.as_tensor(rows, device="cuda").data_ptr(),
        "cupy": lambda module: module.asarray(rows).data.ptr,
        "jax": lambda module: module.numpy.asarray(rows).unsafe_buffer_pointer(),
    }
    found = {}
    for library, pointer in readers.items():
        try:
            found[library] = "the same memory" if pointer(importlib.import_module(library)) == address else "a copy"
        except ImportError:
            found[library] = "not installed"
    return found


def measure_batch(name: str, sizes: tuple[int, ...], compared: int, steps: int) -> dict[str, Any]:
    few = mixed(name, min(SMALL, max(sizes)), None)
    on_gpu = everything(name, "gpu", compared, steps)
    on_cpu = everything(name, "cpu", compared, steps)
    return {
        "by_games": {str(n): speed(name, n, few) for n in sizes},
        "compared_games": compared,
        "compared_steps": steps,
        "same_as_cpu": {what: on_gpu[what] == on_cpu[what] for what in on_cpu},
    }
