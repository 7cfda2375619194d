"""All routes, with senseless values in senseless order: no error of the server's own. bench.fuzz asks 100,000 times."""

from pathlib import Path

import pytest

from bench import fuzz

pytestmark = pytest.mark.slow


def test_no_route_breaks_whatever_is_asked(tmp_path: Path) -> None:
    found = fuzz.run(1500, seed=3, schema=False, folder=str(tmp_path))
    assert found["requests"] >= 1500 and found["failed"] == 0
    assert not [what for what in found["problems"] if not what.startswith("slow")], found["problems"]
    assert {"200", "201", "303", "400", "403", "404", "409", "422"} <= set(found["statuses"])
