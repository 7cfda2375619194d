"""What is done on a cluster (`on_a_cluster.py`), in a process of its own: Ray changes how one hears of faults."""

import os
import signal
import subprocess
import sys
import time
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


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes that get Ctrl-C together")
def test_ctrl_c_ends_it_with_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "games"
    command = [sys.executable, "-m", "infila", "arena", "--game", "take_that", "--contestants", "casual,random"]
    command += ["--games", "100000", "--all", "--json", "--file", str(file), "--on", "ray", "--processes", "1"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
    try:
        pipe = subprocess.PIPE
        started = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with started as process:
        try:
            end = time.monotonic() + 120
            while (not file.exists() or file.read_text().count("\n") < 6) and time.monotonic() < end:
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # all processes of a terminal get it
            out, err = process.communicate(timeout=60)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 130 and "Traceback" not in err and "continues from" in err
    assert out.startswith("{") and '"interrupted": true' in out


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
