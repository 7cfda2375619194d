"""`record` makes the type of a game state, `rule` compiles a rule.

A rule is a small function on one record. Numba compiles it for the CPU and, unchanged, for a GPU; with
NUMBA_DISABLE_JIT=1 the same text runs as plain Python. Rules allocate nothing and raise nothing.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

Record: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"  # an array of one record: how a state is held in Python

Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]


def record(fields: list[Field]) -> "np.dtype[Any]":
    """A C-aligned record type with no hidden padding, so that equal states have equal bytes."""
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise TypeError(f"a field cannot be called {name!r}: un-jitted, s.{name} would be NumPy's own attribute")
    plain = np.dtype(fields)
    size = np.dtype(fields, align=True).itemsize
    gap = size - plain.itemsize
    aligned = np.dtype([*fields, ("_pad", "u1", (gap,))] if gap else fields, align=True)
    widths = [entry[0].itemsize for entry in (aligned.fields or {}).values()]
    if aligned.itemsize != size or sum(widths) != size:
        raise TypeError("the fields of a record must be ordered from wide to narrow")
    return np.dtype((np.record, aligned))


def plain(s: Any) -> SimpleNamespace:
    """A record's fields as Python numbers and lists: much faster to read from Python than the record."""
    values = zip(s.dtype.names, s.item(), strict=True)
    return SimpleNamespace(**{name: value if type(value) is int else value.tolist() for name, value in values})


WITHOUT_RULES = ("server", "web", "terminal")  # folders in which nothing is compiled


def _fingerprint() -> str:
    """Numba's cache looks only at the file of the function itself; rules call each other across files."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    package = Path(__file__).parents[1]
    for source in sorted(package.rglob("*.py")):
        if source.relative_to(package).parts[0] in WITHOUT_RULES:
            continue
        digest.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "infila"
    folder = base / _fingerprint()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _forget_old(base)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="infila-"))
    return folder


def _forget_old(base: Path, days: float = 14) -> None:
    for folder in base.iterdir():
        if time.time() - folder.stat().st_mtime > days * 86400:
            shutil.rmtree(folder, ignore_errors=True)


CACHE = _cache_folder()
numba.config.CACHE_DIR = str(CACHE)

# Rules allocate nothing, so they need no reference counts (_nrt: 5 to 17 % faster), and nobody calls them from C, so no
# wrapper for that (a second or more of compiling). Bounds checks cost 8 to 18 %, and a GPU has none: they are on in all
# tests, by NUMBA_BOUNDSCHECK=1, and off otherwise.
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_compile = numba.njit(**_OPTIONS)
_compile_inline = numba.njit(inline="always", **_OPTIONS)


def rule(function: Function) -> Function:
    """Compile a rule, or leave it as it is when the JIT is off."""
    compiled: Function = _compile(function)
    return compiled


def part(function: Function) -> Function:
    """A rule that is called in one place only: compiled as part of its caller.

    Each rule is compiled with all that it calls in it, so every level of calls is time for whoever waits.
    """
    compiled: Function = _compile_inline(function)
    return compiled


@rule
def left_of(seat: Any, players: Any) -> Any:
    """The next seat clockwise. No division: at a variable number it would cost more than many a move."""
    return seat + 1 if seat + 1 < players else 0
