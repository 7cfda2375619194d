"""Connect Four like with like: random play on one core here, in OpenSpiel's C++, in pgx and in PettingZoo.

    python -m bench.connect_four

Prints a table, draws docs/pictures/connect_four-speed.svg, writes bench/results/connect_four.json, and prints that
too. Each is measured in a process of its own on the same core, in turns, several times, by the time that the processor
worked for it, so that a busy machine disturbs all alike and little; the best of each counts. A peer that is not
installed is named and left out.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import infila
from bench import example

ROOT = Path(__file__).parents[1]
ROUNDS = 3
ONE_THREAD = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", "JAX_PLATFORMS": "cpu"}
PGX_BATCHES = (64, 256, 1024)


def infila_speed() -> float:
    example.bring()
    from infila.batch.simulate import simulate

    options = {"starter": 0}
    simulate(example.NAME, 1, options)
    start = time.process_time()
    tally = simulate(example.NAME, 500_000, options)
    return tally.moves / (time.process_time() - start)


def openspiel_speed() -> float:
    from bench.against_openspiel import connect_four_length, connect_four_speed

    length, rollouts = connect_four_length(), 30_000
    start = time.process_time()
    connect_four_speed(length, rollouts)
    return rollouts * length / (time.process_time() - start)


def pgx_speed() -> float:
    from bench.pgx_play import speed

    return max(speed(batch, 200_000 // batch, clock=time.process_time) for batch in PGX_BATCHES)


def pettingzoo_speed(games: int = 300) -> float:
    """The bare environment, without the wrappers that check how it is used."""
    import numpy as np
    from pettingzoo.classic.connect_four.connect_four import raw_env

    chance = np.random.default_rng(1)
    env = raw_env()
    moves = 0
    start = time.process_time()
    for _ in range(games):
        env.reset()
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(chance.choice(np.flatnonzero(mask))))
            moves += 1
    return moves / (time.process_time() - start)


MEASURES: dict[str, tuple[str, str, Callable[[], float]]] = {
    "infila": ("infila", "Python rules, compiled", infila_speed),
    "openspiel": ("open_spiel", "OpenSpiel, C++", openspiel_speed),
    "pgx": ("pgx", "pgx on JAX, best batch", pgx_speed),
    "pettingzoo": ("pettingzoo", "PettingZoo, Python", pettingzoo_speed),
}
WANTED = {"openspiel": 8, "pgx": 5}


def version_of(package: str) -> str:
    if package == "infila":
        return infila.__version__
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def elsewhere(name: str, core: int) -> float:
    """What a process of its own, on one core, measures."""
    command = [sys.executable, "-m", "bench.connect_four", "--measure", name, "--core", str(core)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | ONE_THREAD, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{name} could not be measured: {done.stderr.strip()[-800:]}")
    return float(done.stdout.split()[-1])


def plot(results: dict[str, Any], path: Path) -> None:
    from infila.arena.plot import ACCENT, INK, QUIET, figure, save

    drawing, axes = figure(figsize=(7, 2.6))
    rows = list(reversed(results["players"].items()))
    for y, (name, row) in enumerate(rows):
        speed = row["moves_per_second"]
        axes.barh(y, speed, color=ACCENT if name == "infila" else QUIET, height=0.6)
        said = f"{speed / 1e6:,.1f} M" if speed >= 1e6 else f"{speed / 1e3:,.0f} k"
        axes.annotate(said, (speed, y), (5, 0), textcoords="offset points", va="center", color=INK)
    axes.set_xscale("log")
    speeds = [row["moves_per_second"] for _, row in rows]
    axes.set_xlim(min(speeds) / 10, 6 * max(speeds))
    axes.set_yticks(range(len(rows)), [row["title"] for _, row in rows])
    axes.set_xlabel("random moves a second on one core (logarithmic)", color=INK)
    axes.set_title("Connect Four", loc="left", color=INK, fontweight="bold")
    save(drawing, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--measure", choices=MEASURES, help="only this, in this process; prints moves per second")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to measure on")
    wanted = parser.parse_args()
    if wanted.measure:
        os.sched_setaffinity(0, {wanted.core})
        print(MEASURES[wanted.measure][2]())
        return
    present = [name for name, (package, _, _) in MEASURES.items() if version_of(package)]
    for name in MEASURES.keys() - set(present):
        print(f"{MEASURES[name][0]} is not installed and is left out: pip install {MEASURES[name][0]}", file=sys.stderr)
    best = dict.fromkeys(present, 0.0)
    for turn in range(wanted.rounds):
        for name in present:
            print(f"round {turn + 1} of {wanted.rounds}: {name} …", file=sys.stderr, flush=True)
            best[name] = max(best[name], elsewhere(name, wanted.core))
    results: dict[str, Any] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, one core",
        "players": {},
    }
    for name in present:
        package, title, _ = MEASURES[name]
        results["players"][name] = {
            "title": "infila" if name == "infila" else title,
            "version": version_of(package),
            "moves_per_second": round(best[name]),
            "infila_is_times_faster": round(best["infila"] / best[name], 2),
            "wanted": WANTED.get(name),
        }
    print(f"{'':<24} {'version':>9} {'moves/s':>13} {'infila is':>10} {'wanted':>7}")
    for row in results["players"].values():
        ratio = f"{row['infila_is_times_faster']:,.1f} ×"
        aim = f"≥ {row['wanted']} ×" if row["wanted"] else ""
        print(f"{row['title']:<24} {row['version']:>9} {row['moves_per_second']:>13,} {ratio:>10} {aim:>7}")
    plot(results, ROOT / "docs" / "pictures" / "connect_four-speed.svg")
    (ROOT / "bench" / "results" / "connect_four.json").write_text(
        json.dumps(results, indent=1) + "\n", encoding="utf-8"
    )
    print(json.dumps(results))


if __name__ == "__main__":
    main()
