"""`rule` compiles a rule.

A rule is a small function on one record. Numba compiles it for the CPU and, unchanged, for a GPU; with
NUMBA_DISABLE_JIT=1 the same text runs as plain Python. Rules allocate nothing and raise nothing.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache

from infila.core.stand_ins import STAND_INS

Function = TypeVar("Function", bound=Callable[..., Any])

OWN = "infila"
# folders in which nothing is compiled, and files of a game that no rule depends on
WITHOUT_RULES = (
    "agents",
    "arena",
    "cli",
    "cluster",
    "conformance",
    "dataset",
    "envs",
    "lessons",
    "puzzles",
    "reviewing",
    "server",
    "site",
    "study",
    "terminal",
    "wasm",
    "web",
)
ABOUT_RULES = ("advice.py", "notation.py", "picture.py", "scoring.py", "screen.py", "story.py", "touch.py")


def _fingerprint() -> str:
    """A digest of all sources: Numba's cache looks only at a rule's own file, but rules call rules in other files."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    package = Path(__file__).parents[1]
    return _with_sources(digest, package, filter(may_matter, package.rglob("*.py")))


def may_matter(source: Path) -> bool:
    """Whether compiled rules may depend on one of infila's files."""
    folder = source.relative_to(Path(__file__).parents[1]).parts[0]
    return folder not in WITHOUT_RULES and not (folder == "games" and source.name in ABOUT_RULES)


def _with_sources(digest: Any, package: Path, sources: Iterable[Path]) -> str:
    for source in sorted(sources):
        digest.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes())
    return str(digest.hexdigest()[:16])


@cache
def stamp_of(module: str) -> str:
    """What the compiled rules of another package depend on besides infila: its sources. Empty for infila's own."""
    top = module.partition(".")[0]
    found = None if top in (OWN, "__main__") else find_spec(top)
    if found is None or found.submodule_search_locations is None:
        return ""
    digest = hashlib.sha256()
    for folder in found.submodule_search_locations:
        _with_sources(digest, Path(folder), Path(folder).rglob("*.py"))
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Where compiled code is kept. It is run as it is found, so it must be this user's own and nobody else's to touch:
    in the user's cache, or else among temporary files, or else in a new folder that is used only once."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / OWN
    for base in (usual, Path(tempfile.gettempdir()) / f"{OWN}-{_user()}"):
        try:
            return _own_folder(base, _fingerprint())
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix=f"{OWN}-"))


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _own_folder(base: Path, name: str) -> Path:
    """A folder in which nobody else can have put anything; raises OSError if it is not to be had."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(base)
    if _open_to_others(base, 0o022):
        base.chmod(0o700)  # what others have put there already is theirs, and refused below
    folder = base / name
    if folder.is_symlink():
        raise PermissionError(folder)
    if folder.is_dir():
        _check_owner(folder)
        if _open_to_others(folder, 0o077):
            shutil.rmtree(folder)  # others may have written there
    if not folder.is_dir():
        folder.mkdir(mode=0o700, exist_ok=True)
        _forget_old(base)
    _check_owner(folder)
    if not os.access(folder, os.W_OK):
        raise PermissionError(folder)
    return folder


def _check_owner(folder: Path) -> None:
    if hasattr(os, "geteuid") and folder.stat().st_uid != os.geteuid():
        raise PermissionError(folder)


def _open_to_others(folder: Path, bits: int) -> bool:
    """Whether the group or all have one of these rights. On Windows a user's folders are private by other means."""
    return hasattr(os, "geteuid") and bool(folder.stat().st_mode & bits)


def _forget_old(base: Path, days: float = 14) -> None:
    for folder in base.iterdir():
        if time.time() - folder.stat().st_mtime > days * 86400:
            shutil.rmtree(folder, ignore_errors=True)


CACHE = _cache_folder()
numba.config.CACHE_DIR = str(CACHE)

STAMPS: dict[tuple[Any, ...], str] = {}  # of the records of games that other packages bring, by their layout


def layout(names: Any, size: int) -> tuple[Any, ...]:
    """What distinguishes the record of one game from that of another."""
    return (*names, size)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Compiled code in files. What was compiled for the record of a game from another package, or is one of its rules,
    is valid only as long as that package is unchanged; infila's own games are not affected."""

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        key = super()._index_key(signature, codegen)
        stamps = (stamp_of(self._py_func.__module__), *_stamps_in(signature))
        return (*key, *stamps) if any(stamps) else key


def _stamps_in(signature: Any) -> Iterator[str]:
    for argument in signature:
        kind = getattr(argument, "dtype", argument)
        if isinstance(kind, types.Record) and (stamp := STAMPS.get(layout(kind.fields, kind.size))):
            yield stamp


# Rules allocate nothing, so they need no reference counts (_nrt: 5 to 17 % faster), and nobody calls them from C, so
# they need no wrapper for that (a second or more of compiling). Bounds checks cost 8 to 18 %, and a GPU has none: they
# are on in all tests, by NUMBA_BOUNDSCHECK=1, and off otherwise.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_compile = numba.njit(**_OPTIONS)
_compile_inline = numba.njit(inline="always", **_OPTIONS)


def rule(function: Function) -> Function:
    """The decorator of a rule: compile it when it is first called, or leave it as it is with NUMBA_DISABLE_JIT=1."""
    compiled: Function = _cached(_compile(function))
    return compiled


def inlined(function: Function) -> Function:
    """A rule that is called in one place only: compiled as part of its caller.

    Each rule is compiled together with everything it calls, so every level of calls makes people wait longer.
    """
    compiled: Function = _cached(_compile_inline(function))
    return compiled


def _cached(compiled: Any) -> Any:
    if not numba.config.DISABLE_JIT:
        compiled._cache = _Cache(compiled.py_func)
        compiled._compile_for_args = _or_instead(compiled.py_func, compiled._compile_for_args)
    return compiled


def _or_instead(function: Callable[..., Any], compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba asks for when Python calls a rule with arguments for which there is no compiled code yet."""

    def found(*arguments: Any) -> Any:
        return STAND_INS.instead(function, arguments) or compile_for(*arguments)

    return found


@rule
def left_of(seat: int, players: int) -> int:
    """The next seat clockwise. No division: by a variable, it would cost more than many a move."""
    return seat + 1 if seat + 1 < players else 0
