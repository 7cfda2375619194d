"""How much comes before something is on the screen, and before the first move: it must be little for a slow line.

EVERY_SIZE=1 builds a site as one is published, which takes minutes; otherwise it is the quickly made one of all tests,
which is larger by what is known of it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.site import WANTED, Speed, before_the_front_page, first_visit
from infila.site.build import build
from infila.wasm.use import modules_in_use
from tests.site.built import built_or_skipped
from tests.web import browser as browsers

pytestmark = pytest.mark.slow

AS_PUBLISHED = bool(os.environ.get("EVERY_SIZE"))
QUICKLY_MADE = 1.25  # times as large, as it is hardly compressed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    if not AS_PUBLISHED:
        yield built_or_skipped() / "games"
        return
    made = tmp_path_factory.mktemp("site")
    with modules_in_use():
        build(made)
    yield made


def test_little_comes_before_something_useful_is_on_the_screen(folder: Path) -> None:
    for gzipped in (True, False):
        assert before_the_front_page(folder, gzipped)["bytes"] <= WANTED["useful_bytes"]


def test_what_comes_before_the_first_move_is_small_enough(folder: Path) -> None:
    most = WANTED["first_move_bytes"] * (1 if AS_PUBLISHED else QUICKLY_MADE)
    assert first_visit(folder, False, Speed("laptop", 1), "sequence")["bytes"] <= most
