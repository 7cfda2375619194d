"""Whole games on a site, by clicking, without a network; and what axe says about its pages."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser

from tests.cases import cases_of
from tests.play import GAMES
from tests.site.built import PATIENCE, Visitor
from tests.web.test_axe import BEGIN, RULES
from tests.web.test_browser import PLAY, READY

pytestmark = [pytest.mark.slow, pytest.mark.long]

LEARNT = """() => {
  if (document.querySelector(".why, #coach form[data-chance]")) return "over";
  const next = document.querySelector("#coach [data-post='/read']");
  const box = (next ?? document.querySelector(".ring.wanted, #acts .wish"))?.getBoundingClientRect();
  return box && box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


def without_network(browser: Browser, address: str) -> Visitor:
    """Somebody who has been here once, and now has no network."""
    opened = Visitor(browser, address)
    opened.go()
    opened.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    opened.context.set_offline(True)
    return opened


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    opened = without_network(browser, address)
    yield opened
    opened.close()


def serious(visitor: Visitor) -> list[str]:
    """What axe finds, in the window and in the page that it shows."""
    found = []
    for frame in visitor.page.frames:
        frame.evaluate(AXE_SCRIPT)
        frame.evaluate(BEGIN, RULES)
        found += frame.wait_for_function("() => window.found", polling=50).json_value()
    return found


def test_a_whole_game_of_each_without_a_network(browser: Browser, address: str) -> None:
    """All at the same time: computers let people follow, so there is much to wait for."""
    players = {game: without_network(browser, address) for game in GAMES}
    for game, player in players.items():
        wanted: dict[str, Any] = {"game": game, "seat-2": "casual"} | cases_of(game).short
        player.go(f"?/new&{urlencode(wanted)}")
        player.inside.locator(".fin .primary").click()
        player.inside.locator(".table").first.wait_for()
        player.page.frames[1].evaluate(f"() => {{ ({PLAY})('game'); }}")
    for player in players.values():
        player.page.wait_for_function("() => /win|draw/.test(document.title)", timeout=4 * PATIENCE)
        assert serious(player) == []
        seen = player.lines()
        player.page.reload()  # the replay, from what is kept
        player.inside.locator(".why").first.wait_for()
        assert player.lines() == seen
        with player.page.expect_download() as log:
            player.inside.locator("a[download]").first.click()
        assert log.value.path().read_text(encoding="utf-8").startswith("infila log 1")
        player.close()


def test_the_lessons_without_a_network(browser: Browser, address: str) -> None:
    """All at the same time: what moves in one moves while another is clicked at."""
    learners = {game: without_network(browser, address) for game in GAMES}
    for game, learner in learners.items():
        learner.inside.locator(f"form[action*='/learn/{game}'] button").first.click()
        learner.inside.locator("#coach").wait_for()
    over = set[str]()
    for _ in range(100):
        for game in learners.keys() - over:
            found = learners[game].page.frames[1].wait_for_function(LEARNT).json_value()
            if found == "over":
                over.add(game)
            else:
                learners[game].page.mouse.click(*found)
    assert over == set(GAMES)
    for learner in learners.values():
        learner.close()


def test_two_at_one_screen_without_a_network(visitor: Visitor) -> None:
    visitor.go("?/new&game=take_that&players=2&seat-1=me&seat-2=me&name=Anna&rounds=1&dealer=2")
    visitor.inside.locator(".fin .primary").click()
    for seat in ("1", "2"):
        curtain = visitor.inside.locator(f"text={seat}: show my side")
        curtain.wait_for()
        assert visitor.inside.locator("[data-part^='hand-']").count() == 0, "no hand before the curtain is lifted"
        curtain.click()
        visitor.inside.locator("[data-part^='hand-']").first.wait_for()
        visitor.page.frames[1].wait_for_function(READY)
        visitor.page.frames[1].evaluate(PLAY, "move")


def test_axe_finds_nothing_serious(visitor: Visitor) -> None:
    for path in ("", "?/new", "?/mine", "?/rules/zatre", "?/sheet/zatre", "?/nothing"):
        visitor.go(path)
        visitor.inside.locator("main").first.wait_for()
        assert serious(visitor) == [], path
