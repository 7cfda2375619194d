"""Tabs that die at random moments while moves are made: every move that was shown is there afterwards.

    python -m tests.site.kills --kills 100 --out bench/results/tabs.json

The whole renderer is killed, with the page and the worker in which Python decides and writes; the next tab finds what
the browser has kept. Games of all kinds, one after another, each by clicking whatever can be clicked.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, ConsoleMessage, Error, Page

from tests.cases import cases_of
from tests.play import GAMES
from tests.site.built import Visitor, chromium, site
from tests.web.test_browser import TOUCHABLE

KILLS_A_GAME = 5
TOLD = 10  # kills after which there is a word
LONGEST = 2.5  # seconds until a tab dies
# clicks for ever, and says whatever has just come to be shown
CLICKING = f"""() => {{
  let told = "";
  setInterval(() => {{
    const lines = JSON.stringify([...document.querySelectorAll("#log li")].map((each) => each.textContent));
    if (lines !== told) console.debug("shown " + (told = lines));
    ({TOUCHABLE})()?.dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
  }}, 5);
}}"""


class Kills:
    def __init__(self, browser: Browser, address: str, seed: int = 1) -> None:
        self.visitor = Visitor(browser, address)
        self.chance = random.Random(seed)
        self.games = 0
        self.kills = 0
        self.checked = 0  # moves that were shown and looked for after a kill
        self._seen: list[str] = []

    def run(self, kills: int, tell: Callable[[], None] = lambda: None) -> None:
        page = self._new_game(self._tab())
        while self.kills < kills:
            table = page.url
            page.frames[1].evaluate(CLICKING)
            page.wait_for_timeout(1000 * self.chance.uniform(0, LONGEST))
            over = page.frames[1].locator(".why").count()
            self._kill(page)
            page = self._tab()
            page.goto(table)
            self._check(page)
            tell()
            if over or self.kills % KILLS_A_GAME == 0:
                page = self._new_game(page)

    def _tab(self) -> Page:
        page = self.visitor.tab()
        page.on("console", self._hear)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.text.startswith("shown "):
            self._seen = json.loads(message.text.removeprefix("shown "))

    def _new_game(self, page: Page) -> Page:
        game = GAMES[self.games % len(GAMES)]
        self.games += 1
        self._seen = []
        page.goto(f"{self.visitor.address}?/new&{urlencode({'game': game, 'seat-2': 'casual'} | cases_of(game).short)}")
        page.frame_locator("iframe").locator(".fin .primary").click()
        page.frame_locator("iframe").locator("#acts").wait_for(state="attached")
        return page

    def _kill(self, page: Page) -> None:
        with page.expect_event("crash"), suppress(Error):  # nobody is left to answer
            page.goto("chrome://crash")
        page.close()
        self.kills += 1

    def _check(self, page: Page) -> None:
        inside = page.frame_locator("iframe")
        inside.locator("#acts").wait_for(state="attached")
        kept = inside.locator("#log li").all_text_contents()
        assert kept[: len(self._seen)] == self._seen, f"after kill {self.kills} {self._seen} became {kept}"
        self.checked += len(self._seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file for what was found")
    wanted = parser.parse_args()
    began = time.monotonic()
    with site() as address, chromium() as browser:
        kills = Kills(browser, address, wanted.seed)

        def tell() -> None:
            if kills.kills % TOLD == 0:
                print(f"{kills.kills} kills, {kills.games} games: {kills.checked} shown moves were there", flush=True)

        kills.run(wanted.kills, tell)
    if wanted.out:
        found = {"kills": kills.kills, "games": kills.games, "shown_moves": kills.checked, "lost": 0}
        found["seconds"] = round(time.monotonic() - began)
        wanted.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
