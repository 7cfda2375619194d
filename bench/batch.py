"""Batches on the CPU: steps per second on one core with observations and masks, what many games cost, and how much
memory a game needs.

    python -m bench.batch

Every step makes the observation and the mask of the seats to move, checks the actions and plays them. Choosing, which
is the learner's part, is not measured. Times are those of the processor, so that other programs count little; the best
of several rounds. Sizes that would take more than half of the memory that is free are left out. Prints a table and
writes bench/results/batch.json.
"""

import argparse
import json
import os
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np

from infila.batch import Batch
from infila.core.games import NAMES

FILE = Path(__file__).parent / "results" / "batch.json"
LONG = 400  # moves: longer than most games
PARTS = ("observe", "mask", "step")
WANTED = 1_000_000  # steps a second


def mixed(name: str, n: int, threads: int) -> Batch:
    """A batch whose games are at all stages, from the deal to the last moves."""
    small = Batch(name, min(n, 1000), threads=threads)
    chance = np.random.default_rng(2)
    for _ in range(LONG):
        lists, counts = small.legal()
        small.step(lists[np.arange(small.n), chance.integers(0, 2**31, small.n) % counts])
    batch = Batch(name, n, threads=threads)
    for first in range(0, n, small.n):
        few = min(small.n, n - first)
        batch.put(slice(first, first + few), small[:few])
    return batch


def bytes_of(name: str) -> dict[str, int]:
    """What a game of two needs in a batch, and what each thing that is asked for adds."""
    batch = Batch(name, 1)
    held = (batch.states, batch._numbers, batch._allowed, batch._on.chosen, batch.scores, batch.rewards, batch.dones)
    return {
        "record": batch.states.nbytes,
        "beside_it": sum(array.nbytes for array in held) - batch.states.nbytes + batch.movers.nbytes,
        "observation": batch.observe().nbytes,
        "mask": batch.mask().nbytes,
        "list": sum(array.nbytes for array in batch.legal()),
    }


def measure(name: str, n: int, seconds: float, threads: int = 1) -> dict[str, float]:
    """Nanoseconds of each part for one game, the best of all rounds."""
    batch = mixed(name, n, threads)
    chance = np.random.default_rng(1)
    rows = np.arange(n)
    best = dict.fromkeys((*PARTS, "legal"), float("inf"))
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < 5 or time.perf_counter() < end:
        lists, counts = _timed(best, "legal", batch.legal)
        _timed(best, "observe", batch.observe)
        _timed(best, "mask", batch.mask)
        actions = lists[rows, chance.integers(0, 2**31, n) % counts]
        _timed(best, "step", lambda actions=actions: batch.step(actions))
        rounds += 1
    return {part: 1e9 * value / n for part, value in best.items()}


def _timed(best: dict[str, float], part: str, work: Any) -> Any:
    start = time.thread_time()
    result = work()
    best[part] = min(best[part], time.thread_time() - start)
    return result


def free_bytes() -> int:
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--sizes", default="1000,10000,100000,1000000,10000000", help="numbers of games side by side")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--out", type=Path, default=FILE)
    wanted = parser.parse_args()
    results: dict[str, Any] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, one core",
        "wanted": WANTED,
        "games": {},
    }
    print(f"{'game':<10} {'games':>10} {'observe':>8} {'mask':>6} {'step':>6} ns {'M steps/s':>10}")
    for name in wanted.only.split(","):
        found: dict[str, Any] = {"bytes": bytes_of(name), "by_games": {}, "did_not_fit": []}
        results["games"][name] = found
        for n in (int(size) for size in wanted.sizes.split(",")):
            if n * sum(found["bytes"].values()) > free_bytes() / 2:
                found["did_not_fit"].append(n)
                print(f"{name:<10} {n:>10,} do not fit: {n * sum(found['bytes'].values()) / 2**30:.0f} GiB")
                continue
            parts = measure(name, n, wanted.seconds)
            speed = 1e9 / sum(parts[part] for part in PARTS)
            row = {part: round(value, 1) for part, value in parts.items()}
            found["by_games"][str(n)] = {"nanoseconds": row, "steps_per_second": round(speed)}
            print(
                f"{name:<10} {n:>10,} {row['observe']:>8} {row['mask']:>6} {row['step']:>6}    {speed / 1e6:>10.2f}",
                flush=True,
            )
    print(
        f"\nbytes of a game of two:\n{'game':<10} {'record':>7} {'beside':>7} {'+ seen':>7} {'+ mask':>7} {'+ list':>7}"
    )
    for name, found in results["games"].items():
        print(f"{name:<10} " + " ".join(f"{number:>7,}" for number in found["bytes"].values()))
    wanted.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
