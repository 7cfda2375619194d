"""`infila serve --workers N`: several processes at one port, which are replaced, and end with their overseer."""

import os
import re
import signal
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import httpx
import pytest

from infila.server import command, workers
from infila.server.errors import CannotServe
from tests.server.database import data_for
from tests.server.postgres import installed, needed, postgresql

__all__ = ["installed", "postgresql"]
pytestmark = needed


def test_several_workers_need_a_database_that_they_can_share() -> None:
    for wrong in (0, -1, 65):
        with pytest.raises(CannotServe, match=f"--workers cannot be {wrong}"):
            workers.check(wrong, "postgresql+psycopg://x/y")
    with pytest.raises(CannotServe, match="several workers need a database that they can share"):
        workers.check(2, "sqlite:///infila.db")
    with pytest.raises(CannotServe, match="--peer is the address of one server"):
        workers.check(2, "postgresql+psycopg://x/y", "http://10.0.0.5:4224")
    workers.check(1, "sqlite:///infila.db", "http://10.0.0.5:4224")


def test_a_worker_is_told_what_its_overseer_was() -> None:
    listening = command.listen("127.0.0.1", 0)
    wanted = Namespace(data="postgresql://x/y", workers=3, secret="key", address="", site="", metrics="127.0.0.1:9")
    wanted.log_format, wanted.no_browser_thinking, wanted.trust_proxy = "json", True, ["10.0.0.1", "10.0.0.2"]
    told = workers.command_of(wanted, 2, listening)[3:]
    assert told[told.index("--worker") + 1] == f"2:{listening.fileno()}"
    assert told[-3:] == ["--trust-proxy", "10.0.0.1", "10.0.0.2"] and "--no-browser-thinking" in told
    assert "--address" not in told and told[told.index("--secret") + 1] == "key"
    listening.close()


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def wait_until_gone(processes: list[int]) -> None:
    end = time.monotonic() + 60
    while any(Path(f"/proc/{each}").exists() for each in processes):
        assert time.monotonic() < end, "a worker is still there"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="who is whose child is read from /proc")
def test_workers_are_replaced_and_end_with_their_overseer(tmp_path: Path) -> None:
    arguments = ["serve", "--no-browser", "--port", "0", "--workers", "2", "--data", data_for(tmp_path)]
    overseer = subprocess.Popen([sys.executable, "-m", "infila", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert overseer.stdout is not None
        found = re.search(r"http://\S+/", overseer.stdout.readline())
        assert found is not None
        first = children(overseer.pid)
        assert len(first) == 2 and httpx.get(f"{found[0]}readyz", timeout=60).text == "ready\n"
        os.kill(first[0], signal.SIGKILL)
        end = time.monotonic() + 60
        while len(now := set(children(overseer.pid)) - {first[0]}) < 2:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert httpx.get(f"{found[0]}readyz", timeout=60).text == "ready\n"
    finally:
        overseer.kill()  # not even asked to stop
        overseer.wait()
    wait_until_gone(list(now))
    overseer.stdout.close()
