"""Batches that branch, on one core: states gathered and redrawn a second, and what levels decide; and datasets: moves a
second by level and threads, and a million moves that are written, read back and opened elsewhere.

    python -m bench.branching

Times of one core are those of the processor, so that other programs count little; the best of several rounds. Those of
a dataset on several threads, and of its files, are the clock's, with the time of the processor beside them. Writes
bench/results/branching.json.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench.batch import mixed
from infila.core.games import NAMES
from infila.dataset import Dataset, make, read
from infila.dataset.files import write

RESULTS = Path(__file__).parent / "results" / "branching.json"
MILLION = 1_000_000  # moves of the dataset that goes through files
LEVELS = ("random", "beginner", "casual", "club")  # who do not search


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


def moves(name: str, by: str, games: int, threads: int, rounds: int = 3) -> dict[str, float]:
    """Moves of a dataset a second, by the clock and by the time of the processor: the best of several rounds."""
    make(name, 1, by=[by], threads=1)
    found = {"a_second": 0.0, "a_second_of_a_core": 0.0}
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.process_time()
        data = make(name, games, by=[by], threads=threads)
        took = {
            "a_second": time.perf_counter() - clock,
            "a_second_of_a_core": time.process_time() - processor,
        }
        found = {what: max(rate, data.moves / took[what]) for what, rate in found.items()}
    return {what: round(rate) for what, rate in found.items()}


def million(name: str = "take_that") -> dict[str, Any]:
    """A million moves by casual: made, written, read back, and equal."""
    games = 1 + MILLION // (make(name, 200, by=["casual"]).moves // 200)
    found: dict[str, Any] = {"game": name}
    start = time.perf_counter()
    data = make(name, games, by=["casual"])
    found |= {"games": data.games, "moves": data.moves, "made_seconds": round(time.perf_counter() - start, 2)}
    start = time.perf_counter()
    rows = sum(len(part["action"]) for part in data.chunks())
    found["masks_and_observations_seconds"] = round(time.perf_counter() - start, 2)
    assert rows == data.moves
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("npz", "parquet"):
            found[kind] = through(data, Path(folder) / f"games.{kind}")
        if find_spec("minari") and find_spec("h5py"):
            found["minari"] = opened(name, Path(folder))
    return found


def through(data: Dataset, path: Path) -> dict[str, Any]:
    """Written, read back by playing all of it again, and compared."""
    start = time.perf_counter()
    write(data, path)
    written = time.perf_counter()
    again = read(path)
    return {
        "equal": again == data,
        "bytes": path.stat().st_size,
        "write_seconds": round(written - start, 2),
        "read_seconds": round(time.perf_counter() - written, 2),
    }


def opened(name: str, folder: Path, games: int = 100) -> dict[str, Any]:
    """A dataset of Minari, which it opens."""
    os.environ["MINARI_DATASETS_PATH"] = str(folder)
    import minari

    from infila.dataset.episodes import to_minari

    data = make(name, games, by=["casual"])
    to_minari(data, "infila/bench-v0")
    found = minari.load_dataset("infila/bench-v0")
    return {"episodes": int(found.total_episodes), "opens": int(found.total_steps) == data.moves}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1)
    wanted = parser.parse_args()
    results: dict[str, Any] = {"cores": os.cpu_count(), "load_at_first": round(os.getloadavg()[0], 1)}
    for name in wanted.only.split(","):
        found = measure(name, wanted.games, wanted.seconds)
        results[name] = {"one_core": {what: round(rate) for what, rate in found.items()}, "dataset": {}}
        told = [f"{what} {rate / 1e6:.2f} M/s ({rate / found['step']:.1f} ×)" for what, rate in found.items()]
        print(f"{name:<10} {'   '.join(told)}", flush=True)
        for by in LEVELS:
            on = {str(threads): moves(name, by, wanted.games, threads) for threads in (1, 2)}
            results[name]["dataset"][by] = on
            said = [f"{rates['a_second'] / 1e6:.2f} M/s on {threads}" for threads, rates in on.items()]
            core = on["1"]["a_second_of_a_core"] / 1e6
            print(f"{name:<10} dataset by {by}: {', '.join(said)} threads; {core:.2f} M/s a core", flush=True)
    results["million"] = million()
    print(json.dumps(results["million"]))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
