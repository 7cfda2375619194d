"""Whoever comes back sees their page at once, before Python is there: as the log has it, or not at all."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.play import GAMES
from tests.site.built import Visitor
from tests.web.test_browser import TOUCHABLE

pytestmark = pytest.mark.slow

MOVES = 4

# Python is ready when somebody says so
HELD = """if (window === top) {
  const allowed = new Promise((resolve) => { window.allow = resolve; });
  window.Worker = class extends Worker {
    set onmessage(heard) {
      super.onmessage = async (event) => {
        if (event.data.ready) await allowed;
        heard(event);
      };
    }
  };
}"""
# what is kept of the page that is shown
KEPT = """async () => {
  const { length } = await import(new URL("pages.js", document.baseURI));
  const address = location.search.slice(1) || "/", log = await length(address);
  const request = new URL(`?${address}`, location.href).href;
  for (const name of (await caches.keys()).filter((each) => each.startsWith("infila pages"))) {
    const found = await (await caches.open(name)).match(request);
    if (Number(found?.headers.get("log")) === log) {
      return { name, text: await found.text(), address: request, headers: Object.fromEntries(found.headers) };
    }
  }
}"""
PUT = """async ({ name, address, text, headers }) => {
  for (const each of await caches.keys()) if (each.startsWith("infila pages")) await caches.delete(each);
  await (await caches.open(name)).put(address, new Response(text, { headers }));
}"""
DROPPED = """async (file) => {
  const name = (await caches.keys()).find((each) => each.startsWith("infila python"));
  return (await caches.open(name)).delete(new URL(file, document.baseURI));
}"""
# a page as Python makes it and as it is kept: the document without its state, and the state
BOTH = """async (kept) => {
  const table = new URL(kept.address).search.slice(1);
  const { text } = await infila.ask("GET", table, { accept: "text/html" });
  return [text, kept.text].map((each) => {
    const page = new DOMParser().parseFromString(each, "text/html"), script = page.querySelector("#state");
    const state = JSON.parse(script.textContent);
    delete state.fragments;
    script.textContent = "";
    return [page.documentElement.outerHTML, state];
  });
}"""


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    opened = Visitor(browser, address)
    opened.begin("sequence")
    opened.move()
    yield opened
    opened.problems[:] = [
        each for each in opened.problems if "Failed to load resource" not in each
    ]  # a file has no icon
    opened.close()


def kept(page: Page) -> dict[str, object]:
    """What is kept of the page that is shown, once the log has not gone on since."""
    for _ in range(200):
        found: dict[str, object] | None = page.evaluate(KEPT)
        if found:
            return found
        page.wait_for_timeout(50)
    raise AssertionError("nothing is kept")


def come_back(visitor: Visitor, instead: dict[str, object] | None = None) -> None:
    """In another tab, where Python waits; with another page kept than the one that was shown."""
    address = visitor.page.url
    visitor.page.close()
    visitor.page = visitor.tab()
    if instead is not None:
        visitor.go("static/icon.svg")
        visitor.page.evaluate(PUT, instead)
    visitor.page.add_init_script(HELD)
    visitor.page.goto(address)


def touch(visitor: Visitor) -> None:
    """Whatever can be clicked."""
    visitor.page.frames[1].evaluate(f"({TOUCHABLE})()?.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
    visitor.page.wait_for_timeout(20)


def shows_nothing(visitor: Visitor) -> None:
    visitor.page.locator(".word").get_by_text("The table is being laid.").wait_for()
    assert visitor.inside.locator("#log").count() == 0


def test_a_table_is_there_before_python_and_a_click_counts(visitor: Visitor) -> None:
    kept(visitor.page)
    seen = visitor.lines()
    come_back(visitor)
    visitor.inside.locator("[data-part].can").first.wait_for()
    while visitor.inside.locator(".table .can, .table .target").count():
        touch(visitor)
    visitor.page.locator(".word").get_by_text("The table is being laid.").wait_for()
    assert visitor.lines() == seen, "what is not in the log is not shown"
    visitor.page.evaluate("allow()")
    visitor.inside.locator("#log li").nth(seen + 1).wait_for(state="attached")
    assert visitor.page.locator(".word").is_hidden()
    visitor.move()


def test_the_front_page_is_there_before_python(visitor: Visitor) -> None:
    visitor.show("")
    visitor.inside.locator("a.resume").wait_for()
    visitor.page.wait_for_url(visitor.address)
    kept(visitor.page)
    come_back(visitor)
    visitor.inside.locator("form[action*='/play/zatre'] button").first.click()
    visitor.page.evaluate("allow()")
    visitor.inside.locator("[data-part].can").first.wait_for()
    visitor.show("")
    visitor.inside.locator("a.resume").nth(1).wait_for()
    assert visitor.inside.locator("a.resume").count() == 2


@pytest.mark.parametrize("name", ["python", "pyodide.asm.wasm"])
def test_only_what_is_missing_has_to_come(visitor: Visitor, name: str) -> None:
    kept(visitor.page)
    visitor.unpacked()
    assert visitor.page.evaluate(DROPPED, name)
    come_back(visitor)
    visitor.page.locator(".word").get_by_text("The table is being laid.").wait_for()
    visitor.page.evaluate("allow()")
    visitor.move()


def test_a_page_of_a_game_that_went_on_is_not_shown(visitor: Visitor) -> None:
    before = kept(visitor.page)
    visitor.move()
    seen = visitor.lines()
    come_back(visitor, before)
    shows_nothing(visitor)
    visitor.page.evaluate("allow()")
    visitor.inside.locator("[data-part].can").first.wait_for()
    assert visitor.lines() == seen
    visitor.move()


def test_a_page_of_another_edition_is_not_shown(visitor: Visitor) -> None:
    before = kept(visitor.page)
    come_back(visitor, before | {"name": f"{before['name']}0"})
    shows_nothing(visitor)
    visitor.page.evaluate("allow()")
    visitor.inside.locator("[data-part].can").first.wait_for()
    while kept(visitor.page)["name"] != before["name"]:
        visitor.page.wait_for_timeout(50)


def test_a_page_in_another_language_is_not_shown(visitor: Visitor) -> None:
    kept(visitor.page)
    visitor.page.evaluate("localStorage['infila cookies /games/'] = JSON.stringify({ language: 'it' })")
    come_back(visitor)
    visitor.page.locator(".word:visible").wait_for()
    assert visitor.inside.locator("#log").count() == 0
    visitor.page.evaluate("allow()")
    visitor.inside.locator("[data-part].can").first.wait_for()
    assert visitor.inside.locator("html").get_attribute("lang") == "it"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_is_the_page_that_python_would_make(browser: Browser, address: str, game: str) -> None:
    visitor = Visitor(browser, address)
    visitor.go(f"?/play/{game}")
    visitor.inside.locator("button:has-text('club')").first.click()
    visitor.inside.locator(".table").wait_for()
    while visitor.lines() < MOVES:
        touch(visitor)
    visitor.page.frames[1].wait_for_function(TOUCHABLE)  # maybe only a button
    made, shown = visitor.page.evaluate(BOTH, kept(visitor.page))
    assert shown == made
    visitor.close()


def test_a_game_that_is_over_is_not_kept(visitor: Visitor) -> None:
    address = str(kept(visitor.page)["address"])
    visitor.page.evaluate("infila.ask('POST', `${location.search.slice(1)}/resign`, {}, '{}')")
    visitor.inside.locator(".end h1").wait_for()
    while visitor.page.evaluate("(address) => caches.match(address).then(Boolean)", address):
        visitor.page.wait_for_timeout(50)
