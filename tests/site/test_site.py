"""The site in Chromium, from a plain file server and then without a network: what a page of a server does, it does."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from infila.cli import main
from infila.site import image
from infila.site.browser.addresses import on_site, page_on_site
from infila.site.build import build
from infila.wasm.use import modules_in_use
from tests.site.built import QUICKLY, Visitor, built, chromium, served, site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is: below a path of its own, on a server that knows nothing of it."""
    with site() as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    opened = Visitor(browser, address)
    yield opened
    opened.close()


def test_a_game_goes_on_without_a_network_and_after_a_reload(visitor: Visitor, address: str) -> None:
    visitor.begin("sequence")
    visitor.move()
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.context.set_offline(True)
    visitor.move()
    seen = visitor.lines()
    visitor.page.reload()
    visitor.inside.locator("[data-part].can").first.wait_for()
    assert visitor.lines() == seen, "every move that was shown is there"
    visitor.move()
    visitor.inside.locator("#acts button:has-text('hint')").click()
    visitor.inside.locator(".take").first.wait_for()
    visitor.go("?/mine")
    visitor.inside.locator(".list a").first.wait_for()
    visitor.go("?/rules/zatre")
    visitor.inside.locator("#Z9").first.wait_for()
    visitor.go("?/new&game=completto&players=3")
    visitor.inside.locator("select[name='seat-2']").select_option("me")
    visitor.inside.locator("text=open the table").click()
    visitor.inside.locator(".table").first.wait_for()
    visitor.go()
    visitor.inside.locator("form[action*='/learn/zatre'] button").click()
    visitor.inside.locator(".filo").first.wait_for()
    visitor.go()
    visitor.inside.locator("button:has-text('de')").first.click()
    visitor.inside.locator("html[lang=de]").wait_for()
    assert visitor.page.evaluate("document.documentElement.lang") == "de"


def test_the_way_back_leads_from_page_to_page(visitor: Visitor, address: str) -> None:
    visitor.go()
    visitor.inside.locator("a[href*='/rules/']").first.click()
    visitor.page.wait_for_url("**/?/rules/**")
    visitor.inside.locator("a[href='./?/']:visible").first.click()
    visitor.page.wait_for_url(f"{address}?/")
    visitor.inside.locator("a[href*='/mine']").first.click()
    visitor.page.wait_for_url("**/?/mine")
    visitor.page.reload()
    visitor.inside.locator(".list").first.wait_for()
    visitor.page.go_back()
    visitor.inside.locator(".posters").wait_for()
    visitor.page.go_back()
    visitor.page.wait_for_url("**/?/rules/**")
    visitor.page.wait_for_function("() => document.title.includes('rules')")


def test_addresses_are_relative() -> None:
    page = '<a href="/t/abc?at=3">x</a><script src="/static/table.js?0f"></script><form action="/play/zatre">'
    assert page_on_site(page) == (
        '<a href="./?/t/abc&amp;at=3">x</a><script src="./static/table.js"></script><form action="./?/play/zatre">'
    )
    assert on_site("/") == "./?/"


def test_a_manifest_is_relative(address: str) -> None:
    with urlopen(f"{address}manifest.webmanifest") as answer:
        told = json.load(answer)
    assert told["start_url"] == told["scope"] == "./" and "id" not in told
    assert told["shortcuts"][0]["url"] == "./?/new&game=zatre"
    for icon in told["icons"]:
        with urlopen(address + icon["src"].removeprefix("./")) as answer:
            assert icon["src"].startswith("./") and answer.headers["content-type"] == icon["type"]


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as ended:
        main(["site", str(tmp_path / "file")])
    assert ended.value.code == 2 and "is not a folder" in capsys.readouterr().err


def test_a_computer_that_searches_answers(visitor: Visitor) -> None:
    visitor.begin("sequence", "master")
    visitor.move()


FAILS = """addEventListener("message", ({ data }) => { if (data.task) throw new Error("it has died"); });"""


def test_a_search_that_fails_is_thought_of_by_python_and_next_time_by_another(browser: Browser, tmp_path: Path) -> None:
    """Every worker that is to search dies of its first task."""
    shutil.copytree(built(), tmp_path / "web")
    (tmp_path / "web" / "games" / "thinker.js").write_text(FAILS, encoding="utf-8")
    with served(tmp_path / "web") as root:
        visitor = Visitor(browser, f"{root}games/")
        searchers = list[str]()
        visitor.page.on("worker", lambda worker: searchers.append(worker.url) if "thinker" in worker.url else None)
        visitor.begin("sequence", "master")
        for _ in range(2):
            visitor.move()
        assert len(searchers) >= 2, "one that has failed is asked nothing more"
        visitor.problems[:] = [each for each in visitor.problems if "it has died" not in each]
        visitor.close()


def test_moves_and_hints_are_in_words(visitor: Visitor) -> None:
    visitor.begin("sequence")
    visitor.move()
    assert "@" not in visitor.inside.locator("#log").inner_text(), "this is how the notation of moves looks"
    visitor.inside.locator("#acts button:has-text('hint')").click()
    visitor.inside.locator(".take").first.wait_for()
    assert visitor.inside.locator(".take + p").first.inner_text() != "", "a hint has reasons"


def test_the_same_sources_give_the_same_site_wherever_they_are(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "a place of quite another name"
    elsewhere.mkdir()
    for name in ("make.mjs", "bytecode.py"):
        shutil.copy(image.OWN / name, elsewhere)
    monkeypatch.setattr(image, "OWN", elsewhere)
    monkeypatch.setenv("LC_ALL", "it")
    with modules_in_use():
        build(tmp_path / "site", QUICKLY)
    first, second = (
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        for folder in (built() / "games", tmp_path / "site")
    )
    assert first.keys() == second.keys()
    assert [name for name, content in first.items() if second[name] != content] == []
