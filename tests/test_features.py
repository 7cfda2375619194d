"""Observations: made of the view alone, within their ranges, as the position says, and as symmetric as the game."""

import hashlib
import importlib
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core import chance, driver
from infila.core.features import named
from infila.core.games import contract_of
from infila.core.record import States
from tests.cases import cases_of
from tests.compare import OPTION_SETS
from tests.play import GAMES, random_game

ROOT = Path(__file__).parents[1]


def positions(name: str, options: dict[str, Any], every: int, most: int = 40) -> Iterator[States]:
    """States of a random game, the first and the last among them; the array's second record is free for use."""
    contract = contract_of(name)
    states = np.zeros(2, contract.rules.State)
    contract.options.make(options).write(states[0])
    driver.deal_at(states, 0, np.uint64(11), np.uint64(len(str(options))))
    luck = np.zeros(1, np.uint64)
    chance.seed_luck(luck, states[0])
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    yield states
    for _ in range(most - 2):
        if driver.playout_at(states, 0, out, luck, every):
            yield states
    driver.playout_at(states, 0, out, luck, driver.ENDLESS)
    yield states


def observed(states: States, i: int, viewer: int) -> Any:
    """An observation, written over other numbers: what is not written would be seen."""
    out = np.full(contract_of_state(states).features.SIZE, 99, np.int8)
    driver.observe_at(states, i, viewer, out)
    return out


def contract_of_state(states: States) -> Any:
    return next(contract_of(name) for name in GAMES if contract_of(name).rules.State == states.dtype)


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_is_made_of_the_view_alone_and_within_its_ranges(name: str) -> None:
    features = contract_of(name).features.FEATURES
    least = np.concatenate([np.full(f.size, f.least) for f in features])
    most = np.concatenate([np.full(f.size, f.most) for f in features])
    for options in OPTION_SETS[name]:
        for number, states in enumerate(positions(name, options, every=13, most=24)):
            for viewer in range(number % 3, options["players"], 3):
                seen = observed(states, 0, viewer)
                assert (seen >= least).all() and (seen <= most).all()
                states[1] = states[0]
                driver.hide_at(states, 1, viewer)
                assert (observed(states, 1, viewer) == seen).all()
                driver.redraw_at(states, 1, viewer, np.uint64(number), np.uint64(1))
                assert (observed(states, 1, viewer) == seen).all()


def sample() -> str:
    """A digest of observations of all games."""
    digest = hashlib.sha256()
    for name in GAMES:
        for options in OPTION_SETS[name][:: max(5, len(OPTION_SETS[name]) // 8)]:
            for states in positions(name, options, every=9, most=5):
                digest.update(observed(states, 0, options["players"] - 1).tobytes())
    return digest.hexdigest()


@pytest.mark.slow
def test_plain_python_observes_the_same_and_warns_of_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from tests.test_features import sample; print(sample())"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == sample()


def seats_from(viewer: int, values: list[Any]) -> list[Any]:
    return values[viewer:] + values[:viewer]


def fields_of(game: infila.Game, seat: int) -> dict[str, list[Any]]:
    view = game.view(seat)
    return {name: part.tolist() for name, part in named(view.contract.features.FEATURES, view.observation()).items()}


@pytest.mark.parametrize("name", GAMES)
def test_all_games_say_who_is_on_turn_and_by_how_much_others_lead(name: str) -> None:
    options = cases_of(name).observed
    for number, game in enumerate(random_game(name, 5, most=300, **options)):
        if number % 25 and not game.over:
            continue
        for seat in range(options["players"]):
            fields = fields_of(game, seat)
            view = game.view(seat)
            assert fields["seated"][: options["players"] + 1].count(1) == options["players"]
            assert (
                seats_from(seat, [int(k == game.player) for k in range(options["players"])])
                == (fields["on_turn"][: options["players"]])
            )
            assert fields["over"] == [int(game.over)]
            if "lead" in fields:
                leads = [score - view.scores[seat] for score in view.scores]
                assert fields["lead"][: options["players"]] == seats_from(seat, leads)


def test_every_symmetry_is_a_permutation_and_the_first_changes_nothing() -> None:
    for name in GAMES:
        contract = contract_of(name)
        for number, symmetry in enumerate(contract.features.SYMMETRIES):
            assert sorted(symmetry.features) == list(range(contract.features.SIZE))
            assert sorted(symmetry.actions) == list(range(contract.rules.ACTIONS))
            same = (symmetry.features == np.arange(contract.features.SIZE)).all()
            assert same == (number == 0)


SYMMETRIC = [name for name in GAMES if find_spec(f"tests.games.{name}.symmetries")]


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetry_maps_positions_to_positions_and_moves_to_moves(name: str) -> None:
    """The mapped action in the mapped state leads to the mapped state, as every viewer sees it."""
    chance = random.Random(3)
    contract = contract_of(name)
    symmetries = importlib.import_module(f"tests.games.{name}.symmetries")
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    for options in OPTION_SETS[name][:: symmetries.EVERY]:
        for states in positions(name, options, every=7, most=8):
            if not symmetries.comparable(states[0]):
                continue
            symmetry = chance.choice(contract.features.SYMMETRIES[1:])
            viewer = chance.randrange(options["players"])
            before = states[0].copy()
            states[1] = states[0]
            symmetries.turned(states, symmetry)
            legal = out[: driver.legal_at(states, 0, out)].tolist()
            mapped = out[: driver.legal_at(states, 1, out)].tolist()
            assert sorted(symmetry.actions[action] for action in legal) == sorted(mapped)
            assert (observed(states, 1, viewer) == observed(states, 0, viewer)[symmetry.features]).all()
            if not legal:
                continue
            action = chance.choice(legal)
            driver.play_at(states, 1, int(symmetry.actions[action]))
            driver.play_at(states, 0, action)
            if symmetries.goes_on(before, states[0]):
                assert (observed(states, 1, viewer) == observed(states, 0, viewer)[symmetry.features]).all()
            states[0] = before


def test_the_tables_of_the_documentation_are_those_of_the_games() -> None:
    found = importlib.util.spec_from_file_location("observations", ROOT / "docs" / "reference" / "observations.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert module.FILE.read_text(encoding="utf-8") == module.text(), "run python docs/reference/observations.py"


def test_a_spectator_has_no_observation() -> None:
    with pytest.raises(infila.InfilaError, match="a spectator has no observation"):
        infila.new("take_that", seed=1).view().observation()
