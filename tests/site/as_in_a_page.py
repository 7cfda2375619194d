"""Runs what is packed for a page as a browser does, without a browser: with stand-ins, and nothing else that is here.

    python -S as_in_a_page.py PACK LATER REPOSITORY SITE-PACKAGES

Rules are run by wasmtime, which stands in for the browser's own WebAssembly. Prints a transcript as JSON, and what was
imported on the way.
"""

import asyncio
import importlib.machinery
import json
import sys
from pathlib import Path
from typing import Any

PACK, LATER, REPOSITORY, PACKAGES = sys.argv[1:]
ELSEWHERE = {"wasmtime": PACKAGES, "tests": REPOSITORY}


class Few:
    """Finds what the browser has by itself, and the test."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        return importlib.machinery.PathFinder.find_spec(name, [ELSEWHERE[name]]) if name in ELSEWHERE else None


sys.path[:] = [f"{PACK}/instead", PACK, *sys.path[1:]]
sys.meta_path.append(Few)

import wasmtime  # noqa: E402 (only what is named above is found from here on)

from infila.server import creation, identity  # noqa: E402
from infila.server.settings import Settings  # noqa: E402
from infila.site.browser import app, main  # noqa: E402
from infila.wasm.instance import Instance  # noqa: E402
from tests.site.kept import Kept  # noqa: E402
from tests.site.transcript import NOW, QUICK, numbered, steady, transcript  # noqa: E402


class Bytes:
    """An array as `Instance` takes it from NumPy."""

    dtype, ndim = "u1", 1

    def __init__(self, memory: memoryview, size: int) -> None:
        self.data, self.nbytes, self.size = memory, len(memory), size

    def __len__(self) -> int:
        return self.nbytes // self.size

    def view(self, _kind: str) -> "Bytes":
        return Bytes(self.data, 1)


class Modules:
    """As `Desk` in `python.js`."""

    def __init__(self) -> None:
        self.engine = wasmtime.Engine()
        self.instances: dict[str, tuple[Instance, dict[str, Any]]] = {}

    def lay(self, memory: bytearray) -> None:
        self.desk = memoryview(memory)

    def run(self, game: str, name: str) -> int:
        if game not in self.instances:
            folder = Path(REPOSITORY) / "infila" / "games" / game
            description = json.loads((folder / "rules.json").read_text(encoding="utf-8"))
            code = wasmtime.Module(self.engine, (folder / "rules.wasm").read_bytes())
            self.instances[game] = Instance(self.engine, code, description["entries"]), description
        instance, description = self.instances[game]
        cells, at, arguments = self.desk.cast("q"), 8 * main.CELLS, list[Any]()
        for i, kind in enumerate(description["entries"][name]["takes"]):
            if not kind.endswith("[]"):
                arguments.append(cells[i])
                continue
            kind = kind.removesuffix("[]")
            size = description["records"].get(kind, {}).get("size") or int(kind[1:])
            arguments.append(Bytes(self.desk[at : at + cells[i]], size))
            at += -(-cells[i] // 8) * 8
        found = instance.call(name, tuple(arguments))
        results = () if found is None else found if isinstance(found, tuple) else (found,)
        for i, result in enumerate(results):
            cells[i] = result
        return len(results)


class Fetched:
    """What has come over the network, as `python.js` hands it over."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def to_bytes(self) -> bytes:
        return self.content


async def puzzles(game: str) -> Fetched:
    return Fetched((Path(REPOSITORY) / "infila" / "games" / game / "puzzles.jsonl.gz").read_bytes())


async def at_once(function: Any, *arguments: Any) -> Any:
    """A page has no other threads."""
    return function(*arguments)


async def run() -> None:
    asyncio.to_thread = at_once  # type: ignore[assignment]
    for module in (identity, creation, app):
        module.new_id = numbered("id")  # type: ignore[attr-defined]
    settings = Settings(
        limits=False,
        alone=True,
        browsers_think=False,
        pace=0.0,
        now=lambda: NOW,
        new_seed=numbered("seed"),
        review_simulations=QUICK,
    )
    main.prepare()
    Path(LATER).replace(PACK)  # from here on there are no sources
    known = set(sys.modules)
    await main.begin(Kept(), Modules(), settings=settings, puzzles=puzzles)

    async def ask(method: str, address: str, headers: Any, cookies: Any, body: str) -> tuple[int, Any, bytes]:
        answer = await main.site.ask(method, address, headers, cookies, body)
        return answer.status, answer.headers, steady(answer.body)

    lines = await transcript(ask)
    print(json.dumps({"transcript": lines, "imported": sorted(set(sys.modules) - known)}))


asyncio.run(run())
