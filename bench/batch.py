"""Batches on the CPU: steps per second on one core with observations and masks, and whether many games cost more.

    python -m bench.batch

Every step makes the observation and the mask of the seats to move, chooses at random by the mask's lists, checks the
actions and plays them. Choosing, which is the learner's part, is not measured. Times are those of the processor, so
that other programs do not count; the best of several rounds. Prints a table and writes bench/results/batch.json.
"""

import argparse
import json
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np

from infila.batch import Batch
from infila.core.games import NAMES, contract_of

FILE = Path(__file__).parent / "results" / "batch.json"
LONG = 400  # moves: longer than most games
PARTS = ("observe", "mask", "step", "legal")


def mixed(name: str, n: int, threads: int) -> Batch:
    """A batch whose games are at all stages, from the deal to the last moves."""
    small = Batch(name, min(n, 1000), threads=threads)
    chance = np.random.default_rng(2)
    for _ in range(LONG):
        lists, counts = small.legal()
        small.step(lists[np.arange(small.n), chance.integers(0, 2**31, small.n) % counts])
    batch = Batch(name, n, threads=threads)
    batch.states[:] = np.resize(small.states, n)
    return batch


def measure(name: str, n: int, seconds: float, threads: int = 1) -> dict[str, float]:
    """Nanoseconds of each part for one game, the best of all rounds."""
    batch = mixed(name, n, threads)
    chance = np.random.default_rng(1)
    rows = np.arange(n)
    best = dict.fromkeys(PARTS, float("inf"))
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < 30 or time.perf_counter() < end:
        lists, counts = _timed(best, "legal", batch.legal)
        _timed(best, "observe", batch.observe)
        _timed(best, "mask", batch.mask)
        actions = lists[rows, chance.integers(0, 2**31, n) % counts]
        _timed(best, "step", lambda actions=actions: batch.step(actions))
        rounds += 1
        if n >= 10**6 and rounds >= 5:
            break
    return {part: 1e9 * value / n for part, value in best.items()}


def _timed(best: dict[str, float], part: str, work: Any) -> Any:
    start = time.thread_time()
    result = work()
    best[part] = min(best[part], time.thread_time() - start)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--sizes", default="1000,10000,100000,1000000", help="numbers of games side by side")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--out", type=Path, default=FILE)
    wanted = parser.parse_args()
    results: dict[str, Any] = {"machine": f"{platform.machine()}, Python {platform.python_version()}, one core"}
    print(f"{'game':<10} {'games':>9} {'observe':>8} {'mask':>6} {'step':>6} ns {'M steps/s':>10}")
    for name in wanted.only.split(","):
        contract = contract_of(name)
        results[name] = {
            "state_bytes": contract.rules.State.itemsize,
            "observation_bytes": contract.features.SIZE,
            "mask_bytes": contract.rules.ACTIONS,
            "by_games": {},
        }
        for n in (int(size) for size in wanted.sizes.split(",")):
            parts = measure(name, n, wanted.seconds)
            speed = 1e9 / (parts["observe"] + parts["mask"] + parts["step"])
            row = {part: round(value, 1) for part, value in parts.items()}
            results[name]["by_games"][str(n)] = {"nanoseconds": row, "steps_per_second": round(speed)}
            print(
                f"{name:<10} {n:>9,} {row['observe']:>8} {row['mask']:>6} {row['step']:>6}    {speed / 1e6:>10.2f}",
                flush=True,
            )
    wanted.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
