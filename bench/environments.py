"""How fast the PettingZoo environments are, as a ratio to PettingZoo's own connect_four_v3, in one run on one core.

    python -m bench.environments

Each environment is played in the same way, in PettingZoo's usual loop: `last()`, one of the legal actions of the mask,
drawn at random, `step()`. Peer and games are measured in turns, several times, so that a busy machine disturbs all
alike; the processor's time counts, and the best of each. Prints a table, writes bench/results/environments.json, and
prints that too.
"""

import json
import platform
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo import make

from infila.core.games import NAMES
from infila.envs import pettingzoo

ROOT = Path(__file__).parents[1]
WANTED = 10
ROUNDS = 5
SECONDS = 0.5


def speed(env: Any, chance: random.Random, seconds: float = SECONDS) -> float:
    """Moves a second, with everything that an agent needs to choose them."""
    moves = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = observation["action_mask"].view(bool).nonzero()[0]  # of int8 it would take 20 times as long
            env.step(int(legal[int(chance.random() * len(legal))]))
            moves += 1
    return moves / passed


def environments() -> dict[str, Any]:
    return {"connect_four_v3": make("aec", "classic/connect_four_v3")} | {name: pettingzoo.env(name) for name in NAMES}


def main() -> None:
    chance = random.Random(1)
    envs = environments()
    best = dict.fromkeys(envs, 0.0)
    for name, env in envs.items():
        print(f"preparing {name} …", file=sys.stderr, flush=True)
        speed(env, chance, 0.05)
    for turn in range(ROUNDS):
        print(f"measuring, round {turn + 1} of {ROUNDS} …", file=sys.stderr, flush=True)
        for name, env in envs.items():
            best[name] = max(best[name], speed(env, chance))
    peer = best.pop("connect_four_v3")
    results = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}, one core",
        "connect_four_v3_moves_per_second": round(peer),
        "wanted_ratio": WANTED,
        "games": {name: {"moves_per_second": round(s), "ratio": round(s / peer, 1)} for name, s in best.items()},
    }
    print(f"\nPettingZoo's connect_four_v3: {peer:,.0f} moves/s\n\n{'game':<10} {'moves/s':>10} {'ratio':>6}")
    for name, moves in best.items():
        print(f"{name:<10} {moves:>10,.0f} {moves / peer:>6.1f}")
    print(json.dumps(results))
    (ROOT / "bench" / "results" / "environments.json").write_text(
        json.dumps(results, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
