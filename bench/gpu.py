"""A GPU: random play, moves per second at a size that fills it; batches, steps per second with observations and legal
actions (`bench.gpu_batch`); and proof that all of it is the CPU's.

    python -m bench.gpu --out bench/results/h200.json

Times of random play are those of the kernel alone, with the games already on the device and left there; the best of
three runs. Each game has a process of its own: they compile side by side, and measure one after the other.
"""

import argparse
import hashlib
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from infila.batch.cuda import usable_cuda
from infila.batch.simulate import simulate
from infila.batch.simulate_gpu import THREADS
from infila.core.games import NAMES, contract_of


def work(name: str, wanted: argparse.Namespace, turn: Any, answers: Any) -> None:
    """All of one game: compiled at once, measured when it is its turn."""
    usable_cuda()
    from bench import gpu_batch

    compiling = gpu_batch.prepare(name)
    blocks = tuple(int(threads) for threads in wanted.blocks.split(","))
    sizes = tuple(int(size) for size in wanted.sizes.split(","))
    with turn:
        found = measure(name, wanted.games, wanted.compared, blocks)
        found["batch"] = gpu_batch.measure_batch(name, sizes, wanted.batch_compared, wanted.batch_steps)
        found["batch"]["compile_seconds"] = round(compiling, 1)
        if not wanted.simulated:
            found["batch"]["shared"] = gpu_batch.shared(name)
    answers.put((name, found))


def measure(name: str, games: int, compared: int, blocks_of: tuple[int, ...]) -> dict[str, Any]:
    cuda = usable_cuda()
    from infila.batch.simulate_kernel import kernel_of

    contract = contract_of(name)
    template = np.zeros(1, contract.rules.State)
    contract.options.make({}).write(template[0])
    kernel = kernel_of(contract)
    options = cuda.to_device(template)
    states = cuda.device_array(games, contract.rules.State)
    moves = cuda.device_array(games, np.int64)

    def play(threads: int, n: int) -> float:
        cuda.synchronize()
        start = time.perf_counter()
        kernel[(n + threads - 1) // threads, threads](states[:n], options, np.uint64(0), np.uint64(0), moves[:n])
        cuda.synchronize()
        return time.perf_counter() - start

    compiling = play(THREADS, 1)
    speeds = {}
    for threads in blocks_of:
        seconds = min(play(threads, games) for _ in range(3))
        speeds[threads] = round(int(moves.copy_to_host().sum()) / seconds)
    # the same digest as infila simulate, over the first games
    digest = hashlib.sha256()
    for first in range(0, compared, 4096):
        part = slice(first, min(first + 4096, compared))
        digest.update(states[part].copy_to_host().tobytes())
        digest.update(moves[part].copy_to_host().astype("<i8").tobytes())
    on_cpu = simulate(name, compared, threads=16)
    return {
        "games": games,
        "moves": int(moves.copy_to_host().sum()),
        "moves_per_second": max(speeds.values()),
        "by_threads_in_a_block": speeds,
        "compile_seconds": round(compiling, 1),
        "state_bytes": contract.rules.State.dtype.itemsize,
        **resources(kernel),
        "compared_games": compared,
        "digest": digest.hexdigest(),
        "digest_cpu": on_cpu.digest,
        "same_as_cpu": digest.hexdigest() == on_cpu.digest,
        "cpu_moves_per_second_16_threads": round(on_cpu.moves / on_cpu.seconds),
    }


def resources(kernel: Any) -> dict[str, Any]:
    """What a thread needs; the simulator has no such thing."""
    if not hasattr(kernel, "get_regs_per_thread"):
        return {}
    return {
        "registers": sorted(set(kernel.get_regs_per_thread().values())),
        "local_bytes": sorted(set(kernel.get_local_mem_per_thread().values())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--compared", type=int, default=200_000)
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--blocks", default="64,128")
    parser.add_argument("--sizes", default="1000,10000,100000,1000000,10000000", help="games of a batch")
    parser.add_argument("--batch-compared", type=int, default=2000)
    parser.add_argument("--batch-steps", type=int, default=60)
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    cuda = usable_cuda()
    device = cuda.get_current_device()
    wanted.simulated = not hasattr(device, "name")
    results: dict[str, Any] = {"command": "python -m bench.gpu " + " ".join(sys.argv[1:])}
    if not wanted.simulated:
        results["device"] = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    names = wanted.only.split(",")
    apart = multiprocessing.get_context("spawn")
    turn, answers = apart.Lock(), apart.SimpleQueue()
    workers = {name: apart.Process(target=work, args=(name, wanted, turn, answers)) for name in names}
    for worker in workers.values():
        worker.start()
    while any(worker.is_alive() for worker in workers.values()) or not answers.empty():
        if answers.empty():
            time.sleep(0.2)
            continue
        name, results[name] = answers.get()
        print(name, json.dumps(results[name]), flush=True)
        if wanted.out:
            wanted.out.write_text(json.dumps(results, indent=1) + "\n")
    failed = [name for name, worker in workers.items() if worker.exitcode]
    if failed:
        raise SystemExit(f"failed, see above: {', '.join(failed)}")


if __name__ == "__main__":
    main()
