"""A module that runs here, by wasmtime.

An instance has a memory of its own, in which arguments are laid out anew for every call; it must stay in one thread.
What is compiled of a module is shared by all of them.
"""

import ctypes
import threading
from collections.abc import Callable
from functools import cached_property, partial
from struct import Struct
from typing import Any

import wasmtime

from infila.wasm.modules import BadModule, Module

PAGE = 1 << 16
ALIGNED = 64
MASK = 2**64 - 1


class Engine:
    """A module, compiled for this machine in a tenth of a second when it is first called, with an instance for each
    thread that calls it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._here = threading.local()

    @cached_property
    def _compiled(self) -> tuple[wasmtime.Engine, wasmtime.Module]:
        engine = wasmtime.Engine()
        return engine, wasmtime.Module(engine, self.module.code)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry as Python calls the compiled one: with NumPy's arrays, which it may change, and numbers."""
        instance: Instance | None = getattr(self._here, "instance", None)
        if instance is None:
            instance = self._here.instance = Instance(*self._compiled, self.module.description["entries"])
        return instance.call(name, arguments)


class Instance:
    """A module in one thread."""

    def __init__(self, engine: wasmtime.Engine, code: wasmtime.Module, entries: dict[str, Any]) -> None:
        self._store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(self._store, code, []).exports(self._store)
        self._memory = exports["memory"]
        self._block, self._heap = (exports[name].value(self._store) for name in ("block", "heap"))
        self._entries = {
            name: _Entry(_quick(exports[name], self._store), entry["gives"], entry["takes"])
            for name, entry in entries.items()
        }
        self._look()

    def _look(self) -> None:
        """Where the memory is, which moves when it grows."""
        self._size = self._memory.data_len(self._store)
        address = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._bytes = memoryview((ctypes.c_ubyte * self._size).from_address(address)).cast("B")

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        entry = self._entries[name]
        top, cells, arrays = self._heap, list(entry.nothing), []
        for argument, many in zip(flat(arguments), entry.many, strict=True):
            if many:
                cells += (top, len(argument))
                view = argument.view("u1").data
                end = top + view.nbytes
                arrays.append((top, end, view))
                top = -(-end // ALIGNED) * ALIGNED
            else:
                cells.append(int(argument) & MASK)
        if top > self._size:
            self._memory.grow(self._store, -(-(top - self._size) // PAGE))
            self._look()
        held = self._bytes
        entry.cells.pack_into(held, self._block, *cells)
        for at, end, view in arrays:
            held[at:end] = view
        entry.run()
        for at, end, view in arrays:
            view[:] = held[at:end]
        if not entry.nothing:
            return None
        given = entry.given.unpack_from(held, self._block)
        return given if len(given) > 1 else given[0]


class _Entry:
    """How an entry is called."""

    def __init__(self, run: Callable[[], None], gives: list[str], takes: list[str]) -> None:
        self.run = run
        self.many = [kind.endswith("[]") for kind in takes]
        self.nothing = [0] * len(gives)
        self.given = Struct(f"<{len(gives)}q")
        self.cells = Struct(f"<{len(gives) + len(takes) + sum(self.many)}Q")


def _quick(function: Any, store: wasmtime.Store) -> Callable[[], None]:
    """wasmtime's own way of calling a function looks up its type every time, which takes longer than most entries do.
    Ours take and give nothing, so there is nothing to look up."""
    try:
        from wasmtime import _ffi

        unchecked, context = _ffi.wasmtime_func_call_unchecked, store._context()
        place, trap = ctypes.byref(function._func), ctypes.POINTER(_ffi.wasm_trap_t)()
    except (ImportError, AttributeError):  # another version of wasmtime
        return partial(function, store)
    reason = ctypes.byref(trap)

    def run() -> None:
        if unchecked(context, place, None, 0, reason) or trap:
            raise BadModule("the rules have stopped in the middle of an entry, which they never should.")

    return run


def flat(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments as a module takes them: a tuple of arrays is its members."""
    for at, argument in enumerate(arguments):
        if isinstance(argument, tuple):
            return (*arguments[:at], *argument, *flat(arguments[at + 1 :]))
    return arguments
