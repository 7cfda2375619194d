"""One server for all the tests of a module, asked by a program or by a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from infila.server.app import create_app
from infila.server.settings import Settings
from tests.web import browser as browsers
from tests.web.house import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return create_app(Settings(data=str(tmp_path_factory.mktemp("data")), limits=False, pace=0.0))


@pytest.fixture(scope="module")
def server(app: Any) -> Iterator[TestClient[Any]]:
    with TestClient(app, base_url="http://testserver.local") as client:
        client.headers.update({"accept": "text/html", "sec-fetch-site": "same-origin"})
        yield client


@pytest.fixture
def client(server: TestClient[Any]) -> TestClient[Any]:
    """Somebody new."""
    server.cookies.clear()
    return server
