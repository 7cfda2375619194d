"""No compiler: a rule runs as the Python that it is, or where it is put instead (`infila.core.stand_ins`)."""

from collections.abc import Callable
from functools import update_wrapper
from types import SimpleNamespace
from typing import Any, cast

__version__ = "0"
config = SimpleNamespace(DISABLE_JIT=0, BOUNDSCHECK=0, CACHE_DIR="")


class Uncompiled:
    """An entry, which would be compiled when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self._compile_for_args(*arguments)(*arguments)

    def _compile_for_args(self, *_arguments: Any) -> Callable[..., Any]:
        return self.py_func


def njit(**_options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return lambda function: Uncompiled(function) if hasattr(function, "entry") else _itself(function)


def _itself(function: Any) -> Callable[..., Any]:
    """A small rule: nothing is ever put in its place, so it is called as what it is."""
    function.py_func = function
    function._compile_for_args = lambda *_arguments: function
    return cast(Callable[..., Any], function)
