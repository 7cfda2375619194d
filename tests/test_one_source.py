"""One source: compiled, plain Python, any number of threads and the CUDA simulator play the very same games."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from infila.batch.simulate import simulate
from infila.conformance import sources
from infila.core.errors import InfilaError, NoDevice
from tests.cases import cases_of
from tests.play import GAMES, on_trial

pytestmark = pytest.mark.slow

CASES = [(name, options) for name in GAMES for options in cases_of(name).few]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_threads_do_not_matter(name: str, options: dict[str, Any]) -> None:
    sources.threads_do_not_matter(on_trial(name, options))


@pytest.mark.parametrize("name", GAMES)
def test_plain_python_plays_the_same_games_and_warns_of_nothing(name: str) -> None:
    sources.plain_python_plays_the_same(on_trial(name, *cases_of(name).few))


@pytest.mark.parametrize("name", GAMES)
def test_the_cuda_simulator_plays_the_same_games(name: str) -> None:
    sources.the_cuda_simulator_plays_the_same(on_trial(name, *cases_of(name).few))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_no_rule_has_a_float(name: str) -> None:
    sources.rules_have_no_floats(on_trial(name))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES if "EVERY_CHECK" in os.environ else ["take_that"])
def test_bounds_checks_change_nothing(name: str, tmp_path: Path) -> None:
    """With them if we have none here, or without. Modules have none, so tests/wasm proves it for all games too."""
    anew = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_BOUNDSCHECK": "0" if numba.config.BOUNDSCHECK else "1"}
    assert sources.digests_elsewhere(name, [{}], 300, **anew) == [simulate(name, 300).digest]


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_small(name: str) -> None:
    from infila.core.games import contract_of

    assert contract_of(name).rules.State.dtype.itemsize <= cases_of(name).bytes_of_state


def test_without_what_drives_a_gpu_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)  # as where it is not installed
    with pytest.raises(NoDevice, match=r"pip install 'infila\[gpu\]'.*choose cpu as the device"):
        simulate("take_that", 1, device="gpu")


def test_without_a_gpu_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "row_stack", np.vstack, raising=False)
    monkeypatch.setitem(sys.modules, "numba_cuda", ModuleType("numba_cuda"))  # as where it is installed …
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)  # … and finds no GPU
    with pytest.raises(NoDevice, match=r"there is no GPU.*Choose cpu as the device"):
        simulate("take_that", 1, device="gpu")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"games": 0}, "games cannot be 0"),
        ({"threads": 0}, "threads cannot be 0"),
        ({"seed": -1}, "seed cannot be -1"),
        ({"device": "abacus"}, "cpu or gpu"),
        ({"options": {"players": 9}}, "players cannot be 9"),
    ],
)
def test_simulate_says_what_is_wrong(wrong: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"game": "take_that", "games": 1} | wrong
    with pytest.raises(InfilaError, match=sentence):
        simulate(**arguments)


def test_the_report_adds_up() -> None:
    tally = simulate("take_that", 300, {"players": 3}, report=True)
    report = tally.report()
    assert sum(tally.lengths.values()) == 300
    assert sum(length * count for length, count in tally.lengths.items()) == tally.moves
    assert abs(sum(report["wins"]) + report["draws"] - 1) < 1e-4
    assert len(report["scores"]) == 3


def test_an_interrupted_simulation_keeps_what_it_has_done() -> None:
    def interrupt(tally: Any) -> None:
        if tally.games > 4096:
            raise KeyboardInterrupt

    tally = simulate("take_that", 100_000, progress=interrupt)
    assert tally.games == 8192
    assert tally.digest == simulate("take_that", 8192).digest
