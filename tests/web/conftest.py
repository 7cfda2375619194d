"""One server and one browser for all the tests of a module."""

from collections.abc import Iterator

import pytest

from tests.web import browser as browsers
from tests.web.house import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened
