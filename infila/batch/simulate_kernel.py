"""The kernel: one thread plays one game, in a record of its own, and copies it out at the end.

Imported only where CUDA, or its simulator, can be used.
"""

from typing import Any

import numpy as np
from numba import config, cuda, from_dtype, types

from infila.core import bits, chance, dispatch, driver
from infila.core.contract import Contract

SIMULATED = bool(config.ENABLE_CUDASIM)

if not SIMULATED:  # the simulator runs plain Python, which finds the rules of a record by itself
    from numba.cuda.extending import intrinsic, overload

    bits.teach(overload, intrinsic)
    dispatch.teach(overload)


def kernel_of(game: Contract) -> Any:
    record = game.rules.State if SIMULATED else from_dtype(game.rules.State.dtype)
    width = game.rules.MAX_LEGAL

    def play_one(states: Any, template: Any, seed: Any, first: Any, moves: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            out = cuda.local.array(width, types.int16)
            luck = cuda.local.array(1, types.uint64)
            mine = cuda.local.array(1, record)
            mine[0] = template[0]
            chance.seed(mine[0], seed, first + np.uint64(i))
            dispatch.deal(mine[0])
            chance.seed_luck(luck, mine[0])
            moves[i] = driver.playout(mine[0], out, luck, driver.ENDLESS)
            states[i] = mine[0]

    return cuda.jit(play_one)
