"""A site that a server has at /anywhere/: an installed page begins games and lessons there, which need no network."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.site.built import PATIENCE, built_or_skipped
from tests.web import browser as browsers
from tests.web.house import House, open_house
from tests.web.test_anywhere import KEPT, installed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    site = built_or_skipped() / "games"
    with open_house(tmp_path_factory.mktemp("house"), site=str(site)) as opened:
        yield opened


def test_what_is_begun_alone_goes_on_without_a_network_and_leads_back(house: House) -> None:
    anna = house.person("Anna", service_workers="allow")
    anna.context.set_default_timeout(PATIENCE)
    said: list[str] = []
    anna.page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page: Any = installed(anna)
    page.wait_for_function(KEPT, arg=["/anywhere/"])
    page.click("form[action='/learn/zatre'] button")
    inside = page.frame_locator("iframe")
    inside.locator(".lesson .coach").wait_for()
    lesson = page.url
    assert "/anywhere/?/t/" in lesson
    page.go_back()
    page.click("form[action='/play/sequence'] .poster")
    inside.locator("button:has-text('club')").click()
    inside.locator("[data-part].can").first.wait_for()
    assert said == []
    anna.context.set_offline(True)
    inside.locator("[data-part].can").first.click()
    inside.locator("[data-part].target").first.click()
    inside.locator("#log li").nth(1).wait_for(state="attached")
    page.goto(lesson)
    inside.locator(".lesson .coach").wait_for()
    page.goto(f"{house.address}/anywhere/")
    inside.locator(".resume").nth(1).wait_for()
    inside.locator("#server a").click()
    page.wait_for_selector("h1:has-text('no network')")
    page.click("#without a")
    inside.locator(".posters").wait_for()
    anna.leave()
