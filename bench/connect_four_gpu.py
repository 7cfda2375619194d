"""Connect Four like with like on a GPU: infila's kernel and pgx, random play, in the same run on the same device.

    python -m bench.connect_four_gpu --out bench/results/connect_four_gpu.json

Prints one JSON object. Both are timed with the games on the device, the best of three runs; pgx plays its best batch
size. Where JAX has no GPU, or pgx is not installed, the result says so and holds infila's figures alone; pgx is plain
Python, so a folder with it on PYTHONPATH is enough.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from bench import example

BATCHES = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
STEPS = 200


def pgx_on_the_gpu(batches: tuple[int, ...]) -> dict[str, Any]:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
        import pgx
    except ImportError as problem:
        return {"missing": f"pgx was not measured: {problem}."}
    device = jax.devices()[0]
    if device.platform == "cpu":
        return {"missing": "pgx was not measured: this JAX has no GPU. Install jax[cuda12] or jax[cuda13]."}
    from bench.pgx_play import speed

    speeds = {}
    for batch in batches:
        speeds[str(batch)] = round(speed(batch, STEPS))
        print(f"pgx, {batch} games side by side: {speeds[str(batch)]:,} moves/s", file=sys.stderr, flush=True)
    return {
        "version": pgx.__version__,
        "jax": jax.__version__,
        "device": str(device.device_kind),
        "moves_per_second": max(speeds.values()),
        "by_batch": speeds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1 << 24)
    parser.add_argument("--compared", type=int, default=1_000_000)
    parser.add_argument("--blocks", default="64,128,256")
    parser.add_argument("--batches", default=",".join(map(str, BATCHES)))
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    example.bring()
    from bench.gpu import measure
    from infila.batch.cuda import usable_cuda
    from infila.core.errors import NoDevice

    try:
        usable_cuda()
    except NoDevice as problem:
        raise SystemExit(str(problem)) from None
    blocks = tuple(int(threads) for threads in wanted.blocks.split(","))
    ours = measure(example.NAME, wanted.games, wanted.compared, blocks)
    print(f"infila: {ours['moves_per_second']:,} moves/s", file=sys.stderr, flush=True)
    theirs = pgx_on_the_gpu(tuple(int(batch) for batch in wanted.batches.split(",")))
    results: dict[str, Any] = {"command": f"python -m bench.connect_four_gpu {' '.join(sys.argv[1:])}".rstrip()}
    results |= {"infila": ours, "pgx": theirs}
    if "moves_per_second" in theirs:
        results["infila_is_times_faster"] = round(ours["moves_per_second"] / theirs["moves_per_second"], 1)
    print(json.dumps(results))
    if wanted.out:
        wanted.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
