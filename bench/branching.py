"""Batches that branch, on one core: states gathered and redrawn a second, what levels decide, and moves of a dataset.

    python -m bench.branching

Times are those of the processor, so that other programs count little; the best of several rounds. Beside each figure is
its ratio to the steps of the same batch in the same run. Prints a table.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.batch import mixed
from infila.core.games import NAMES
from infila.dataset import make


def best(work: Callable[[], Any], seconds: float) -> float:
    """Seconds of the processor, the best of all rounds."""
    found, end = float("inf"), time.perf_counter() + seconds
    rounds = 0
    while rounds < 3 or time.perf_counter() < end:
        start = time.thread_time()
        work()
        found = min(found, time.thread_time() - start)
        rounds += 1
    return found


def measure(name: str, n: int, seconds: float) -> dict[str, float]:
    """How many a second of each."""
    batch = mixed(name, n, 1)
    source = np.random.default_rng(1).integers(0, n, n)
    states = batch[:]

    def step() -> None:
        batch.step(batch.legal()[0][:, 0])

    found = {
        "step": best(step, seconds),
        "gather": best(lambda: batch.gather(source), seconds),
        "take": best(lambda: batch[source], seconds),
        "put": best(lambda: batch.put(slice(None), states), seconds),
        "redraw": best(lambda: batch.redraw(seed=3), seconds),
        "decide": best(lambda: batch.decide("casual"), seconds),
    }
    return {what: n / took for what, took in found.items()}


def moves(name: str, by: str, games: int) -> float:
    """Moves of a dataset a second, on one thread: seconds of all processors."""
    make(name, 1, by=[by], threads=1)
    start = time.process_time()
    data = make(name, games, by=[by], threads=1)
    return data.moves / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1)
    wanted = parser.parse_args()
    for name in wanted.only.split(","):
        found = measure(name, wanted.games, wanted.seconds)
        told = [f"{what} {rate / 1e6:.2f} M/s ({rate / found['step']:.1f} ×)" for what, rate in found.items()]
        print(f"{name:<10} {'   '.join(told)}", flush=True)
        for by in ("random", "casual"):
            print(f"{name:<10} dataset by {by}: {moves(name, by, wanted.games) / 1e6:.2f} M moves/s a core", flush=True)


if __name__ == "__main__":
    main()
