"""Rules as WebAssembly do what the CPU does, byte by byte: for every option set of the golden games, games by random
play and what every level thinks, here by wasmtime and in a browser."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from infila.conformance.modules import Make, outcome, random_games, thoughts
from infila.core.games import contract_of
from tests.compare import OPTION_SETS
from tests.play import GAMES
from tests.wasm import places
from tests.web import browser as browsers

RANDOM_GAMES = 3  # of each option set; `make test-long` plays many
SIMULATIONS = 40


def makes(name: str) -> Iterator[Make]:
    contract = contract_of(name)
    for number, options in enumerate(OPTION_SETS[name]):
        yield random_games(contract, options, RANDOM_GAMES, number)
        yield from thoughts(contract, options, SIMULATIONS, number)


@cache
def expected(name: str) -> list[list[Any]]:
    return [places.on_the_cpu(make) for make in makes(name)]


@pytest.mark.parametrize("name", GAMES)
def test_a_module_does_here_what_the_cpu_does(name: str) -> None:
    engine = places.here(name)
    found = [places.shortened(outcome(*make(), by=engine.call)) for make in makes(name)]
    assert found == expected(name)


@pytest.fixture(scope="module")
def browser() -> Iterator[places.Browser]:
    if browsers.found() is None:
        pytest.skip("there is no browser")
    with places.browser() as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_module_does_in_a_browser_what_the_cpu_does(name: str, browser: places.Browser) -> None:
    assert browser.outcomes(name, list(makes(name))) == expected(name)
