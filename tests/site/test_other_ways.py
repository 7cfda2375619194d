"""A site in other light, on a phone, and for what is done once the games are over: logs, replays; and as an app."""

import pytest
from playwright.sync_api import Browser

from infila.core.game import new
from infila.wasm.use import modules_in_use
from tests.site.built import Visitor
from tests.site.test_later_visits import touch

pytestmark = pytest.mark.slow

DARK = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
  return red + green + blue < 200;
}"""
WIDE = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"


def test_on_a_phone_in_the_dark(browser: Browser, address: str) -> None:
    visitor = Visitor(browser, address, 390, 844)
    visitor.page.emulate_media(color_scheme="dark")
    visitor.begin("sequence")
    visitor.move()
    for path in (None, "", "?/rules/zatre", "?/mine"):
        if path is not None:
            visitor.show(path)
            visitor.inside.locator("main").first.wait_for()
        frame = visitor.page.frames[1]
        assert frame.evaluate(DARK), path
        assert visitor.page.evaluate(WIDE) <= 390 and frame.evaluate(WIDE) <= 390, path
    visitor.close()


def test_a_log_from_elsewhere_is_looked_at_move_by_move(browser: Browser, address: str) -> None:
    with modules_in_use():
        game = new("sequence", 2, "a log from elsewhere")
        while not game.over:
            game.play(game.moves[len(game.history) % len(game.moves)])
    visitor = Visitor(browser, address)
    visitor.go("?/mine")
    visitor.inside.locator("textarea#log").fill(game.save())
    visitor.inside.locator("form[action*='/upload'] button").first.click()
    visitor.inside.locator(".end h1").wait_for()
    assert visitor.inside.locator(".proof").count() == 0, "somebody may have known the cards"
    moves, now = len(game.history), visitor.inside.locator("#at-now")
    assert now.inner_text() == str(moves)
    for back in (1, 2, 3):
        visitor.inside.locator("[data-step='-1']").click()
        visitor.page.frames[1].wait_for_function("(at) => location.search.includes(`at=${at}`)", arg=moves - back)
        visitor.page.frames[1].wait_for_function(
            "(count) => document.querySelectorAll('#log li').length <= count", arg=moves - back
        )
    assert now.inner_text() == str(moves - 3)
    visitor.inside.locator("[data-step='1']").click()
    visitor.page.frames[1].wait_for_function("(at) => location.search.includes(`at=${at}`)", arg=moves - 2)
    visitor.close()


def test_the_shuffle_of_a_game_that_is_over_is_verified(browser: Browser, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.begin("sequence")
    visitor.page.evaluate("infila.ask('POST', `${location.search.slice(1)}/resign`, {}, '{}')")
    visitor.inside.locator(".end h1").wait_for()
    visitor.page.reload()
    visitor.inside.locator(".proof", has_text="verified").wait_for(state="attached")
    visitor.close()


def test_against_three_computers(browser: Browser, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.go("?/new&game=take_that&players=4&seat-2=beginner&seat-3=casual&seat-4=expert")
    visitor.inside.locator(".fin .primary").click()
    visitor.inside.locator(".table").wait_for()
    while visitor.lines() < 2 * 4:
        touch(visitor)
    visitor.close()


def test_a_browser_finds_nothing_that_keeps_it_from_being_installed(browser: Browser, address: str) -> None:
    visitor = Visitor(browser, address)
    visitor.go()
    visitor.inside.locator("main").first.wait_for()
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wire = visitor.context.new_cdp_session(visitor.page)
    assert wire.send("Page.getAppManifest")["errors"] == []
    found = wire.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {problem["errorId"] for problem in found} <= {"in-incognito"}  # as all browsers of tests are
    visitor.close()
