"""A game's entries as one WebAssembly object: what runs in the process that `infila.wasm.build` starts for it.

    python -m infila.wasm.compile GAME OBJECT DESCRIPTION

Numba has already turned every entry into LLVM's language for this machine. Rules allocate nothing, raise nothing and
call nothing of Python, so the same text holds for wasm32, with another layout of data. The entries become one module,
in which the rules that they share are there once; everything but the entries is internal, so that LLVM can inline it or
leave it out.

Numba passes an array as seven arguments. An entry of the module takes none: whoever calls it puts them into a block of
eight-byte cells, `block` in the module's memory. The cells hold what the entry gives, then what it takes: a number, or
the address of an array and how many items it has.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import types as numba_types

from infila.core import driver
from infila.core.contract import Contract
from infila.core.entry import ENTRIES, STATE, Entry, Kind, kinds_of
from infila.core.games import contract_of
from infila.core.record import Record
from infila.players import judging, search

__all__ = ["driver", "judging", "search"]  # imported for their entries

types: Any = numba_types
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # that every engine of the last years has
CELL = 8
CELLS = 64  # more than any entry needs
BLOCK = "block"
INTERNAL = "internal"


def main() -> None:
    game, to_object, to_description = sys.argv[1:]
    contract = contract_of(game)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    module = llvm.parse_assembly(
        f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
        f"@{BLOCK} = global [{CELLS} x i64] zeroinitializer, align 64\n"
    )
    given = {}
    for entry in ENTRIES.values():
        arguments = tuple(_type_of(annotation, contract) for annotation in entry.arguments.values())
        entry.function.compile(arguments)
        made = entry.function.overloads[arguments]
        inner, result = made.fndesc.llvm_func_name, made.signature.return_type
        module.link_in(llvm.parse_assembly(_for_wasm(entry.function.inspect_llvm(arguments), machine)))
        module.link_in(llvm.parse_assembly(_around(entry, inner, result, contract)))
        given[entry.name] = [_code(part) for part in _parts(result)]
    for function in module.functions:
        if not function.is_declaration and function.name not in ENTRIES:
            function.linkage = INTERNAL
    for variable in module.global_variables:
        if not variable.is_declaration and variable.name != BLOCK:
            variable.linkage = INTERNAL
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    Path(to_object).write_bytes(machine.emit_object(module))
    Path(to_description).write_text(json.dumps(_description(contract, given)), encoding="utf-8")


def _type_of(annotation: Any, contract: Contract) -> Any:
    """An argument as Numba calls it."""
    kinds = tuple(_numba_type(kind, contract) for kind in kinds_of(annotation))
    return types.NamedTuple(kinds, annotation) if isinstance(annotation, type) and len(kinds) > 1 else kinds[0]


def _numba_type(kind: Kind, contract: Contract) -> Any:
    one = numba.from_dtype(_dtype(kind, contract))
    return types.Array(one, 1, "C") if kind.many else one


def _dtype(kind: Kind, contract: Contract) -> "np.dtype[Any]":
    if kind.code == STATE:
        return contract.rules.State.dtype
    return kind.record.dtype if kind.record else np.dtype(kind.code)


def _for_wasm(text: str, machine: Any) -> str:
    """LLVM's text for this machine as text for another. WebAssembly has no `common` symbols."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{machine.target_data}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    return text.replace("= common ", "= linkonce_odr ")


def _parts(result: Any) -> tuple[Any, ...]:
    """What an entry gives: nothing, a number, or several."""
    if result is types.none:
        return ()
    return tuple(result) if isinstance(result, types.BaseTuple) else (result,)


def _code(part: Any) -> str:
    """A whole number or a truth is given in a cell as i8, whatever its size was."""
    if not isinstance(part, types.Integer | types.Boolean):
        raise TypeError(f"an entry gives whole numbers, not {part}")
    return "u8" if isinstance(part, types.Integer) and not part.signed and part.bitwidth == 64 else "i8"


def _around(entry: Entry, inner: str, result: Any, contract: Contract) -> str:
    """The entry of the module: it takes its arguments from cells, calls Numba's function, and puts down what it gives.
    Rules raise nothing; should one do so after all, the module stops."""
    parts = _parts(result)
    lines, passed, declared = [], ["ptr %given", "ptr %error"], ["ptr", "ptr"]
    cells = iter(range(len(parts), CELLS))

    def load(kind: str) -> str:
        cell = next(cells)
        lines.append(f"%at{cell} = getelementptr i8, ptr @{BLOCK}, i32 {CELL * cell}")
        lines.append(f"%cell{cell} = load {kind}, ptr %at{cell}")
        return f"%cell{cell}"

    for kind in entry.takes:
        if kind.many:
            address, items = load("ptr"), load("i64")
            size = _dtype(kind, contract).itemsize
            passed += ["ptr null", "ptr null", f"i64 {items}", f"i64 {size}", f"ptr {address}", f"i64 {items}"]
            passed.append(f"i64 {size}")
            declared += ["ptr", "ptr", "i64", "i64", "ptr", "i64", "i64"]
        else:
            passed.append(f"i64 {load('i64')}")
            declared.append("i64")
    widths = [8 if isinstance(part, types.Boolean) else part.bitwidth for part in parts]
    shape = "ptr" if not parts else f"i{widths[0]}" if len(parts) == 1 else f"{{{', '.join(f'i{w}' for w in widths)}}}"
    lines += [
        f"%given = alloca {shape}",
        "%error = alloca ptr",
        f'%status = call i32 @"{inner}"({", ".join(passed)})',
        "%failed = icmp ne i32 %status, 0",
        "br i1 %failed, label %stop, label %done",
        "stop:",
        "call void @llvm.trap()",
        "unreachable",
        "done:",
    ]
    for place, (part, width) in enumerate(zip(parts, widths, strict=True)):
        at = "%given"
        if len(parts) > 1:
            at = f"%part{place}"
            lines.append(f"{at} = getelementptr {shape}, ptr %given, i32 0, i32 {place}")
        lines.append(f"%small{place} = load i{width}, ptr {at}")
        whole = f"%small{place}"
        if width < 64:
            extend = "sext" if isinstance(part, types.Integer) and part.signed else "zext"
            lines.append(f"%whole{place} = {extend} i{width} %small{place} to i64")
            whole = f"%whole{place}"
        lines.append(f"%to{place} = getelementptr i8, ptr @{BLOCK}, i32 {CELL * place}")
        lines.append(f"store i64 {whole}, ptr %to{place}")
    body = "\n".join(lines)
    return (
        f"@{BLOCK} = external global [{CELLS} x i64]\n"
        f'declare i32 @"{inner}"({", ".join(declared)})\ndeclare void @llvm.trap()\n'
        f"define void @{entry.name}() {{\n{body}\nret void\n}}\n"
    )


def _description(contract: Contract, given: dict[str, list[str]]) -> dict[str, Any]:
    """What somebody must know who calls the module and has neither Python nor NumPy."""
    rules = contract.rules
    used = {kind.record for entry in ENTRIES.values() for kind in entry.takes if kind.record}
    records: list[type[Record]] = [rules.State, *sorted(used, key=lambda record: record.__name__)]
    return {
        "game": contract.name,
        "rules": contract.rules_version,
        "entries": {
            entry.name: {
                "gives": given[entry.name],
                "takes": [f"{kind.code}[]" if kind.many else kind.code for kind in entry.takes],
            }
            for entry in ENTRIES.values()
        },
        "records": {record.__name__: _layout(record.dtype) for record in records},
        "sizes": {
            "MAX_LEGAL": rules.MAX_LEGAL,
            "ACTIONS": rules.ACTIONS,
            "OBSERVATION": contract.features.SIZE,
        },
        "versions": {
            "python": ".".join(map(str, sys.version_info[:2])),
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "numpy": np.__version__,
        },
    }


def _layout(dtype: "np.dtype[Any]") -> dict[str, Any]:
    return {"size": dtype.itemsize, "fields": dict(_fields(dtype))}


def _fields(dtype: "np.dtype[Any]") -> Iterator[tuple[str, list[Any]]]:
    """Each field: where it begins, the code of its numbers, and how many there are in each dimension."""
    for name in dtype.names or ():
        assert dtype.fields is not None, "a record has fields"
        kind, offset = dtype.fields[name][:2]
        yield name, [offset, kind.base.str.lstrip("<|"), list(kind.shape)]


if __name__ == "__main__":
    main()
