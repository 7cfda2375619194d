"""Many games at once: on threads of the CPU, or on a GPU, by the very same rules."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infila.batch.batch import Batch

__all__ = ["Batch"]


def __getattr__(name: str) -> Any:
    """`Batch` is imported on demand: a program that only simulates does not wait for it."""
    if name != "Batch":
        raise AttributeError(f"module 'infila.batch' has no attribute {name!r}")
    from infila.batch.batch import Batch

    return Batch
