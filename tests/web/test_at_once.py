"""Every click is heard at once, also while rules are compiled. How strong the computer shall be is asked once."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from infila.core.games import NAMES
from infila.players import LEVELS
from infila.server import compiling
from infila.server.app import create_app
from infila.server.compiling import Compiling, _Work
from infila.server.settings import Settings
from infila.wasm.use import modules_in_use
from tests.web import browser as browsers
from tests.web.house import open_house

Client = TestClient[Any]
HTML = {"accept": "text/html", "sec-fetch-site": "same-origin"}


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Rules that are half compiled until the test says that they are."""
    done = threading.Event()

    async def compile_until_done(self: Compiling, game: str) -> None:
        work = self._work.setdefault(game, _Work(0.0))
        work.since, work.share, work.seconds = time.monotonic() - 20, 0.5, 20.0
        while not done.is_set():
            await asyncio.sleep(0.01)
        self._ready[game].set()

    monkeypatch.setattr(compiling, "is_compiled", lambda game: False)
    monkeypatch.setattr(Compiling, "_compile", compile_until_done)
    return done


@pytest.fixture
def client(tmp_path: Path, compiled: threading.Event) -> Iterator[Client]:
    app = create_app(Settings(data=str(tmp_path), pace=0.0, compile_ahead=True))
    with TestClient(app, base_url="http://testserver.local") as client:
        client.headers.update(HTML)
        yield client
        compiled.set()


def test_who_clicks_while_rules_are_compiled_is_told_how_far_it_is(client: Client, compiled: threading.Event) -> None:
    sent = {"commitment": '"><script>', "game": "zatre", "seat-1": "me"}
    for path in ("/play/zatre", "/learn/zatre", "/new"):
        began = time.monotonic()
        page = client.post(path, data=sent)
        assert page.status_code == 200 and time.monotonic() - began < 2, "nobody waits for the compiler"
        assert 'data-ready="/ready/zatre"' in page.text and f'action="{path}"' in page.text
        assert "About 20 seconds more." in page.text
        assert 'value="&#34;&gt;&lt;script&gt;"' in page.text, "what was sent is kept, as text"
    how_far = client.get("/ready/zatre").json()
    assert not how_far["ready"] and 0.4 < how_far["share"] < 0.6
    assert client.get("/ready/chess").status_code == 404
    assert client.get("/").status_code == client.get("/mine").status_code == 200
    compiled.set()
    while not client.get("/ready/zatre").json()["ready"]:
        time.sleep(0.01)
    table = client.post("/play/zatre", data={"commitment": ""})
    assert table.url.path.startswith("/t/") and 'id="state"' in table.text


def test_a_table_opened_after_an_update_waits_for_its_rules_and_lists_do_not(tmp_path: Path, monkeypatch: Any) -> None:
    @contextmanager
    def open_server() -> Iterator[Client]:
        app = create_app(Settings(data=str(tmp_path), pace=0.0, compile_ahead=True))
        with TestClient(app, base_url="http://testserver.local") as client:
            client.headers.update(HTML)
            yield client

    monkeypatch.setattr(compiling, "is_compiled", lambda game: True)
    with open_server() as client:
        table = client.post("/play/take_that", data={"wait": "yes"}).url.path
        cookies = dict(client.cookies)
    monkeypatch.setattr(compiling, "is_compiled", lambda game: False)
    waiting = asyncio.Event()
    monkeypatch.setattr(Compiling, "_compile", lambda self, game: waiting.wait())
    with open_server() as client:
        client.cookies.update(cookies)
        assert 'data-ready="/ready/take_that"' in client.get(table).text
        assert client.get("/t/nosuchtable").status_code == 404
        for page in ("/", "/mine"):
            assert table in client.get(page).text


def test_a_game_with_a_module_is_played_while_others_are_compiled(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(compiling, "needs_no_compiler", {"take_that"}.__contains__)
    monkeypatch.setattr(Compiling, "_compile", lambda self, game: asyncio.Event().wait())
    monkeypatch.setattr(compiling, "mark_of", lambda game, job: tmp_path / game)
    app = create_app(Settings(data=str(tmp_path), pace=0.0, compile_ahead=True))
    with modules_in_use(), TestClient(app, base_url="http://testserver.local") as client:
        client.headers.update(HTML)
        assert 'data-ready="/ready/zatre"' in client.post("/play/zatre", data={"level": "club"}).text
        assert client.get("/ready/take_that").json()["ready"]
        assert client.post("/play/take_that", data={"level": "club"}).url.path.startswith("/t/")


def test_what_somebody_waits_for_is_compiled_next() -> None:
    begun: list[str] = []

    async def compile_all() -> None:
        games = Compiling()
        done = asyncio.Event()

        async def compile_one(game: str) -> None:
            begun.append(game)
            games._work.setdefault(game, _Work(0.0))
            await done.wait()
            games._ready[game].set()

        games._compile = compile_one  # type: ignore[method-assign]
        games._begin(games._compile_all())
        await asyncio.sleep(0)
        games.want(NAMES[3])
        games.want(NAMES[2])
        games.want("chess")
        await asyncio.sleep(0)
        assert begun == [NAMES[0], NAMES[3]], "beside the first, but no more than two"
        done.set()
        await asyncio.gather(*(games.wait(game) for game in NAMES))
        await games.stop()

    asyncio.run(compile_all())
    assert begun[2:] == [NAMES[2], NAMES[1]]


def test_the_level_is_asked_once_and_kept(client: Client, compiled: threading.Event) -> None:
    compiled.set()
    asked = client.post("/play/take_that", data={"ask": "yes", "commitment": "kept"})
    assert asked.status_code == 200 and not asked.url.path.startswith("/t/")
    assert [level for level in LEVELS if f'value="{level}"' in asked.text] == list(LEVELS)
    assert 'name="commitment" value="kept"' in asked.text
    answer = client.post("/play/take_that", data={"level": "expert", "wait": "yes"})
    assert answer.url.path.startswith("/t/") and client.cookies["level"] == "expert"
    assert re.search(r'value="expert" aria-current="true"', answer.text), "in the menu"
    again = client.post("/play/take_that", data={"ask": "yes", "wait": "yes"})
    assert again.url.path.startswith("/t/") and ">expert<" in again.text
    client.post("/level", data={"level": "beginner"})
    assert client.cookies["level"] == "beginner"


@pytest.mark.parametrize("forged", ["random", "grandmaster", "x" * 3000, "'; drop"])
def test_a_forged_level_is_none(client: Client, compiled: threading.Event, forged: str) -> None:
    compiled.set()
    client.cookies.set("level", forged)
    assert client.get("/").status_code == client.get("/new").status_code == 200
    asked = client.post("/play/take_that", data={"ask": "yes", "level": forged})
    assert asked.status_code == 200 and not asked.url.path.startswith("/t/"), "it is asked for"
    assert client.post("/level", data={"level": forged}).status_code == 400


def test_a_thousand_looks_at_how_far_it_is(client: Client) -> None:
    answers = {client.get("/ready/zatre").status_code for _ in range(1000)}
    assert answers == {200, 429}, "answered for a while, then limited, and nothing else"


def test_the_first_click_in_a_browser(tmp_path: Path, compiled: threading.Event) -> None:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with open_house(tmp_path, compile_ahead=True) as house:
        person = house.person("Anna")
        person.context.add_cookies([{"name": "level", "value": "casual", "url": house.address}])
        page = person.visit("/")
        page.evaluate(
            """() => { const poster = document.querySelector('.poster[data-game=take_that]');
            const clicked = performance.now();
            poster.addEventListener('click', () => requestAnimationFrame(() => {
              sessionStorage.heard = poster.ariaBusy === 'true' ? performance.now() - clicked : 1e9; }));
            poster.click(); }"""
        )
        page.wait_for_selector("progress[data-ready]")
        assert float(page.evaluate("sessionStorage.heard")) < 200
        assert page.text_content("#left") and page.locator("progress").get_attribute("value") != "0"
        compiled.set()
        page.wait_for_url("**/t/*")
        page.wait_for_selector(".table")
        page.go_back()
        assert page.url == f"{house.address}/", "the page that waited is not in the history"
        person.leave()
