"""What is done on a cluster (`on_a_cluster.py`), in a process of its own: Ray changes how one hears of faults."""

import subprocess
import sys
from pathlib import Path

import pytest

from infila.batch.simulate import simulate
from infila.cli import main
from infila.cluster.on_ray import check_on
from infila.core.errors import InfilaError

ROOT = Path(__file__).parents[1]
pytest.importorskip("ray")


@pytest.mark.slow
@pytest.mark.long
def test_on_a_cluster_everything_is_the_same() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "tests/on_a_cluster.py",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("on", ["", "ray://", "moon", "ray:1"])
def test_what_is_no_cluster_is_refused(on: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InfilaError, match="nothing can be done on"):
        check_on(on)
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "take_that", "--on", on])
    assert ended.value.code == 2 and "ray://HOST:PORT" in capsys.readouterr().err


def test_a_gpu_is_not_on_a_cluster() -> None:
    with pytest.raises(InfilaError, match="either a cluster or the gpu"):
        simulate("take_that", 1, on="ray", device="gpu")
