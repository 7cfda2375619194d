"""A contest by one process, by two, and by Ray with two workers of which one is killed: the same JSON, to the byte.

    python -m bench.clustered [--games 2000]

The killed worker is one that plays; it is killed when a quarter of the games have ended. Where /proc tells processes.
"""

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "clustered.json"
WAYS = {
    "1 process": ["--processes", "1"],
    "2 processes": ["--processes", "2"],
    "Ray, one of 2 workers killed": ["--on", "ray", "--processes", "2"],
}
WORKS = b"ray::_play_there"  # how Ray names a worker that plays


def parents() -> dict[int, int]:
    """The process that has begun each process."""
    found = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, rest = each.read_text().split(" ", 1)
            found[int(number)] = int(rest.rpartition(")")[2].split()[1])
    return found


def workers_of(process: int) -> list[int]:
    """Those below it that play."""
    above, found = parents(), []
    for number in above:
        at = number
        while at in above and at != process:
            at = above[at]
        with suppress(OSError):
            if at == process and Path(f"/proc/{number}/cmdline").read_bytes().startswith(WORKS):
                found.append(number)
    return found


def lines(file: Path) -> int:
    return file.read_text(encoding="utf-8").count("\n") if file.exists() else 0


def contest(game: str, contestants: str, games: int, how: list[str]) -> tuple[bytes, float, int]:
    """What it prints, how long it took, and how many workers were killed meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        file, killed = Path(folder) / "games", 0
        command = [sys.executable, "-m", "infila", "arena", "--game", game, "--contestants", contestants, *how]
        command += ["--games", str(games), "--all", "--json", "--file", str(file)]
        began = time.perf_counter()
        playing = subprocess.Popen(command, stdout=subprocess.PIPE)
        while "ray" in how and not killed and playing.poll() is None:
            if lines(file) > games // 4 and (found := workers_of(playing.pid)):
                os.kill(found[0], signal.SIGKILL)
                killed = 1
            time.sleep(0.02)
        told, _ = playing.communicate()
        if playing.returncode:
            raise SystemExit(f"the contest ended with {playing.returncode}")
        return told, time.perf_counter() - began, killed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="take_that")
    parser.add_argument("--contestants", default="casual,club")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FILE")
    wanted = parser.parse_args()
    load, ways = os.getloadavg()[0], {}
    for way, how in WAYS.items():
        told, seconds, killed = contest(wanted.game, wanted.contestants, wanted.games, how)
        ways[way] = {"sha256": hashlib.sha256(told).hexdigest(), "bytes": len(told), "seconds": round(seconds, 1)}
        ways[way] |= {"killed": killed, "games": json.loads(told)["games"]}
        print(way, ways[way], flush=True)
    same = len({each["sha256"] for each in ways.values()}) == 1
    result = {"game": wanted.game, "contestants": wanted.contestants, "same": same, "ways": ways, "load_before": load}
    wanted.out.write_text(json.dumps(result, indent=1) + "\n")
    print("the same bytes" if same else "NOT the same bytes")
    sys.exit(int(not same or not any(each["killed"] for each in ways.values())))


if __name__ == "__main__":
    main()
