"""What a site says when something is not as it should be: a clear sentence each, and how it goes on."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from infila.core.words import LANGUAGES
from infila.site.build import WORDS
from infila.web.languages import translator
from tests.site.built import Visitor, built, served

pytestmark = pytest.mark.slow

# what each of these is there for; a browser without it is told so before anything is fetched
NEEDED = ("WebAssembly", "indexedDB", "navigator.locks", "crypto.randomUUID")
# what browsers lack in which everything goes nevertheless
LACKING = ("AbortSignal.timeout", "Element.prototype.checkVisibility", "navigator.storage")


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    opened = Visitor(browser, address)
    yield opened
    opened.problems[:] = [each for each in opened.problems if "Failed to load resource" not in each]  # on purpose
    opened.close()


def says(page: Page, name: str) -> None:
    """The window says one of its sentences, and nothing else."""
    page.locator("main.stopped p", has_text=WORDS[name]).wait_for()
    assert page.locator("iframe").count() == 0


def without(name: str) -> str:
    """A script that takes something from a browser."""
    where, _, what = name.rpartition(".")
    return f"Object.defineProperty({where or 'window'}, '{what}', {{ value: undefined }})"


@pytest.mark.parametrize("name", NEEDED)
def test_an_old_browser(visitor: Visitor, name: str) -> None:
    visitor.page.add_init_script(without(name))
    visitor.go()
    says(visitor.page, "old")


def test_a_browser_that_lacks_what_can_be_done_without(visitor: Visitor) -> None:
    visitor.page.add_init_script(";".join(map(without, LACKING)))
    visitor.begin("sequence")
    visitor.move()


def test_a_browser_that_cannot_compile_python(visitor: Visitor) -> None:
    change = "WebAssembly.compile = async () => { throw new WebAssembly.CompileError('of tomorrow'); };"

    def changed(route: Route) -> None:
        route.fulfill(content_type="text/javascript", body=f"{route.fetch().text()}\n{change}")

    visitor.context.route("**/python.js", changed)
    visitor.go()
    says(visitor.page, "old")


def test_a_browser_that_knows_no_modules_in_workers(visitor: Visitor) -> None:
    visitor.page.add_init_script("window.Worker = class extends Worker { constructor(script) { super(script); } };")
    visitor.go()
    says(visitor.page, "old")


def test_a_browser_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    for language in LANGUAGES:
        assert page.locator(f"p[lang={language}]", has_text=translator(language)(WORDS["scripts"])).is_visible()
    assert not page.locator(".late").is_visible()
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_without_https(browser: Browser, address: str, language: str) -> None:
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto(address)
    page.locator("main.stopped p", has_text=translator(language)(WORDS["insecure"])).wait_for()
    assert page.locator("html").get_attribute("lang") == language
    context.close()


@pytest.mark.parametrize("name", ["python.zst", "pyodide.asm.wasm.zst", "zstd.wasm"])
def test_what_arrives_damaged(visitor: Visitor, name: str) -> None:
    """One byte is another, each time it is fetched; once it is right everything goes on."""

    def damage(route: Route) -> None:
        body = bytearray(route.fetch().body())
        body[len(body) // 2] ^= 1
        route.fulfill(body=bytes(body))

    visitor.context.route(f"**/{name}", damage)
    visitor.go()
    says(visitor.page, "damaged")
    visitor.context.unroute(f"**/{name}")
    visitor.page.locator("main.stopped button").click()
    visitor.inside.locator("form[action*='/play/']").first.wait_for()


def test_what_is_kept_damaged_is_fetched_again(visitor: Visitor) -> None:
    visitor.begin("sequence")
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.unpacked()
    damaged = visitor.page.evaluate("""async () => {
      let count = 0;
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if (/\\/(python|pyodide\\.asm\\.wasm)(\\.zst)?$/.test(request.url)) {
          await cache.put(request, new Response("nonsense"));
          count += 1;
        }
      }
      return count;
    }""")
    assert damaged == 4  # as they came, and unpacked
    for _ in range(2):
        visitor.page.reload()
        visitor.move()
        visitor.context.set_offline(True)  # it was kept again
    visitor.context.set_offline(False)


@pytest.mark.parametrize("name", ["python.zst", "python.js", "module.js", "zstd.wasm"])
def test_what_cannot_be_fetched(visitor: Visitor, name: str) -> None:
    visitor.context.route(f"**/{name}", lambda route: route.fulfill(status=404))
    visitor.go()
    says(visitor.page, "unreachable")
    visitor.context.unroute(f"**/{name}")
    visitor.context.route(f"**/{name}", lambda route: route.abort())
    visitor.page.locator("main.stopped button").click()
    says(visitor.page, "unreachable")
    visitor.context.unroute(f"**/{name}")
    visitor.page.locator("main.stopped button").click()
    visitor.inside.locator("form[action*='/play/']").first.wait_for()


@pytest.mark.parametrize("name", ["site.js", "house.js", "keep.js", "edition.js"])
def test_a_document_without_its_scripts(browser: Browser, address: str, name: str) -> None:
    """It speaks for itself, after a while."""
    context = browser.new_context()
    page = context.new_page()
    page.route(f"**/{name}", lambda route: route.fulfill(status=404))
    page.goto(address)
    assert not page.locator(".late").is_visible()
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    for language in LANGUAGES:
        assert page.locator(f".late p[lang={language}]", has_text=translator(language)(WORDS["late"])).is_visible()
    context.close()


def test_a_worker_that_dies(visitor: Visitor) -> None:
    visitor.begin("sequence")
    visitor.move()
    seen = visitor.lines()
    visitor.page.workers[0].evaluate("setTimeout(() => { throw new Error('dead'); })")
    says(visitor.page, "failed")
    visitor.page.locator("main.stopped button").click()
    visitor.move()
    assert visitor.lines() > seen


def test_a_second_tab(visitor: Visitor) -> None:
    """One of them plays, and each can take over."""
    visitor.begin("sequence")
    visitor.move()
    seen, first, second = visitor.lines(), visitor.page, visitor.tab()
    second.goto(first.url)
    says(second, "twice")
    visitor.move()
    second.locator("main.stopped button").click()
    visitor.page = second
    visitor.move()
    assert visitor.lines() > seen + 1
    says(first, "elsewhere")
    first.locator("main.stopped button").click()
    visitor.page = first
    visitor.move()
    says(second, "elsewhere")


# More than there is room for, so that Chromium asks again how much there is; otherwise it does after half a minute.
TOO_MUCH = """async () => {
  const opening = indexedDB.open("too much", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("all");
  await new Promise((resolve) => { opening.onsuccess = resolve; });
  const change = opening.result.transaction("all", "readwrite");
  change.objectStore("all").put("x".repeat(100_000_000), 1);
  return new Promise((resolve) => {
    change.oncomplete = () => resolve("kept");
    change.onabort = () => resolve("refused");
  });
}"""


def test_a_full_disk(visitor: Visitor) -> None:
    """A move that cannot be kept is not made; when there is room the game goes on."""
    visitor.go("static/icon.svg")
    wire, origin = visitor.context.new_cdp_session(visitor.page), visitor.page.evaluate("origin")
    wire.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 90_000_000})
    visitor.begin("sequence")
    visitor.move()
    seen = visitor.lines()
    wire.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    assert visitor.page.evaluate(TOO_MUCH) == "refused"
    visitor.inside.locator("[data-part].can").first.click()
    visitor.inside.locator("[data-part].target").first.click()
    visitor.inside.get_by_text("has no room left to keep your game").first.wait_for()
    assert visitor.lines() == seen
    wire.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    visitor.move()
    seen = visitor.lines()
    visitor.page.reload()
    visitor.inside.locator("[data-part].can").first.wait_for()
    assert visitor.lines() == seen
    visitor.move()


def test_a_browser_that_keeps_nothing(visitor: Visitor) -> None:
    """There is no room from the first visit on."""
    visitor.go("static/icon.svg")
    wire = visitor.context.new_cdp_session(visitor.page)
    wire.send("Storage.overrideQuotaForOrigin", {"origin": visitor.page.evaluate("origin"), "quotaSize": 1})
    visitor.go()
    says(visitor.page, "unkept")


def test_a_new_edition(browser: Browser, tmp_path: Path) -> None:
    """Who plays is told, takes it when they like, and their game goes on."""
    folder = tmp_path / "web"
    shutil.copytree(built(), folder)
    with served(folder) as root:
        visitor = Visitor(browser, f"{root}games/")
        visitor.begin("sequence")
        visitor.move()
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        old = visitor.page.locator("html").get_attribute("data-edition")
        assert old is not None
        for name in ("edition.js", "sw.js"):
            script = folder / "games" / name
            script.write_text(script.read_text(encoding="utf-8").replace(old, old[::-1]), encoding="utf-8")
        visitor.page.reload()
        visitor.page.locator(".word", has_text=WORDS["newer"]).wait_for()
        visitor.move()
        seen = visitor.lines()
        visitor.page.locator(".word button").click()
        visitor.page.locator(f"html[data-edition='{old[::-1]}']").wait_for()
        visitor.inside.locator("[data-part].can").first.wait_for()
        assert visitor.lines() == seen
        visitor.move()
        assert visitor.page.locator(".word").is_hidden()
        visitor.close()
