"""Random play on a GPU, by the very functions that the CPU runs."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from infila.batch.cuda import usable_cuda
from infila.core.contract import Contract
from infila.core.record import States

THREADS = 64  # per block: few, because a game's record lies in the thread's own memory


def play_chunks(game: Contract, template: States, seed: int, games: int, chunk: int) -> Iterator[tuple[States, Any]]:
    """Final states and lengths, chunk by chunk; the kernel is compiled before this returns."""
    cuda = usable_cuda()
    from infila.batch.simulate_kernel import kernel_of

    kernel = kernel_of(game)
    options = cuda.to_device(template)
    states = cuda.device_array(min(chunk, games), game.rules.State)
    moves = cuda.device_array(min(chunk, games), np.int64)

    def play(first: int, n: int) -> None:
        blocks = (n + THREADS - 1) // THREADS
        kernel[blocks, THREADS](states[:n], options, np.uint64(seed), np.uint64(first), moves[:n])

    def chunks() -> Iterator[tuple[States, Any]]:
        for first in range(0, games, chunk):
            n = min(chunk, games - first)
            play(first, n)
            yield states[:n].copy_to_host(), moves[:n].copy_to_host()

    play(0, 1)
    cuda.synchronize()
    return chunks()
