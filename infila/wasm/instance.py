"""A module that runs here, by wasmtime.

An instance has a memory of its own, in which arguments are laid out anew for every call; it must stay in one thread.
What is compiled of a module is shared by all of them.
"""

import ctypes
import struct
import threading
from typing import Any

import wasmtime

from infila.wasm.modules import Module

PAGE = 1 << 16
ALIGNED = 64
MASK = 2**64 - 1


class Engine:
    """A module, compiled for this machine in a tenth of a second, with an instance for each thread that calls it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._engine = wasmtime.Engine()
        self._code = wasmtime.Module(self._engine, module.code)
        self._here = threading.local()

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry as Python calls the compiled one: with NumPy's arrays, which it may change, and numbers."""
        instance = getattr(self._here, "instance", None)
        if instance is None:
            instance = self._here.instance = Instance(self._engine, self._code, self.module.description["entries"])
        return instance.call(name, arguments)


class Instance:
    def __init__(self, engine: wasmtime.Engine, code: wasmtime.Module, entries: dict[str, Any]) -> None:
        self._store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(self._store, code, []).exports(self._store)
        self._functions = {name: exports[name] for name in entries}
        self._gives = {name: len(entry["gives"]) for name, entry in entries.items()}
        self._memory = exports["memory"]
        self._block = exports["block"].value(self._store)
        self._heap = exports["heap"].value(self._store)
        self._look()

    def _look(self) -> None:
        """Where the memory is, which moves when it grows."""
        self._size = self._memory.data_len(self._store)
        address = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._bytes = memoryview((ctypes.c_ubyte * self._size).from_address(address)).cast("B")

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        gives = self._gives[name]
        cells, arrays = [0] * gives, []
        top = self._heap
        for argument in _flat(arguments):
            if hasattr(argument, "dtype") and argument.ndim:
                top = -(-top // ALIGNED) * ALIGNED
                cells += (top, len(argument))
                arrays.append((top, argument.view("u1")))
                top += argument.nbytes
            else:
                cells.append(int(argument) & MASK)
        if top > self._size:
            self._memory.grow(self._store, -(-(top - self._size) // PAGE))
            self._look()
        held, block = self._bytes, self._block
        struct.pack_into(f"<{len(cells)}Q", held, block, *cells)
        for at, array in arrays:
            held[at : at + len(array)] = array.data
        self._functions[name](self._store)
        for at, array in arrays:
            array.data[:] = held[at : at + len(array)]
        given = struct.unpack_from(f"<{gives}q", held, block)
        return given if gives > 1 else given[0] if gives else None


def _flat(arguments: tuple[Any, ...]) -> Any:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from argument
        else:
            yield argument
