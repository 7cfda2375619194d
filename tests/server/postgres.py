"""A PostgreSQL for tests that need one: the one that is there, or one that the system can install. Each test has a
schema of its own in it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from bench.postgresql import PostgreSQL, programs

needed = pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (Debian: postgresql)")


@pytest.fixture(scope="module")
def installed() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(autouse=True)
def postgresql(installed: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> PostgreSQL:
    monkeypatch.setenv("INFILA_TEST_DATABASE", installed.url)
    monkeypatch.setenv("XDG_DATA_HOME", "")  # what `data_for` sets is undone
    return installed


def install() -> None:
    """Debian's, where one may."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "postgresql"]):
        with suppress(OSError, subprocess.TimeoutExpired):
            quietly = subprocess.DEVNULL
            subprocess.run(command, env=quiet, stdout=quietly, stderr=quietly, timeout=180, check=False)


if __name__ == "__main__":
    if programs() is None:
        print("Installing PostgreSQL for the tests ...", flush=True)
        install()
    if programs() is None:
        print("No PostgreSQL is to be had here: the tests that need it are left out.", file=sys.stderr)
