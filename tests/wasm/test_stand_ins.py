"""What Python runs while rules are not compiled: the game's module for entries, plain Python for small rules."""

import sys
from typing import Any

import numpy as np
import pytest

import infila
from infila.core import chance, driver
from infila.core.games import contract_of
from infila.core.stand_ins import STAND_INS
from infila.games.take_that import rules
from infila.wasm import use
from infila.wasm.instance import Engine
from infila.wasm.modules import BadModule
from infila.wasm.use import modules_in_use, needs_no_compiler

STATUS: Any = driver.status_at.py_func  # type: ignore[attr-defined]
FITS: Any = rules.fits.py_func  # type: ignore[attr-defined]
WORD: Any = chance.word.py_func  # type: ignore[attr-defined]


def states() -> Any:
    return infila.new("take_that", seed=7).states


def test_entries_run_in_the_module_and_small_rules_as_plain_python() -> None:
    points = np.zeros(16, np.int64)
    expected = driver.status_at(states(), 0, points)
    with modules_in_use():
        assert needs_no_compiler("take_that")
        run = STAND_INS.instead(STATUS, (states(), 0, points))
        assert run is not None and run != STATUS
        assert run(states(), 0, points) == expected
        assert STAND_INS.instead(FITS, (34, 35)) == FITS, "a rule of numbers"
        assert STAND_INS.instead(WORD, (states()[0], 1)) == WORD, "a rule of a record"
    assert not needs_no_compiler("take_that")
    assert STAND_INS.instead(STATUS, (states(), 0, points)) is None
    assert STAND_INS.instead(FITS, (34, 35)) is None


def test_a_game_without_a_module_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use, "module_of", lambda contract: None)
    with modules_in_use():
        assert not needs_no_compiler("take_that")
        assert STAND_INS.instead(STATUS, (states(), 0)) is None
        assert STAND_INS.instead(FITS, (34, 35)) == FITS, "nobody waits for a rule of two numbers"


def test_a_record_of_no_game_is_none_of_their_business() -> None:
    other = np.zeros(1, [("number", "i8")])
    with modules_in_use():
        assert STAND_INS.instead(STATUS, (other, 0)) is None


def test_a_damaged_module_is_told_and_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(contract: Any) -> Any:
        raise BadModule("rules.wasm is not what rules.json describes.")

    monkeypatch.setattr(use, "module_of", damaged)
    with modules_in_use():
        assert not needs_no_compiler("take_that")
    assert caplog.messages == ["take_that: rules.wasm is not what rules.json describes."]


def test_without_wasmtime_everything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "infila.wasm.instance")
    monkeypatch.setitem(sys.modules, "wasmtime", None)  # as where it is not installed
    with modules_in_use():
        assert not needs_no_compiler("take_that")


def test_another_version_of_wasmtime_is_called_in_its_usual_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime._ffi", None)
    monkeypatch.delattr("wasmtime._ffi")
    with modules_in_use():
        engine = STAND_INS.of(contract_of("take_that").rules.State.dtype)
        assert isinstance(engine, Engine)
        points = np.zeros(16, np.int64)
        assert engine.call("status", states(), 0, points) == driver.status_at(states(), 0, points)


def test_rules_that_stop_are_told() -> None:
    """An address outside of the memory, which no caller of ours gives."""
    with modules_in_use():
        engine: Any = STAND_INS.of(contract_of("take_that").rules.State.dtype)
        engine.call("status", states(), 0, np.zeros(16, np.int64))
        with pytest.raises(BadModule, match="the rules have stopped"):
            engine.call("status", states(), 3_000_000, np.zeros(16, np.int64))
