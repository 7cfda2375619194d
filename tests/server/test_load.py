"""A load as in life, with few tables: everything is asked and answered; `python -m bench.load` measures it."""

import asyncio
import gc

import pytest

from bench import load
from bench.needs import needs
from tests.server.postgres import needed

pytestmark = [pytest.mark.slow, pytest.mark.long, needed]


def test_all_kinds_of_requests_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "AT_ONCE", 3)
    monkeypatch.setattr(load, "WITH_COMPUTER", 3)
    monkeypatch.setattr(load, "WARM_SECONDS", 0.5)
    monkeypatch.setattr(load, "SETTLE_SECONDS", 0.1)
    try:
        with load.served(2) as (servers, database):
            told = asyncio.run(load.bench(servers, database, tables=5, rate=20.0, seconds=2.0, flat_out=0.0))
    finally:
        gc.unfreeze()
    steady = told["open_loop"]
    assert told["servers"] == 2 and told["tables"] == 5 and told["streams"] == 13, told
    assert steady["failed"] == {} and steady["milliseconds"]["move"]["count"] > 5, steady


def test_what_people_need_is_in_proportion() -> None:
    open_loop = {"moves_per_second": 500, "cores_used_by_servers": 1.0, "cores_used_by_database": 0.5}
    open_loop |= {"entries_per_second": 550.0, "commits_per_second": 100.0}
    measured = {"open_loop": open_loop, "kilobytes_per_table_played_at": 100.0, "kilobytes_per_stream": 20.0}
    found = dict(needs(measured, 10_000, 3))
    assert found["moves a second"] == "625" and found["memory of tables and streams"] == "0.7 GB"
    assert found["cores of servers"] == "1.2" and found["entries a second, and a day"].startswith("688, ")
