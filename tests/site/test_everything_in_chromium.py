"""Everything in one file, from one browser to another."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site.built import Visitor

pytestmark = pytest.mark.slow


def saved(visitor: Visitor, folder: Path) -> Path:
    visitor.show("?/mine")
    with visitor.page.expect_download() as coming:
        visitor.inside.locator("a[href*='/everything']").click()
    file = folder / coming.value.suggested_filename
    coming.value.save_as(file)
    return file


def bring(visitor: Visitor, file: Path) -> str:
    """What is said of a file."""
    visitor.show("?/mine")
    visitor.inside.locator("#file").set_input_files(file)
    visitor.inside.locator("form[action*='/everything'] button").click()
    visitor.inside.locator("#file").wait_for(state="detached")
    return visitor.inside.locator("main").inner_text()


def my_games(visitor: Visitor) -> str:
    visitor.show("?/mine")
    return visitor.inside.locator("main section").inner_text()


def test_export_here_import_there(browser: Browser, address: str, tmp_path: Path) -> None:
    """Two games that are played, one that is over, and a lesson: the other browser has the same, and goes on."""
    anna = Visitor(browser, address)
    anna.begin("sequence")
    anna.move()
    for number in (0, 2):
        anna.show("")
        anna.inside.locator("form[action*='/play/']").nth(number).locator("button").first.click()
        anna.inside.locator("#acts").wait_for()
    lost = anna.page.evaluate("location.search.slice(1)")
    answer = anna.page.evaluate("at => infila.ask('POST', `${at}/resign`, {}, '{}')", lost)
    assert answer["status"] < 400
    anna.show("")
    anna.inside.locator("form[action*='/learn/take_that'] button").click()
    anna.inside.locator(".filo").first.wait_for()
    anna.show("?/mine")
    anna.inside.locator("form[action*='/name'] input").fill("Anna")
    anna.inside.locator("form[action*='/name'] button").click()
    anna.page.wait_for_timeout(500)
    games = my_games(anna)
    file = saved(anna, tmp_path)
    assert file.name.startswith("infila-") and file.suffix == ".json"

    bruno = Visitor(browser, address)
    bruno.go()
    assert "Games that are new here: 4." in bring(bruno, file)
    assert my_games(bruno) == games
    assert bruno.inside.locator("form[action*='/name'] input").input_value() == "Anna"
    bruno.page.reload()
    assert my_games(bruno) == games, "it is kept"
    assert "Games that were here already: 4." in bring(bruno, file)
    bruno.show("?/mine")
    bruno.inside.locator(".list a:has-text('sequence')").first.click()
    bruno.move()
    assert "Games that went on elsewhere and go on here now: 1." in bring(anna, saved(bruno, tmp_path))
    assert my_games(anna) == my_games(bruno)
    anna.close()
    bruno.close()


FILES = {
    b'{"infila":"everything","format":1,"sum":"': "damaged or incomplete",
    b"\x89PNG\r\n\x1a\n\xff\xfe": "is not one of those",
    b'{"infila":"everything","format":2}': "newer edition",
    b"[" * 1_000_000: "nested too deeply",
    b'{"a":' * 1_000_000: "nested too deeply",
    b" " * 33_000_000: "too large",
}


def test_files_that_are_none(browser: Browser, address: str, tmp_path: Path) -> None:
    visitor = Visitor(browser, address)
    visitor.go()
    for content, sentence in FILES.items():
        (tmp_path / "file.json").write_bytes(content)
        assert sentence in bring(visitor, tmp_path / "file.json")
    assert "No game is running." in my_games(visitor), "and everything goes on"
    visitor.close()
