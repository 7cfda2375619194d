"""The server is killed at random moments; `python -m bench.kill` does this more often."""

import asyncio
from pathlib import Path

import pytest

from bench import kill
from tests.server.database import data_for

pytestmark = pytest.mark.slow


def test_no_acknowledged_move_is_lost_and_tables_go_on(tmp_path: Path) -> None:
    server = kill.Server(data_for(tmp_path))
    try:
        result = asyncio.run(kill.run(server, games=4, kills=3, most=60, only="take_that"))
    finally:
        server.kill()
    assert result["kills"] >= 4 and result["acknowledged"] > 40
    assert result["moves"] >= result["acknowledged"]
