"""What the searches of examples/search reach in minutes: they learn, look ahead, and play against casual.

    python -m bench.searches

Runs both, one after the other, and keeps what they say about themselves in bench/results/searches.json.
"""

import json
import os
import re
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results" / "searches.json"
SEARCHES = "information_set_search", "gumbel_alphazero"
WON = re.compile(r"(?:(.+) )?against casual: ([\d.]+)% ± ([\d.]+)% of (\d+) games.*")


def run(name: str) -> dict[str, Any]:
    """An example from beginning to end: its lines, its share of the games, and the time of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, f"examples/search/{name}.py"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(done.stdout, flush=True)
    found = [WON.fullmatch(line) for line in done.stdout.splitlines()]
    return {
        "beats_casual": done.returncode == 0,
        "against_casual": {
            match[1] or "with its search": {"share": float(match[2]), "reach": float(match[3]), "games": int(match[4])}
            for match in found
            if match
        },
        "seconds_of_cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
        "said": done.stdout.splitlines(),
    }


def main() -> None:
    found: dict[str, Any] = {"versions": {name: version(name) for name in ("jax", "mctx", "optax", "numpy", "numba")}}
    for name in SEARCHES:
        found[name] = run(name)
        RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    if not all(found[name]["beats_casual"] for name in SEARCHES):
        raise SystemExit("a search does not beat casual")


if __name__ == "__main__":
    main()
