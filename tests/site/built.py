"""A site for tests, and a browser that opens it.

`python -m tests.site.built` builds it, once for all tests of these sources; without that the first test does.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, sync_playwright

import infila
from infila.site.build import build
from infila.site.npm import NotFetched
from infila.wasm.use import modules_in_use
from tests.web import browser as browsers

INFILA = Path(infila.__file__).parent
QUICKLY = 3  # compressed no harder than that
PATIENCE = 60_000
A_DAY = 86_400  # seconds
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "application/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}  # all others are unknown
UNPACKED = """async () => {
  const name = (await caches.keys()).find((each) => each.startsWith("infila python"));
  return name ? (await (await caches.open(name)).keys()).length : 0;
}"""


@cache
def documented_headers() -> list[tuple[str, str]]:
    """What the documentation says that a web space may send."""
    text = (INFILA.parent / "docs" / "how-to" / "site.md").read_text(encoding="utf-8")
    block = text.partition("```text\n")[2].partition("```")[0]
    found = [(name, value) for name, _, value in (line.partition(": ") for line in block.splitlines())]
    assert [name for name, _ in found] == ["Content-Security-Policy", "X-Content-Type-Options"]
    return found


class Quiet(SimpleHTTPRequestHandler):
    """The plainest server there is, with the headers that docs/how-to/site.md has for those who can set some. It knows
    as few kinds of files as a site may count on, and a browser is told to believe it."""

    def end_headers(self) -> None:
        for name, value in documented_headers():
            self.send_header(name, value)
        super().end_headers()

    def guess_type(self, path: Any) -> str:
        return KINDS.get(Path(path).suffix, "application/octet-stream")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with suppress(ConnectionError):  # a tab may be gone before everything has come
            super().copyfile(source, outputfile)


def built() -> Path:
    """A folder with a site in it, below a path of its own: games/."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "infila-site"
    folder = base / f"tests-{_sources()}"
    if not folder.is_dir():
        base.mkdir(parents=True, exist_ok=True)
        for old in base.glob("tests-*"):
            if time.time() - old.stat().st_mtime > A_DAY:  # nobody tests it any longer
                shutil.rmtree(old, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=base) as work, modules_in_use():
            build(Path(work) / "web" / "games", QUICKLY)
            try:
                (Path(work) / "web").rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise  # else another process was quicker, with the same files
    return folder


def _sources() -> str:
    digest = hashlib.sha256()
    for file in sorted(INFILA.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.relative_to(INFILA).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def built_or_skipped() -> Path:
    """The folder; where nothing can be fetched the tests are left out, but not where everything must be shown."""
    try:
        return built()
    except NotFetched as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(problem))


@contextmanager
def site() -> Iterator[str]:
    """The address of a site."""
    folder = built_or_skipped()
    with served(folder) as root:
        yield f"{root}games/"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder's files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def chromium() -> Iterator[Browser]:
    path = browsers.found()
    if path is None:
        pytest.skip("there is no browser")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path or None, args=browsers.ARGUMENTS)


class Visitor:
    """Somebody with a browser of their own, who asks nobody but the site and has nothing to complain about."""

    def __init__(self, browser: Browser, address: str, width: int = 1280, height: int = 800) -> None:
        self.address = address
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        self.problems: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        said = self.problems
        page.on("console", lambda line: said.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda problem: said.append(str(problem)))
        page.on(
            "request", lambda asked: None if asked.url.startswith((self.address, "blob:")) else said.append(asked.url)
        )
        return page

    @property
    def inside(self) -> FrameLocator:
        """What is shown."""
        return self.page.frame_locator("iframe")

    def go(self, path: str = "") -> None:
        self.page.goto(f"{self.address}{path}")

    def show(self, path: str) -> None:
        """Another page, by a link: the window with Python stays."""
        self.inside.locator("main").first.wait_for()
        self.page.frames[1].goto(f"{self.address}{path}")

    def begin(self, game: str, level: str = "club") -> None:
        """A game against a computer, from the front page."""
        self.go()
        self.inside.locator(f"form[action*='/play/{game}'] button").first.click()
        self.inside.locator(f"button:has-text('{level}')").first.click()
        self.inside.locator("[data-part].can").first.wait_for()

    def lines(self) -> int:
        """How many lines the story of the game has."""
        return self.inside.locator("#log li").count()

    def move(self) -> None:
        """One move by clicking, and the computer's answer."""
        self.inside.locator("[data-part].can").first.wait_for()
        before = self.lines()
        self.inside.locator("[data-part].can").first.click()
        self.inside.locator("[data-part].target").first.click()
        self.inside.locator("#log li").nth(before + 1).wait_for(state="attached")

    def unpacked(self) -> None:
        """Wait until everything is kept that was unpacked."""
        while self.page.evaluate(UNPACKED) < 2:
            self.page.wait_for_timeout(50)

    def close(self) -> None:
        self.context.close()
        assert self.problems == []


if __name__ == "__main__":
    try:
        built()
    except NotFetched as problem:
        if os.environ.get("CI"):
            raise SystemExit(str(problem)) from None
        print(f"The tests of the site are left out: {problem}", file=sys.stderr)
