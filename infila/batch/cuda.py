"""Whether CUDA can be used here."""

from typing import Any

import numpy as np

from infila.core.errors import NoDevice


def usable_cuda() -> Any:
    """numba.cuda; raises NoDevice where it cannot be used."""
    # numba-cuda 0.30 still uses a name that NumPy 2.5 has dropped
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack
    try:
        from numba import config, cuda

        if not config.ENABLE_CUDASIM:
            import numba_cuda  # noqa: F401  (Numba's own cuda is no longer maintained)
        available = cuda.is_available()
    except ImportError:
        raise NoDevice(
            "playing on a GPU needs numba-cuda: pip install 'infila[gpu]'. Or choose cpu as the device."
        ) from None
    if not available:
        raise NoDevice("there is no GPU that CUDA can use on this machine. Choose cpu as the device.")
    return cuda
