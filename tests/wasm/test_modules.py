"""The modules that the package carries are those of its sources, small, and whole in themselves."""

import ast
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wasmtime

from infila import cli
from infila.conformance.modules import outcome, random_games
from infila.core.entry import ENTRIES
from infila.core.games import contract_of
from infila.wasm import link, modules
from infila.wasm.__main__ import SUMS, sums
from infila.wasm.build import build
from infila.wasm.instance import Engine
from infila.wasm.modules import CODE, DESCRIPTION, SHARED, BadModule, Module, module_of
from tests.play import GAMES

INFILA = Path(modules.__file__).parents[1]


def module(name: str) -> Module:
    found = module_of(contract_of(name))
    assert found is not None, f"the sources of {name} have changed since its module was built: make wasm"
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_module_is_of_the_present_sources(name: str) -> None:
    assert module(name).game == name


def test_one_file_has_the_hashes_of_all_modules() -> None:
    assert SUMS.read_text(encoding="utf-8") == sums()


@pytest.mark.parametrize("name", GAMES)
def test_a_module_imports_nothing_and_exports_its_entries(name: str) -> None:
    code = wasmtime.Module(wasmtime.Engine(), module(name).code)
    assert code.imports == []
    assert [export.name for export in code.exports] == [*ENTRIES, "memory", "block", "heap"]
    assert list(module(name).description["entries"]) == list(ENTRIES)


def test_all_modules_together_are_small() -> None:
    assert sum(len(gzip.compress(module(name).code, 9)) for name in GAMES) <= 150_000


@pytest.mark.parametrize("name", GAMES)
def test_a_description_says_where_each_field_lies(name: str) -> None:
    dtype = contract_of(name).rules.State.dtype
    described = module(name).description["records"]["State"]
    fields = [(field, code, tuple(shape)) for field, (_, code, shape) in described["fields"].items()]
    read = np.dtype(fields, align=True)
    assert (described["size"], read.names) == (dtype.itemsize, dtype.names)
    assert [offset for offset, _, _ in described["fields"].values()] == [dtype.fields[n][1] for n in dtype.names or ()]  # type: ignore[index]


def test_what_every_module_is_made_of_is_in_its_fingerprint() -> None:
    """All files of core and players that have rules, and those whose constants are compiled into rules."""
    files = [file for folder in ("core", "players") for file in (INFILA / folder).glob("*.py")]
    with_rules = {file.relative_to(INFILA).as_posix() for file in files if decorated(file)}
    others = {f"core/{name}.py" for name in ("bits", "entry", "record", "rule")}
    only_here = {"players/ahead.py"}  # no entry needs it: contests are never played in a module
    assert (with_rules | others) - only_here == {name for name in SHARED if not name.startswith("wasm/")}


def decorated(file: Path) -> bool:
    """Whether a file has a rule."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(called, ast.Name) and called.id in ("rule", "inlined", "entry"):
                return True
    return False


@pytest.mark.long
@pytest.mark.slow
def test_the_same_sources_give_the_same_bytes() -> None:
    """Of one game; `make test-long` builds them all."""
    kept, built = module("take_that"), build("take_that")
    if built.description["versions"] != kept.description["versions"]:
        pytest.skip(f"the module was built with other versions: {kept.description['versions']}")
    assert built == kept


def test_a_module_of_other_sources_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "fingerprint", lambda contract: "other")
    assert module_of(contract_of("take_that")) is None


@pytest.mark.parametrize(("name", "sentence"), [(CODE, "is not what rules.json"), (DESCRIPTION, "does not describe")])
def test_damaged_files_are_refused(name: str, sentence: str) -> None:
    found = module("take_that")
    code, text = found.code, modules.shown(found.description)
    assert modules.read(code, text) == found
    damaged = (code[:-1], text) if name == CODE else (code, text[:-3])
    with pytest.raises(BadModule, match=sentence):
        modules.read(*damaged)


def test_a_memory_grows_with_what_is_in_it() -> None:
    engine, make = Engine(module("take_that")), random_games(contract_of("take_that"), {}, 1)
    for games in (1, 3000, 2):
        make = random_games(contract_of("take_that"), {}, games)
        assert outcome(*make(), by=engine.call) == outcome(*make())


def test_each_thread_has_a_memory_of_its_own() -> None:
    from concurrent.futures import ThreadPoolExecutor

    engine, make = Engine(module("take_that")), random_games(contract_of("take_that"), {}, 200)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: outcome(*make(), by=engine.call), range(12)))
    assert all(each == outcome(*make()) for each in found)


class Object:
    """A WebAssembly object with one function, by its imports and relocations."""

    def __init__(self, imports: bytes = b"\0", relocations: bytes = b"\0\0") -> None:
        self.imports, self.relocations = imports, relocations

    def __bytes__(self) -> bytes:
        symbols = link.vector([bytes([0, 0, 0]) + link.named("act"), bytes([1, 0]) + link.named("block") + b"\0\0\10"])
        linking = link.number(2) + bytes([link.SYMBOLS]) + link.number(len(symbols)) + symbols
        body = b"\0" + bytes([link.END])
        data = b"\0" + link.constant(0) + link.number(8) + bytes(8)
        parts: list[tuple[int, bytes]] = [
            (link.TYPE, link.vector([b"\x60\0\0"])),
            (link.IMPORT, self.imports),
            (link.FUNCTION, link.vector([b"\0"])),
            (link.CODE, link.vector([link.number(len(body)) + body])),
            (link.DATA, link.vector([data])),
            (link.CUSTOM, link.named("linking") + linking),
            (link.CUSTOM, link.named("reloc.CODE") + self.relocations),
        ]
        return b"\0asm\1\0\0\0" + b"".join(bytes([kind]) + link.number(len(part)) + part for kind, part in parts)


def test_an_object_becomes_a_module() -> None:
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    code = wasmtime.Module(engine, link.link(bytes(Object()), ["act"], "block"))
    exports: Any = wasmtime.Instance(store, code, []).exports(store)
    exports["act"](store)
    assert (exports["block"].value(store), exports["heap"].value(store)) == (link.STACK, link.STACK + link.ALIGNED)


IMPORTED = [
    (
        link.named("env") + link.named("malloc") + bytes([0, 0]),
        "call what is not theirs: malloc. They may",
    ),
    (link.named("env") + link.named("__indirect_function_table") + bytes([1, 0x70, 0, 0]), "need __indirect_function"),
]


@pytest.mark.parametrize(("imported", "sentence"), IMPORTED)
def test_rules_that_need_what_a_module_has_not_are_refused(imported: bytes, sentence: str) -> None:
    with pytest.raises(link.CannotLink, match=sentence):
        link.link(bytes(Object(imports=link.vector([imported]))), ["act"], "block")


def test_rules_that_pass_functions_around_are_refused() -> None:
    with pytest.raises(link.CannotLink, match="relocation of kind 1; do they pass functions around"):
        link.link(bytes(Object(relocations=bytes([3, 1, 1, 0, 0]))), ["act"], "block")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "--out", "."], "there is no game 'chess'"),
        (["take_that"], "--out"),
        (["take_that", "--out", __file__], "it is not a folder"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["wasm", *arguments])
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


def test_the_command_writes_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("infila.wasm.build.build", module)
    cli.main(["wasm", "take_that", "--out", str(tmp_path / "new")])
    assert "Take That" in capsys.readouterr().out
    assert (tmp_path / "new" / CODE).read_bytes() == module("take_that").code
    assert json.loads((tmp_path / "new" / DESCRIPTION).read_text()) == module("take_that").description
