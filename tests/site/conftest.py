"""What tests of the site have in common: a browser, and the address of a site."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.site.built import chromium, site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site() as opened:
        yield opened
