"""The notebook that trains a player of Take That, in short; `make notebooks` runs it in full.

In a process of its own, as JAX starts threads that later tests could not fork beside.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
UPDATES = "8"  # of 80


@pytest.mark.long
def test_the_policy_beats_casual_already_after_a_short_training(tmp_path: Path) -> None:
    """The notebook itself asserts it, with the 95 % interval clear of one half."""
    told = subprocess.run(
        [sys.executable, ROOT / "docs/tutorials/notebooks/take_that.py"],
        env=os.environ | {"INFILA_NOTEBOOK_UPDATES": UPDATES, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "against casual" in told.stdout
    assert (tmp_path / "train_take_that.svg").exists()
