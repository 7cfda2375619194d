"""Many games at once: on threads of the CPU, or on a GPU, by the very same rules."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infila.batch.against import Against
    from infila.batch.batch import Batch
    from infila.batch.states import States

__all__ = ["Against", "Batch", "States"]


def __getattr__(name: str) -> Any:
    """They are imported on demand: a program that only simulates does not wait for them."""
    if name not in __all__:
        raise AttributeError(f"module 'infila.batch' has no attribute {name!r}")
    return getattr(import_module(f"infila.batch.{name.lower()}"), name)
