"""Many games and trees of every module, compared with the CPU's, and all modules built anew: hours are spent well here.

python -m tests.wasm.long GAME --games 100000 --trees 1000
"""

import argparse
from collections.abc import Iterator

from infila.conformance.modules import Make, outcome, random_games, thoughts
from infila.core.games import NAMES, contract_of
from infila.wasm.build import build
from infila.wasm.modules import module_of
from tests.compare import OPTION_SETS
from tests.wasm import places

CHUNK = 500  # games at once
SIMULATIONS = 400


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
    wanted = parser.parse_args()
    assert build(wanted.game) == module_of(contract_of(wanted.game)), "other bytes than those that are kept: make wasm"
    engine = places.here(wanted.game)
    compared = 0
    with places.browser() as browser:
        for make in makes(wanted.game, wanted.games, wanted.trees):
            expected = places.on_the_cpu(make)
            assert places.shortened(outcome(*make(), by=engine.call)) == expected, make()[0]
            assert browser.outcomes(wanted.game, [make]) == [expected], make()[0]
            compared += 1
    print(f"{wanted.game}: {compared:,} calls, all equal")


if __name__ == "__main__":
    main()
