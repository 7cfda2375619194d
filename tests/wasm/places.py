"""The places where a module runs: here, by wasmtime, and in a browser, by the script that pages use."""

import base64
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from playwright.sync_api import sync_playwright

from infila.conformance.modules import Call, Make, outcome
from infila.core.games import NAMES, contract_of
from infila.server.tasks import Task
from infila.wasm.instance import Engine, flat
from infila.wasm.modules import CODE, DESCRIPTION, module_of
from tests.web import browser as browsers

INFILA = Path(__file__).parents[2] / "infila"
PAGE = "http://localhost/"  # a secure one, where a hash can be checked; nothing listens there
# makes a module's calls, each given as an entry and its arguments: numbers as text, arrays as base64 or a size
SCRIPT = """async ([game, calls]) => {
  const { load } = await import("/module.js");
  const module = ((window.modules ??= {})[game] ??= await load(new URL(`/${game}/`, location)));
  const bytes = (given) => typeof given === "number"
    ? new Uint8Array(given) : Uint8Array.from(atob(given), (letter) => letter.charCodeAt());
  const digest = async (arrays) => {
    const all = new Uint8Array(await new Blob(arrays).arrayBuffer());
    const found = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
    return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const outcomes = [];
  for (const [name, given] of calls) {
    const takes = module.description.entries[name].takes;
    const arrays = takes.map((kind, i) => kind.endsWith("[]") ? bytes(given[i]) : BigInt(given[i]));
    const began = performance.now();
    const gave = module.call(name, ...arrays) ?? null;
    window.seconds = (performance.now() - began) / 1000;
    outcomes.push([gave, await digest(arrays.filter((array) => typeof array !== "bigint"))]);
  }
  return outcomes;
}"""

# what each of some tasks (infila/server/tasks.py) comes to
THINK = """async ([game, tasks]) => {
  const [{ load }, { think }] = await Promise.all([import("/module.js"), import("/think.js")]);
  const module = ((window.modules ??= {})[game] ??= await load(new URL(`/${game}/`, location)));
  return tasks.map((task) => think(module, task));
}"""


def here(name: str) -> Engine:
    """A game's module in this process."""
    module = module_of(contract_of(name))
    assert module is not None, f"the module of {name} is not of the present sources: make wasm"
    return Engine(module)


def on_the_cpu(make: Make) -> list[Any]:
    return shortened(outcome(*make()))


def shortened(found: list[Any]) -> list[Any]:
    """An outcome with a hash in place of the bytes."""
    given, *arrays = found
    return [given, hashlib.sha256(b"".join(arrays)).hexdigest()]


class Browser:
    """A page that has nothing but the modules."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def outcomes(self, game: str, makes: list[Make]) -> list[Any]:
        found: list[Any] = self.page.evaluate(SCRIPT, [game, [_written(make()) for make in makes]])
        return found

    def actions(self, game: str, tasks: list[Task]) -> list[int]:
        """What a solo table's worker finds."""
        found: list[int] = self.page.evaluate(THINK, [game, msgspec.to_builtins(tasks)])
        return found

    def seconds(self, game: str, make: Make) -> float:
        """How long a call takes."""
        self.outcomes(game, [make])
        return float(self.page.evaluate("window.seconds"))


FILES = {PAGE + "module.js": INFILA / "wasm/module.js", PAGE + "think.js": INFILA / "web/solo/think.js"} | {
    f"{PAGE}{name}/{file}": INFILA / "games" / name / file for name in NAMES for file in (CODE, DESCRIPTION)
}


def _answer(route: Any) -> None:
    """What is there: an empty page, the scripts, and the modules."""
    if route.request.url in FILES:
        route.fulfill(path=FILES[route.request.url])
    elif route.request.url == PAGE:
        route.fulfill(body="<!doctype html>", content_type="text/html")
    else:
        route.fulfill(status=404)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browsers.found() or None, args=browsers.ARGUMENTS)
        try:
            page = chromium.new_page()
            page.route("**/*", _answer)
            page.goto(PAGE)
            yield Browser(page)
        finally:
            chromium.close()


def _written(call: Call) -> Any:
    name, arguments = call
    return [name, [_argument(each) for each in flat(arguments)]]


def _argument(given: Any) -> str | int:
    if not isinstance(given, np.ndarray):
        return str(int(given))
    held = given.tobytes()
    return base64.b64encode(held).decode() if any(held) else len(held)
