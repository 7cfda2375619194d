"""What is slow: `make quick` leaves it out. A single file or test says so itself, with `pytest.mark.slow`.

What is long, with `pytest.mark.long`, begins first, so that no process is left with it when all others have ended.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# a browser; whole packages of games under test; other people's environments; the pages, but for the README
FOLDERS = tuple(ROOT / folder for folder in ("tests/web", "tests/add_a_game", "tests/envs", "infila/envs", "docs"))
FIXTURES = {"site"}  # the whole documentation, built


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(map(item.path.is_relative_to, FOLDERS)) or FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
