"""Rules as WebAssembly next to Numba's, in the same run: how large, how soon there, and how fast.

    python -m bench.wasm [--rounds 25]

Random play and one search by `master` in the middle of a game, each as one call: on the CPU, by wasmtime as the server
does it, and in Chromium as a page does it. Of several rounds, in which they take turns, the quickest counts. Needs what
the tests need (`make test` installs it). `python -m bench.start` measures the first click from an empty cache.
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import infila
from infila.conformance.modules import Make, random_games
from infila.core.entry import ENTRIES
from infila.core.games import NAMES, contract_of
from infila.players.player import Tree
from infila.wasm.instance import Engine
from infila.wasm.modules import module_of
from tests.wasm import places

RESULTS = Path(__file__).parent / "results" / "wasm.json"
GAMES, MOVES = 500, 12
LOAD = """async (game) => {
  const code = await (await fetch(`/${game}/rules.wasm`)).arrayBuffer();
  const began = performance.now();
  await WebAssembly.instantiate(code, {});
  return (performance.now() - began) / 1000;
}"""


def search_by_master(name: str) -> Make:
    game, club = infila.new(name, players=2, seed=1), infila.player(name, "club")
    while len(game.history) < MOVES or len(game.view(game.player).moves) < 3:
        game.play(club.think(game.view(game.player)).move)
    view, master = game.view(game.player), infila.player(name, "master")
    level, seat = master.level, view.seat
    assert level is not None and seat is not None

    def make() -> Any:
        tree = Tree(master, view.states, seat, level, 1, level.simulations)
        return "search", (tree.states, seat, level.simulations, tree.settings, tree.nodes, tree.desk, tree.buffers)

    return make


def seconds(make: Make, call: Callable[..., Any]) -> float:
    """The processor's time for a call, so that other programs count for little; Chromium has only a clock."""
    name, arguments = make()
    began = time.thread_time()
    call(name, *arguments)
    return time.thread_time() - began


def compared(name: str, make: Make, engine: Engine, browser: places.Browser, rounds: int) -> dict[str, float]:
    """Seconds on the CPU, and the share of its speed elsewhere."""

    def on_the_cpu(entry: str, *arguments: Any) -> Any:
        return ENTRIES[entry].function(*arguments)

    seconds(make, on_the_cpu)  # compiles
    found = [
        (seconds(make, on_the_cpu), seconds(make, engine.call), browser.seconds(name, make)) for _ in range(rounds)
    ]
    cpu, wasmtime, chromium = (min(column) for column in zip(*found, strict=True))
    return {
        "milliseconds": round(1000 * cpu, 2),
        "wasmtime": round(cpu / wasmtime, 3),
        "chromium": round(cpu / chromium, 3),
    }


def measure(name: str, browser: places.Browser, rounds: int) -> dict[str, Any]:
    contract = contract_of(name)
    module = module_of(contract)
    assert module is not None, "the module is not of the present sources: make wasm"
    engine, make = Engine(module), random_games(contract, {}, GAMES)
    began = time.perf_counter()
    seconds(random_games(contract, {}, 1), engine.call)
    loaded = time.perf_counter() - began
    return {
        "bytes": len(module.code),
        "gzipped": len(gzip.compress(module.code, 9)),
        "load_milliseconds": {
            "wasmtime": round(1000 * loaded, 1),
            "chromium": round(1000 * browser.page.evaluate(LOAD, name), 1),
        },
        "random_play": compared(name, make, engine, browser, rounds),
        "master": compared(name, search_by_master(name), engine, browser, rounds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    with places.browser() as browser:
        games = {name: measure(name, browser, rounds) for name in NAMES}
    result = {
        "games": games,
        "gzipped": sum(game["gzipped"] for game in games.values()),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(result, indent=2))
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
