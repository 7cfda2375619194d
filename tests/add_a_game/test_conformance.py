"""The checks of infila.conformance find what they look for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infila.conformance import CHECKS, NotConforming, check, modules, run, sources, trial_of
from infila.conformance.trial import option_sets
from infila.core.errors import InfilaError
from infila.core.games import contract_of
from tests.add_a_game import packages
from tests.play import GAMES


def test_every_check_fails_for_a_game_that_is_broken_in_its_way() -> None:
    """In a process of its own, where rules are plain Python."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "tests/add_a_game/mutations.py"],
        cwd=packages.ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:]


HALF = "half = s.counter / 2\n    "
FAULTS = {
    "rules.py": {
        "s.turn = s.chosen_starter if s.chosen_starter >= 0 else random_below(s, 2)": "s.turn = np.random.randint(2)",
        # a small number, which only plain Python keeps small
        "s.turn = 1 - me": "s.turn = (me * 100 + 100) % 200 // 100",
        "taken = s.discs[0] | s.discs[1]\n    for": f"{HALF}taken = s.discs[0] | s.discs[1]\n    for",
    },
    "heuristics.py": {"mine = s.discs[me]\n": f"mine = s.discs[me]\n    {HALF.rstrip(' ')}"},
    "features.py": {"cells = COLUMNS * ROWS": f"{HALF}cells = COLUMNS * ROWS"},
}


def test_compiled_rules_that_differ_are_found(tmp_path: Path) -> None:
    """Luck that is not the game's, arithmetic that depends on the compiler, and floats."""
    package = packages.copied(tmp_path, "faulty_four")
    for file, faults in FAULTS.items():
        text = (package / file).read_text(encoding="utf-8")
        for right, wrong in faults.items():
            right, wrong = right.replace("discs", "faulty_four_discs"), wrong.replace("discs", "faulty_four_discs")
            assert right in text
            text = text.replace(right, wrong)
        (package / file).write_text(text, encoding="utf-8")
    with packages.on_the_path(tmp_path):
        found = {done.name: done.problem for done in run("faulty_four", [one for one in CHECKS if one in OF_SOURCES])}
    assert "three threads play different games" in found["threads_do_not_matter"]
    assert "overflow" in found["plain_python_plays_the_same"].lower()
    assert "overflow" in found["the_cuda_simulator_plays_the_same"].lower()
    assert "call what is not theirs" in found["the_module_plays_the_same"]
    for function in ("half in legal()", "half in rate()", "half in observe()"):
        assert f"{function} is a float64" in found["rules_have_no_floats"], function


OF_SOURCES = [name for name, one in CHECKS.items() if one.__module__ in (sources.__name__, modules.__name__)]


def test_a_check_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InfilaError, match=r"there is no check 'speed'. The checks are everything_is_there, "):
        check("zatre", only=("speed",))


@pytest.mark.parametrize("name", GAMES)
def test_the_four_games_have_everything_and_refuse_wrong_options(name: str) -> None:
    check(name, only=("everything_is_there", "wrong_options_are_refused", "options_have_four_forms"))


@pytest.mark.parametrize("name", GAMES)
def test_the_games_keep_their_past_and_need_no_other_luck(name: str) -> None:
    """The four games on the usual options; their other checks are in the tests of each subject."""
    usual = trial_of(name)
    some = type(usual)(name, usual.options[:1], most=40)
    check(name, only=("same_seed_same_game", "the_past_stays", "the_future_is_drawn_anew"), trial=some)
    check(name, only=("legal_moves_are_in_order", "games_end", "damaged_logs_are_refused"), trial=some)


def test_option_sets_hold_every_value() -> None:
    contract = contract_of("sequence")
    sets = option_sets(contract)
    assert sets[0] == contract.options.make({}).to_dict()
    for name, spec in contract.options.specs().items():
        values = spec.values if spec.values else (False, True)
        assert {options[name] for options in sets} == set(values), name


def test_a_failure_is_one_sentence(tmp_path: Path) -> None:
    package = packages.copied(tmp_path, "curt_four")
    (package / "texts" / "de.md").unlink()
    with packages.on_the_path(tmp_path):
        with pytest.raises(NotConforming, match=r"^curt_four, languages_say_the_same: there is no texts/de.md.$"):
            check("curt_four", only=("languages_say_the_same",))
        command = [sys.executable, "-m", "infila", "conformance", "curt_four", "--only", "languages_say_the_same"]
        path = os.pathsep.join([str(tmp_path), str(packages.ROOT)])
        done = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 1
    assert "no   languages say the same" in done.stdout and "there is no texts/de.md." in done.stdout
    assert done.stderr == "infila: 1 of 1 checks of curt_four failed.\n"
