"""A review on a site: made in the page, without a network, while the page goes on answering."""

import pytest

import infila
from infila.wasm.use import modules_in_use
from tests.site.built import Visitor, chromium, site

pytestmark = pytest.mark.slow
MOVES = 6


def short_log() -> str:
    with modules_in_use():
        game = infila.new("take_that", players=2, seed=7, seats=("Anna", "club"))
        for _ in range(MOVES):
            game.play(game.moves[0])
        return game.save()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_log_is_reviewed_without_a_network(width: int) -> None:
    with site() as address, chromium() as browser:
        visitor = Visitor(browser, address, width)
        visitor.go("?/mine")
        inside = visitor.inside
        inside.locator("#log").fill(short_log())
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        visitor.context.set_offline(True)
        inside.locator("form[action*='/upload'] button:has-text('review')").click()
        inside.locator(".strand").first.wait_for()
        inside.locator(".ctl [data-step='-1']").click()
        inside.locator("#at-now", has_text=str(MOVES - 1)).wait_for()
        visitor.page.wait_for_url(f"**at={MOVES - 1}**")
        inside.locator(".rv[data-complete=yes]").wait_for()
        inside.locator(".of-whom a").nth(1).click()
        inside.locator(".of-whom a[aria-current]", has_text="club").wait_for()
        inside.locator(".anew .primary").click()
        inside.locator(".table .seat.turn").wait_for()
        visitor.close()
