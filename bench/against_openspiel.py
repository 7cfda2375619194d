"""How fast random play is here, as a ratio to OpenSpiel's C++ playing connect_four at random, in one run on one core.

    make bench

Prints a table, writes bench/results/cpu.json, and prints that too. Peer and games are measured in turns, several
times, so that a busy machine disturbs all alike; the best of each counts.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyspiel

from bench.games import facts_of
from infila.batch.simulate import simulate
from infila.core.games import NAMES, contract_of

ROOT = Path(__file__).parents[1]
ROUNDS = 5


def connect_four_length(games: int = 3000) -> float:
    """The mean length of a random game of connect_four."""
    import random

    chance = random.Random(1)
    game = pyspiel.load_game("connect_four")
    moves = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
    return moves / games


def connect_four_speed(length: float, rollouts: int = 30_000) -> float:
    """Moves per second of OpenSpiel's own rollouts, which never leave C++: a search of one step that evaluates once."""
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 42, False)
    start = time.perf_counter()
    bot.step(game.new_initial_state())
    return rollouts * length / (time.perf_counter() - start)


def speed(name: str, games: int) -> float:
    tally = simulate(name, games, seed=games)
    return tally.moves / tally.seconds


def seconds_of(code: str, **environment: str) -> float:
    """How long a Python process takes, best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, check=True, capture_output=True
        )
        best = min(best, time.perf_counter() - start)
    return best


def start_ups(name: str) -> dict[str, float]:
    """Cold compile and warm start of `infila simulate`, each as a process of its own."""
    command = f"from infila.cli import main; main(['simulate', '{name}', '--games', '100', '--threads', '1', '--json'])"
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", command],
            cwd=ROOT,
            env=os.environ | {"XDG_CACHE_HOME": folder},
            check=True,
            capture_output=True,
        )
        cold = time.perf_counter() - start
        warm = seconds_of(command, XDG_CACHE_HOME=folder)
    return {"cold_seconds": round(cold, 2), "warm_seconds": round(warm, 2)}


def main() -> None:
    length = connect_four_length()
    games = {}
    for name in NAMES:  # compiled by another process: that is how nearly every run finds the rules
        print(f"preparing {name} …", file=sys.stderr, flush=True)
        seconds_of(f"from infila.batch.simulate import simulate; simulate('{name}', 1)")
    for name in NAMES:  # a size that takes about half a second
        probe = simulate(name, 2000)
        games[name] = max(2000, int(2000 * 0.5 / probe.seconds))
    peer = 0.0
    ours = dict.fromkeys(NAMES, 0.0)
    for turn in range(ROUNDS):
        print(f"measuring, round {turn + 1} of {ROUNDS} …", file=sys.stderr, flush=True)
        peer = max(peer, connect_four_speed(length))
        for name in NAMES:
            ours[name] = max(ours[name], speed(name, games[name]))
    results: dict[str, Any] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, one core",
        "openspiel_connect_four_moves_per_second": round(peer),
        "import_beyond_numpy_seconds": round(seconds_of("import numpy, infila") - seconds_of("import numpy"), 3),
        "games": {},
    }
    for name in NAMES:
        print(f"starting {name} cold and warm …", file=sys.stderr, flush=True)
        results["games"][name] = {
            "moves_per_second": round(ours[name]),
            "ratio": round(ours[name] / peer, 2),
            "wanted_ratio": facts_of(name).target,
            "state_bytes": contract_of(name).rules.State.dtype.itemsize,
            "speed_by_games": {str(n): round(speed(name, n)) for n in (1000, 10_000, 100_000)},
            **start_ups(name),
        }
    print(f"\nOpenSpiel connect_four in C++: {peer / 1e6:.2f} M random moves/s\n")
    print(f"{'game':<10} {'M moves/s':>10} {'ratio':>6} {'wanted':>7} {'bytes':>6} {'cold s':>7} {'warm s':>7}")
    for name, row in results["games"].items():
        wanted = f"≥ {row['wanted_ratio']}"
        print(
            f"{name:<10} {row['moves_per_second'] / 1e6:>10.2f} {row['ratio']:>6.2f} {wanted:>7}"
            f" {row['state_bytes']:>6} {row['cold_seconds']:>7.2f} {row['warm_seconds']:>7.2f}"
        )
    print(f"\nimport infila: {results['import_beyond_numpy_seconds']} s beyond NumPy\n")
    print(json.dumps(results))
    (ROOT / "bench" / "results" / "cpu.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
