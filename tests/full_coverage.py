"""Random play reaches every branch of the rules: branch coverage of the un-jitted rules must be complete.

    python -m tests.full_coverage

Plays random games of every option set in plain Python, with views and redraws for every viewer, and then the tests of
the rules, for what random play meets too rarely. Warnings are errors. Only what fails and the result are shown.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
RULES = ",".join(
    [
        "infila/core/chance.py",
        *(f"infila/games/*/{part}.py" for part in ("rules", "board", "chips", "state", "light", "features")),
    ]
)
NOT_OF_RULES = ("test_advice.py", "test_heuristics.py", "test_pictures.py", "test_positions.py", "test_screen.py")


def main() -> None:
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        raise SystemExit(_measure())
    _play(sys.argv[1])


def _measure() -> int:
    coverage = [sys.executable, "-W", "error", "-m", "coverage"]
    measured = [*coverage, "run", "--branch", "--parallel-mode", f"--include={RULES}", "-m"]
    plays = [[*measured, "tests.full_coverage", name] for name in _games()]
    tests = [
        [*measured, "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *_tests_of_rules(name)]
        for name in _games()
    ]
    last = [
        [*coverage, "combine", "--quiet"],
        [*coverage, "report", "--fail-under=100", "--show-missing", "--skip-covered"],
    ]
    with TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "COVERAGE_FILE": f"{folder}/coverage"}

        def run(step: list[str]) -> int:
            done = subprocess.run(step, cwd=ROOT, env=environment, capture_output=True, text=True)
            if done.returncode or step is last[-1]:
                print(done.stdout, done.stderr, sep="", end="", flush=True)
            return done.returncode

        failed = [code for code in pool.map(run, tests + plays) if code]
        return failed[0] if failed else run(last[0]) or run(last[1])


def _tests_of_rules(name: str) -> list[str]:
    files = ROOT.glob(f"tests/games/{name}/test_*.py")
    return sorted(str(file) for file in files if file.name not in NOT_OF_RULES)


def _games() -> tuple[str, ...]:
    from infila.core.games import NAMES

    return NAMES


def _play(name: str) -> None:
    import numpy as np

    from infila.core import chance, dispatch, driver
    from infila.core.games import contract_of
    from tests.compare import OPTION_SETS

    contract = contract_of(name)
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    luck = np.zeros(1, np.uint64)
    observation = np.zeros(contract.features.SIZE, np.int8)
    for number, options in enumerate(OPTION_SETS[name]):
        if options.get("games", 1) > 2:
            continue  # slow, and nothing new after the second game
        states = np.zeros(2, contract.rules.State)
        contract.options.make(options).write(states[0])
        driver.deal_at(states, 0, np.uint64(number), np.uint64(0))
        chance.seed_luck(luck, states[0])
        moves = 0
        while driver.playout_at(states, 0, out, luck, 17):
            moves += 1
            viewer = moves % (options["players"] + 1) - 1
            states[1] = states[0]
            driver.redraw_at(states, 1, viewer, np.uint64(moves), np.uint64(0))
            driver.status_at(states, 1, np.zeros(16, np.int64))
            driver.observe_at(states, 0, max(viewer, 0), observation)
            dispatch.mover(states[0])
            for action in out[: driver.legal_at(states, 0, out)].tolist():
                driver.actor_at(states, 0, action)
        driver.status_at(states, 0, np.zeros(16, np.int64))
        driver.observe_at(states, 0, 0, observation)
        driver.hide_at(states, 0, -1)


if __name__ == "__main__":
    main()
