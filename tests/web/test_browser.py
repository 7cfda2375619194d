"""Whole games in a real browser, by clicking, tapping and keys."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.play import GAMES
from tests.server.running import running
from tests.web import browser as browsers

pytestmark = pytest.mark.skipif(browsers.found() is None, reason="there is no browser")

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
READY = "() => [...document.querySelectorAll('.can, .target, #acts .primary')].some((e) => e.getClientRects().length)"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own."""
    with running(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = browsers.found()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path or None, args=["--no-sandbox"])
        yield browser
        browser.close()


def page_of(chromium: Any, size: dict[str, int], **more: Any) -> Any:
    context = chromium.new_context(viewport=size, locale="en-GB", reduced_motion="reduce", **more)
    page = context.new_page()
    page.set_default_timeout(60_000)
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.problems = problems
    return page


def new_table(page: Any, address: str, game: str, *fields: str) -> None:
    page.goto(f"{address}/new?game={game}&{'&'.join(fields)}")
    page.click(".fin .primary")
    page.wait_for_selector(".table")


def touch_something(page: Any, click: str) -> None:
    """One thing that can be done: a target if there is one, else a button, else a part that begins a move."""
    for selector in (".target", "#acts .btn.primary", ".can"):
        for part in page.query_selector_all(selector):
            if part.bounding_box():
                getattr(part, click)(force=True) if click == "tap" else part.dispatch_event("click")
                return


def play_on(page: Any, seconds: float, click: str = "click") -> str:
    """Play until the game is over; the title then."""
    deadline = time.time() + seconds
    while time.time() < deadline:
        page.wait_for_function(f"() => document.querySelector('.why') || ({READY})()")
        if page.query_selector(".why"):
            break
        touch_something(page, click)
    assert page.problems == []
    assert page.query_selector(".why"), page.title()
    return str(page.title())


SHORT = {"completto": "games=1", "take_that": "rounds=1"}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_clicking(chromium: Any, address: str, game: str) -> None:
    page = page_of(chromium, DESKTOP)
    new_table(page, address, game, "seat-1=me", "seat-2=casual", SHORT.get(game, ""))
    title = play_on(page, 240)
    assert "win" in title or "draw" in title
    page.context.close()


def test_two_browsers_at_one_table_and_a_spectator(chromium: Any, address: str) -> None:
    anna, bruno, carla = (page_of(chromium, DESKTOP) for _ in range(3))
    anna.goto(f"{address}/new?game=take_that&rounds=1&seat-1=me&seat-2=open")
    anna.fill("input[name=name]", "Anna")
    anna.click(".fin .primary")
    anna.wait_for_selector(".wait")
    bruno.goto(anna.url)
    bruno.click("[data-post='/sit']")
    for page in (anna, bruno):
        page.wait_for_selector(".table")
    carla.goto(anna.url)
    for _ in range(6):
        for page in (anna, bruno):
            if page.evaluate(READY):
                touch_something(page, "click")
                page.wait_for_timeout(150)
    shown = anna.inner_text("#log")
    assert shown
    bruno.wait_for_function("(text) => document.querySelector('#log').innerText === text", arg=anna.inner_text("#log"))
    carla.wait_for_selector("#log li")
    assert carla.query_selector("#panel-hand") is None
    for page in (anna, bruno, carla):
        assert page.problems == []
        page.context.close()


def test_phone_and_touch(chromium: Any, address: str) -> None:
    page = page_of(chromium, PHONE, has_touch=True, is_mobile=True)
    new_table(page, address, "take_that", "seat-1=me", "seat-2=beginner", "rounds=1")
    for _ in range(8):
        page.wait_for_function(READY)
        touch_something(page, "tap")
        page.wait_for_timeout(200)
    assert page.query_selector("#log li")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    assert page.problems == []
    page.context.close()


def test_keyboard_only(chromium: Any, address: str) -> None:
    page = page_of(chromium, DESKTOP)
    new_table(page, address, "sequence", "seat-1=me", "seat-2=beginner")
    page.wait_for_function(READY)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.part?.startsWith('hand-') || false"):
            break
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('target')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#log li")
    assert page.problems == []
    page.context.close()


SERVE = """
import sys
from infila.server import app, command, settings
listening = command.listen("127.0.0.1", int(sys.argv[2]))
made = app.create_app(settings.Settings(data=sys.argv[1], limits=False, pace=0.0))
command.serve(made, listening, lambda: print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True))
"""


def test_the_server_comes_back(chromium: Any, tmp_path: Path) -> None:
    """Killed and started again: the page goes on where it was."""

    def serve(port: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-c", SERVE, str(tmp_path), port]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        )
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        return process, found[0].rstrip("/")

    process, address = serve("0")
    page = page_of(chromium, DESKTOP)
    new_table(page, address, "take_that", "seat-1=me", "seat-2=beginner")
    page.wait_for_function(READY)
    touch_something(page, "click")
    touch_something(page, "click")
    page.wait_for_selector("#log li")
    process.kill()
    process.communicate()
    again, _ = serve(address.rpartition(":")[2])
    page.reload()
    page.wait_for_selector("#log li")
    page.wait_for_function(READY)
    page.context.close()
    again.kill()
    again.communicate()
