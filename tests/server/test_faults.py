"""Servers and their database are hurt while people play; `python -m bench.faults` does it more often, in more ways."""

import asyncio
from typing import Any

import pytest

from bench import faults
from tests.server.postgres import needed

pytestmark = [pytest.mark.slow, pytest.mark.long, needed]


def test_nothing_is_lost_and_every_table_goes_on() -> None:
    with faults.cluster_of(2, seed=3) as cluster:
        kinds = ("cut", "kill", "restart")
        wanted: dict[str, Any] = {"kinds": kinds, "game": "take_that", "to_the_end": False, "positions": 40}
        told = asyncio.run(faults.run(cluster, 4, len(kinds), **wanted))
    assert set(told["by_kind"]) == set(kinds) and told["acknowledged"] > 20
    assert told["moves"] >= told["acknowledged"] and told["positions_compared"] > 10
    assert told["seconds_until_all_play_on"]["worst"] < faults.STUCK_SECONDS
