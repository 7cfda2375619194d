"""From LLVM's WebAssembly object to a module that can be run.

An object is a module that still lacks its memory, and in which the addresses of constants are not yet known. With one
object that imports no function there is little to link: all indices stay as they are, so only addresses are filled in.
The stack comes first, so that one that overflows stops the module instead of overwriting constants; then the constants;
what follows them, from `heap` on, belongs to whoever calls the module.

The format: https://webassembly.github.io/spec/core/binary/ and, for what is special about objects,
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from infila.core.errors import InfilaError

STACK = 1 << 16  # bytes: rules keep little there
PAGE = 1 << 16
ALIGNED = 64  # the heap begins at a multiple of this

CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA, DATA_COUNT = 0, 1, 2, 3, 5, 6, 7, 10, 11, 12
I32, MUTABLE, I32_CONST, END = 0x7F, 1, 0x41, 0x0B
# relocations: those of indices, which stay, and those of addresses: in code as LEB128, signed or not, and in data
INDEX_OF_FUNCTION, INDEX_OF_TYPE, INDEX_OF_GLOBAL = 0, 6, 7
ADDRESS, SIGNED_ADDRESS, ADDRESS_IN_DATA = 3, 4, 5
OF_FUNCTION, OF_DATA, OF_SECTION = 0, 1, 3  # kinds of symbols
UNDEFINED, NAMED = 0x10, 0x40  # flags of symbols
SYMBOLS = 8  # the part of the linking section that lists them


class CannotLink(InfilaError):
    """The rules do something that a module cannot do by itself."""


class _Reader:
    """Bytes, read from the front."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self, signed: bool = False) -> int:
        """A number as LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()


def number(value: int, size: int = 0) -> bytes:
    """A number that is not negative as LEB128, filled up to a size."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < size:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def named(name: str) -> bytes:
    return number(len(name)) + name.encode()


def vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return number(len(listed)) + b"".join(listed)


def constant(value: int) -> bytes:
    """An expression of one number below 2**34, the sign of which is always plain."""
    return bytes([I32_CONST]) + number(value, 5) + bytes([END])


@dataclass(frozen=True)
class _Symbol:
    kind: int
    name: str
    index: int  # of the function or of the piece of data
    offset: int = 0  # within the piece


def link(of: bytes, entries: Iterable[str], block: str) -> bytes:
    """The module of an object. It exports these functions, its memory, and as constants where a piece of its data is,
    and where the heap begins."""
    sections, custom = _sections(of)
    _check_imports(sections.get(IMPORT, b"\0"))
    symbols = list(_symbols(custom["linking"]))
    pieces, top = _laid_out(sections.get(DATA, b"\0"))
    for name, place in (("reloc.CODE", CODE), ("reloc.DATA", DATA)):
        if name in custom:
            sections[place] = _relocated(sections[place], custom[name], symbols, pieces)
    heap = -(-top // ALIGNED) * ALIGNED
    functions = {symbol.name: symbol.index for symbol in symbols if symbol.kind == OF_FUNCTION}
    exports = [named(name) + bytes([0]) + number(functions[name]) for name in entries]
    exports += [named("memory") + bytes([2, 0]), named(block) + bytes([3, 1]), named("heap") + bytes([3, 2])]
    (held,) = (pieces[symbol.index] + symbol.offset for symbol in symbols if symbol.name == block)
    constants = [bytes([I32, 0]) + constant(address) for address in (held, heap)]
    contents = {
        TYPE: sections[TYPE],
        FUNCTION: sections[FUNCTION],
        MEMORY: vector([b"\0" + number(-(-heap // PAGE))]),
        GLOBAL: vector([bytes([I32, MUTABLE]) + constant(STACK), *constants]),
        EXPORT: vector(exports),
        DATA_COUNT: sections.get(DATA_COUNT),
        CODE: sections[CODE],
        DATA: vector(b"\0" + constant(at) + number(len(data)) + data for at, data in _data(sections, pieces)),
    }
    parts = (bytes([kind]) + number(len(part)) + part for kind, part in contents.items() if part)
    return b"\0asm\1\0\0\0" + b"".join(parts)


def _sections(of: bytes) -> tuple[dict[int, bytes], dict[str, bytes]]:
    """The sections by their kinds, and the custom ones by their names."""
    reader = _Reader(of)
    reader.take(8)
    sections, custom = {}, {}
    while reader:
        kind = reader.byte()
        content = reader.take(reader.number())
        if kind == CUSTOM:
            inner = _Reader(content)
            name = inner.name()
            custom[name] = content[inner.at :]
        else:
            sections[kind] = content
    return sections, custom


def _check_imports(section: bytes) -> None:
    """An object imports its memory and the pointer of its stack, which it gets here, and nothing else."""
    reader = _Reader(section)
    missing = []
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if (name, kind) == ("__linear_memory", 2):
            if reader.number() & 1:
                reader.number()
            reader.number()
        elif (name, kind) == ("__stack_pointer", 3):
            reader.take(2)
        elif kind == 0:
            missing.append(name)
            reader.number()
        else:
            raise CannotLink(f"the rules need {name}, which a module does not have.")
    if missing:
        raise CannotLink(f"the rules call what is not theirs: {', '.join(sorted(missing))}. They may only compute.")


def _symbols(section: bytes) -> Iterator[_Symbol]:
    reader = _Reader(section)
    reader.number()
    while reader:
        kind, part = reader.byte(), _Reader(reader.take(reader.number()))
        if kind != SYMBOLS:
            continue
        for _ in range(part.number()):
            yield _symbol(part)


def _symbol(part: _Reader) -> _Symbol:
    kind, flags = part.byte(), part.number()
    if kind == OF_DATA:
        name = part.name()
        if flags & UNDEFINED:
            raise CannotLink(f"the rules use {name}, which is not theirs.")
        index, offset, _ = part.number(), part.number(), part.number()
        return _Symbol(kind, name, index, offset)
    index = part.number()
    has_name = kind != OF_SECTION and (flags & NAMED or not flags & UNDEFINED)
    return _Symbol(kind, part.name() if has_name else "", index)


def _laid_out(section: bytes) -> tuple[list[int], int]:
    """Where each piece of data lies, and where the last one ends. LLVM has laid them out from 0, and aligned them."""
    ends = [(at, at + len(data)) for at, data, _ in _pieces(section)]
    return [STACK + at for at, _ in ends], STACK + max((end for _, end in ends), default=0)


def _pieces(section: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Each piece of data: its address, its bytes, and where they begin in the section."""
    reader = _Reader(section)
    for _ in range(reader.number()):
        reader.take(2)  # active, i32.const
        at = reader.number(signed=True)
        reader.take(1)
        size = reader.number()
        begin = reader.at
        yield at, reader.take(size), begin


def _data(sections: dict[int, bytes], places: list[int]) -> Iterator[tuple[int, bytes]]:
    pieces = _pieces(sections.get(DATA, b"\0"))
    return ((at, data) for at, (_, data, _) in zip(places, pieces, strict=True))


def _relocated(section: bytes, relocations: bytes, symbols: list[_Symbol], pieces: list[int]) -> bytes:
    """A section with all addresses filled in."""
    out = bytearray(section)
    reader = _Reader(relocations)
    reader.number()
    for _ in range(reader.number()):
        kind, at, index = reader.byte(), reader.number(), reader.number()
        if kind in (INDEX_OF_FUNCTION, INDEX_OF_TYPE, INDEX_OF_GLOBAL):
            continue
        if kind not in (ADDRESS, SIGNED_ADDRESS, ADDRESS_IN_DATA):
            raise CannotLink(f"the rules need a relocation of kind {kind}; do they pass functions around?")
        symbol = symbols[index]
        address = pieces[symbol.index] + symbol.offset + reader.number(signed=True)
        if kind == ADDRESS_IN_DATA:
            out[at : at + 4] = address.to_bytes(4, "little")
        else:
            out[at : at + 5] = number(address, 5)
    return bytes(out)
