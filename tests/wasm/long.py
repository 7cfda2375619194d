"""Many games and trees of every module, compared with the CPU's, and all modules built anew: hours are spent well here.

python -m tests.wasm.long GAME --games 100000 --trees 1000 --out bench/results/equal.json
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

from infila.conformance.modules import Make, outcome, random_games, thoughts
from infila.core.games import NAMES, contract_of
from infila.wasm.build import build
from infila.wasm.modules import module_of
from tests.compare import OPTION_SETS
from tests.wasm import places

CHUNK = 500  # games at once
SIMULATIONS = max(level.simulations for name in NAMES for level in contract_of(name).heuristics.LEVELS.values())


def makes(name: str, games: int, trees: int) -> Iterator[Make]:
    """Games and trees, spread over all option sets."""
    contract, sets = contract_of(name), OPTION_SETS[name]
    for number, first in enumerate(range(0, games, CHUNK)):
        yield random_games(contract, sets[number % len(sets)], min(CHUNK, games - first), first)
    number = 0
    while trees > 0:
        for make in thoughts(contract, sets[number % len(sets)], SIMULATIONS, number):
            trees -= make()[0] == "search"
            yield make
        number += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=NAMES)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--out", type=Path, help="a file with what was compared of each game")
    wanted = parser.parse_args()
    began = time.monotonic()
    module = build(wanted.game)
    assert module == module_of(contract_of(wanted.game)), "other bytes than those that are kept: make wasm"
    engine = places.here(wanted.game)
    trees = compared = 0
    with places.browser() as browser:
        for make in makes(wanted.game, wanted.games, wanted.trees):
            expected = places.on_the_cpu(make)
            assert places.shortened(outcome(*make(), by=engine.call)) == expected, make()[0]
            assert browser.outcomes(wanted.game, [make]) == [expected], make()[0]
            compared += 1
            trees += make()[0] == "search"
    print(f"{wanted.game}: {compared:,} calls, all equal")
    if wanted.out:
        known = json.loads(wanted.out.read_text(encoding="utf-8")) if wanted.out.is_file() else {}
        known[wanted.game] = {
            "games": wanted.games,
            "trees": trees,
            "simulations": SIMULATIONS,
            "calls": compared,
            "sha256": module.description["sha256"],
            "seconds": round(time.monotonic() - began),
        }
        wanted.out.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
