"""One source: compiled, plain Python, any number of threads and the CUDA simulator play the very same games."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infila.batch.simulate import simulate
from infila.core.errors import InfilaError, NoDevice
from tests.play import GAMES

ROOT = Path(__file__).parents[1]

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "zatre": [{"players": 3, "keeping": "free"}, {"players": 4, "teams": True, "keeping": "forced"}],
    "take_that": [{"players": 2}, {"players": 4, "expert": True}],
    "completto": [{"players": 2, "games": 1}, {"players": 3, "games": 1}],
    "sequence": [
        {"players": 2},
        {"players": 6, "sides": 3},
        {"players": 4, "advanced": True, "draw": "manual", "table_talk": "forbidden"},
    ],
}
CASES = [(name, options) for name in GAMES for options in VARIANTS[name]]


def digest_elsewhere(name: str, options: dict[str, Any], games: int, *more: str, **environment: str) -> str:
    """The digest that `infila simulate` prints in a process with another environment, where warnings are errors."""
    command = [sys.executable, "-W", "error", "-m", "infila", "simulate", name, "--games", str(games), "--json", *more]
    for option, value in options.items():
        command += ["--option", f"{option}={'yes' if value is True else value}"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["digest"])


@pytest.mark.parametrize(("name", "options"), CASES)
def test_threads_do_not_matter(name: str, options: dict[str, Any]) -> None:
    one = simulate(name, 5000, options, threads=1)
    assert one.games == 5000
    assert simulate(name, 5000, options, threads=3).digest == one.digest
    assert simulate(name, 5000, options, seed=1).digest != one.digest


@pytest.mark.parametrize("name", GAMES)
def test_bounds_checks_change_nothing(name: str) -> None:
    checked = digest_elsewhere(name, {}, 300, NUMBA_BOUNDSCHECK="1")
    assert digest_elsewhere(name, {}, 300, NUMBA_BOUNDSCHECK="0") == checked


@pytest.mark.parametrize(("name", "options"), CASES)
def test_plain_python_plays_the_same_games_and_warns_of_nothing(name: str, options: dict[str, Any]) -> None:
    assert digest_elsewhere(name, options, 4, NUMBA_DISABLE_JIT="1") == simulate(name, 4, options).digest


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_cuda_simulator_plays_the_same_games(name: str, options: dict[str, Any]) -> None:
    simulated = digest_elsewhere(name, options, 2, "--device", "gpu", NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")
    assert simulated == simulate(name, 2, options).digest


FLOATS = """
import importlib, pkgutil, sys
import numba.core.types as types
from numba.core.registry import CPUDispatcher
import infila.games
from infila.batch.simulate import simulate
from infila.core.games import contract_of
import infila
import numpy as np
from infila.core import driver
name = sys.argv[1]
simulate(name, 1, report=True)
game = infila.new(name, seed=1)
game.redrawn(0, 1)
game.play(game.moves[0])
package = f"infila.games.{name}"
modules = [f"{package}.{m.name}" for m in pkgutil.iter_modules(importlib.import_module(package).__path__)]
seen = 0
for module in [*modules, "infila.core.chance", "infila.core.contract", "infila.core.driver"]:
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, CPUDispatcher) and value.__module__ == module:
            for signature, compiled in value.overloads.items():
                typed = compiled.type_annotation.typemap
                seen += len(typed)
                for variable, kind in typed.items():
                    assert not isinstance(kind, (types.Float, types.Complex)), (value.__name__, variable, kind)
                    if isinstance(kind, types.Array):
                        assert isinstance(kind.dtype, (types.Integer, types.Record)), (value.__name__, variable, kind)
print(seen)
"""


@pytest.mark.parametrize("name", GAMES)
def test_no_rule_has_a_float(name: str, tmp_path: Path) -> None:
    """Compiled anew, because what Numba loads from its cache has forgotten its types."""
    done = subprocess.run(
        [sys.executable, "-c", FLOATS, name],
        cwd=ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_small(name: str) -> None:
    from infila.core.games import contract_of

    assert contract_of(name).rules.State.itemsize <= (2048 if name == "zatre" else 1024)


def test_without_a_gpu_there_is_a_clear_error() -> None:
    with pytest.raises(NoDevice, match="--device cpu"):
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
