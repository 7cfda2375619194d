"""The searches of examples/search, in short: each runs, and finds the same whatever the hidden cards are.

In processes of their own, as JAX starts threads that later tests could not fork beside.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
HASTE = "--xla_backend_optimization_level=0"  # what runs for a moment need not be compiled well


def run(name: str, folder: Path) -> str:
    told = subprocess.run(
        [sys.executable, ROOT / "examples" / "search" / f"{name}.py", "--quick"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "XLA_FLAGS": HASTE},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout


def test_gumbel_alphazero_with_chance_nodes(tmp_path: Path) -> None:
    assert "1 rounds" in run("gumbel_alphazero", tmp_path)


def test_information_set_search_with_a_network(tmp_path: Path) -> None:
    told = run("information_set_search", tmp_path)
    assert "the network against casual" in told and "with 3 simulations against casual" in told
