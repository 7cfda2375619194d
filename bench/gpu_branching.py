"""Batches that branch on a GPU: everything that they can do, byte for byte as on the CPU, and files that go from one to
the other.

    python -m bench.gpu_branching --out bench/results/h200_branching.json

Each game has a process of its own, so that their kernels compile side by side. What has been found is written as soon
as a game is done.
"""

import argparse
import hashlib
import json
import multiprocessing
import pickle
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from infila.batch import Against, Batch
from infila.batch.cuda import usable_cuda
from infila.core.games import NAMES

GOING_ON = 10  # steps of a batch that was loaded, and of a learner against others


def first_moves(batch: Batch) -> Any:
    """The first legal action of each game, where the batch lies."""
    return batch._on.device(batch._on.host(batch.legal()[0])[:, 0].copy())


class Told:
    """Digests of what a batch gave and of its states thereafter, by what it did."""

    def __init__(self) -> None:
        self.digests: dict[str, Any] = defaultdict(hashlib.sha256)

    def __call__(self, what: str, batch: Batch, *arrays: Any) -> None:
        for array in arrays:
            there = array if isinstance(array, np.ndarray) else batch._on.host(array)
            self.digests[what].update(np.ascontiguousarray(there).tobytes())
        self.digests[what].update(batch.digest().encode())

    def found(self) -> dict[str, str]:
        return {what: digest.hexdigest() for what, digest in self.digests.items()}


def branches(name: str, device: str, n: int, steps: int, path: Path, **options: Any) -> dict[str, str]:
    """Digests of everything that branches, by n games that have been played for so many steps; `path` is where the
    batch is saved in between."""
    tell = Told()
    batch = Batch(name, n, device=device, seed=3, last=True, **options)
    there, host = batch._on.device, batch._on.host
    order = np.random.default_rng(5).permutation(n)
    few, half = order[: n // 3], order[: n // 2]
    chosen = np.isin(np.arange(n), few)
    for step in range(steps):
        batch.step(batch.decide("random", first=step))
        tell("played", batch, batch.rewards, batch.scores, batch.dones, batch.discounts)
        ended = host(batch.dones) > 0
        if ended.any() or step == 0:
            seats = there((np.arange(n) % 2).astype(np.int32))
            tell("how games ended", batch, host(batch.observe_last(seats))[ended], batch.observe_last(0))

    batch.put(there(half), batch[there(order[-len(half) :].copy())])
    batch.put(there(few), batch[int(order[-1])])
    tell("put", batch, batch.mask())
    batch.gather(there(order))
    batch.gather(there(half[::-1].copy()), to=there(half))
    tell("gathered", batch, *batch.legal())

    packed = there(host(batch.pack()).copy())
    tell("packed", batch, packed)
    batch.redraw(seed=9)
    tell("redrawn", batch, batch.pack())
    batch.unpack(packed)
    tell("packed", batch, batch.mask())
    batch.redraw(seats=there(np.arange(len(few)) % 2), seed=there(np.arange(len(few)) % 3), where=there(few))
    batch.redraw(seats=1, seed=8, where=there(chosen))
    tell("redrawn", batch, batch.movers, batch.observe())
    tell("redrawn", batch, batch.observe(seats=0))  # on a GPU, into the same memory

    batch.step(there(host(first_moves(batch))[few]), where=there(few))
    tell("stepped in part", batch, batch.rewards, batch.dones)
    batch.step(there(np.where(chosen, -7, host(first_moves(batch)))), where=there(~chosen))
    batch.step(there(np.full(n, -1)), where=there(np.zeros(n, bool)))
    tell("stepped in part", batch, batch.rewards, batch.dones)

    table = there(np.random.default_rng(1).integers(-50, 50, (batch.features + 1, batch.actions), np.int16))
    for by, noise in (("random", 0), ("casual", 0), (table, 3)):
        actions = batch.decide(by, where=there(chosen), first=4, noise=noise)
        tell("decided", batch, actions)
        batch.step(actions, where=there(chosen))

    batch.save(path)
    told_bytes = hashlib.sha256(path.read_bytes()).hexdigest()
    twin = pickle.loads(pickle.dumps(batch))
    twin.step(first_moves(twin))
    tell("copied", twin, twin.rewards, twin.observe_last(0))
    batch.reset(seed=np.arange(n) % 2)
    tell("dealt by a seed for each", batch, batch.observe())

    others = ["casual"] * batch.players
    others[0] = "random"
    for seat, by in ((1, "casual"), (np.arange(n) % batch.players, others)):
        learner = Against(Batch(name, n, device=device, seed=6, **options), seat, by)
        for _ in range(min(steps, GOING_ON)):
            learner.step(first_moves(learner.batch))
            tell("against others", learner.batch, learner.rewards, learner.scores, learner.dones)
    return tell.found() | {"saved": told_bytes}


def loaded(path: Path, device: str, steps: int) -> str:
    """What becomes of a file, as a digest."""
    batch = Batch.load(path, device)
    for step in range(steps):
        batch.step(batch.decide("random", first=step))
    return batch.digest()


def compare(name: str, n: int, steps: int, folder: Path, **options: Any) -> dict[str, Any]:
    """Everything on both devices, and whether it is the same."""
    paths = {device: folder / f"{name}-{device}" for device in ("gpu", "cpu")}
    start = time.perf_counter()
    found = {device: branches(name, device, n, steps, path, **options) for device, path in paths.items()}
    same = {what: found["gpu"][what] == found["cpu"][what] for what in found["cpu"]}
    ends = {(by, on): loaded(path, on, min(steps, GOING_ON)) for by, path in paths.items() for on in paths}
    for by, on in (("gpu", "cpu"), ("cpu", "gpu"), ("gpu", "gpu")):
        same[f"saved by the {by.upper()}, loaded on the {on.upper()}"] = ends[by, on] == ends["cpu", "cpu"]
    return {
        "options": options,
        "games": n,
        "steps": steps,
        "seconds": round(time.perf_counter() - start, 1),
        "same_as_cpu": same,
        "digests": found["gpu"],
    }


def work(name: str, wanted: argparse.Namespace, answers: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for players in (2, 3):
            found = compare(name, wanted.games, wanted.steps, Path(folder), players=players)
            answers.put((f"{name}, {players} players", found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=400, help="before games branch: longer than most of them")
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    device = usable_cuda().get_current_device()
    results: dict[str, Any] = {"command": "python -m bench.gpu_branching " + " ".join(sys.argv[1:])}
    if hasattr(device, "name"):
        results["device"] = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    apart = multiprocessing.get_context("spawn")
    answers = apart.SimpleQueue()
    workers = {name: apart.Process(target=work, args=(name, wanted, answers)) for name in wanted.only.split(",")}
    for worker in workers.values():
        worker.start()
    wrong = []
    while any(worker.is_alive() for worker in workers.values()) or not answers.empty():
        if answers.empty():
            time.sleep(0.2)
            continue
        case, results[case] = answers.get()
        different = [what for what, same in results[case]["same_as_cpu"].items() if not same]
        wrong += [f"{case}: {what}" for what in different]
        said = f"NOT the same: {different}" if different else "all the same"
        print(f"{case}: {results[case]['seconds']} s, {said}", flush=True)
        if wanted.out:
            wanted.out.write_text(json.dumps(results, indent=1) + "\n")
    failed = [name for name, worker in workers.items() if worker.exitcode]
    if failed or wrong:
        raise SystemExit(f"failed: {', '.join(failed + wrong)}")


if __name__ == "__main__":
    main()
