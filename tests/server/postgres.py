"""A PostgreSQL for tests that need one, where it is installed; each test has a schema of its own in it."""

from collections.abc import Iterator

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
