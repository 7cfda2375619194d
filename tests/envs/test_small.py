"""The small siblings of the games are games like the others, and OpenSpiel's own tools solve them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import infila
from infila.core import driver
from infila.core.errors import InfilaError
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.core.record import States, copied
from infila.envs import endgame as ending_of
from infila.envs.endgame import Endgame, endgame_of
from infila.envs.openspiel import endgame
from tests.add_a_game import packages

SMALL = ("small_take_that", "small_sequence", "small_completto", "small_zatre")
# seeds, and moves after which a test takes no more than a second or two
WHERE = {"small_take_that": (1, 1), "small_sequence": (3, 1), "small_completto": (1, 5), "small_zatre": (1, 2)}


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    site = tmp_path_factory.mktemp("small")
    games = {name: f"infila_small.{name.removeprefix('small_')}" for name in SMALL}
    packages.registered_all(site, "infila_small", games)
    with packages.on_the_path(site), packages.on_the_path(packages.ROOT / "examples" / "small"):
        yield


def position(name: str) -> str:
    seed, moves = WHERE[name]
    game = infila.new(name, seed=seed, starter=0)
    for _ in range(moves):
        game.play(game.moves[0])
    return game.position


def evenly(states: States, i: int) -> float:
    """What seat 1 gets on average if everybody plays any move with the same probability: by the rules alone."""
    points, out = np.zeros(POINTS, np.int64), np.zeros(contract_at(states).rules.MAX_LEGAL, np.int16)
    if driver.status_at(states, i, points)[1]:
        return float(np.sign(points[0] - points[1]))
    actions = out[: driver.legal_at(states, i, out)].tolist()
    total = 0.0
    for action in actions:
        after = copied(states[i : i + 1])
        driver.play_at(after, 0, action)
        total += evenly(after, 0)
    return total / len(actions)


def contract_at(states: States) -> Any:
    return next(contract_of(name) for name in SMALL if contract_of(name).rules.State.dtype == states.dtype)


def value(ending: Endgame) -> float:
    return sum(chance * evenly(ending.states, i) for i, chance in enumerate(ending.chances))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_random_play_is_worth_what_the_rules_say(name: str) -> None:
    where = position(name)
    game = endgame(where)
    found = expected_game_score.policy_value(game.new_initial_state(), [policy.UniformRandomPolicy(game)] * 2)
    assert found == pytest.approx([value(endgame_of(where)), -value(endgame_of(where))], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small_take_that", "small_sequence"])
def test_cfr_comes_nearer_to_perfect_play(name: str) -> None:
    game = endgame(position(name))
    before = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRPlusSolver(game)
    left = []
    for _ in range(2):
        for _ in range(4):
            solver.evaluate_and_update_policy()
        left.append(exploitability.exploitability(game, solver.average_policy()))
    assert before > 0.3
    assert left[0] < before / 5 and left[1] < left[0] / 2


def test_a_small_game_has_few_deals() -> None:
    assert [len(endgame_of(infila.new(name, seed=1, starter=0).position).states) for name in SMALL] == [90, 30, 24, 30]


def situations(states: States, i: int) -> int:
    """All that can come from here, this situation and those at the end among them."""
    points, out = np.zeros(POINTS, np.int64), np.zeros(contract_at(states).rules.MAX_LEGAL, np.int16)
    total = 1
    if not driver.status_at(states, i, points)[1]:
        for action in out[: driver.legal_at(states, i, out)].tolist():
            after = copied(states[i : i + 1])
            driver.play_at(after, 0, action)
            total += situations(after, 0)
    return total


@pytest.mark.parametrize("name", SMALL)
def test_there_are_as_many_situations_as_its_guide_says(name: str) -> None:
    """In all deals together, with the one before them."""
    guide = (packages.ROOT / "examples" / "small" / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"\| `{name}` \|.*\| (\d+) \| ([\d,]+) \|", guide)
    assert row is not None
    states = endgame_of(infila.new(name, seed=1, starter=0).position).states
    assert len(states) == int(row[1])
    assert 1 + sum(situations(states, i) for i in range(len(states))) == int(row[2].replace(",", ""))


def test_a_position_from_which_too_much_can_come_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of situations, 3,803 here, is estimated before any deal is made."""
    monkeypatch.setattr(ending_of, "MOST_SITUATIONS", 1000)
    monkeypatch.setattr(ending_of, "_deals", None)
    with pytest.raises(InfilaError) as refused:
        endgame_of(infila.new("small_take_that", seed=1, starter=0).position)
    found = re.fullmatch(
        r"about ([\d,]+) situations can come from here, in 180 deals, but an endgame has at most 1,000: "
        "take a later position.",
        str(refused.value),
    )
    assert found and 3000 < int(found[1].replace(",", "")) < 12000


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_they_conform(name: str) -> None:
    """In a process where rules are plain Python; with EVERY_CHECK (`make test-long`), compiled and with all checks."""
    every = "EVERY_CHECK" in os.environ
    command = [sys.executable, "-c", CHECK, name, "all" if every else ""]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))}
    done = subprocess.run(
        command,
        env=environment | ({} if every else {"NUMBA_DISABLE_JIT": "1"}),
        capture_output=True,
        text=True,
        cwd=packages.ROOT,
    )
    assert done.returncode == 0, done.stderr


CHECK = """
import sys
from dataclasses import replace
from infila.conformance import CHECKS, check, trial_of
name, every = sys.argv[1:]
searching = ("same_seed_same_game", "the_past_stays", "thoughts_are_honest", "thoughts_are_the_same_on_any_cores")
compiled = [one for one in CHECKS if CHECKS[one].__module__.endswith((".sources", ".modules"))]
quick = [one for one in CHECKS if one not in (*searching, *compiled)]
usual = trial_of(name)
check(name) if every else check(name, quick, replace(usual, options=usual.options[:1], deals=60))
"""
