"""What honest players see of a server while it is attacked from one address: p50, p99, the longest gap, refusals.

    python -m bench.attack [--seconds 15] [--only pages hints] [--tree ../infila-before --name before]

For each attack of `bench.attacks` a server is started as `infila serve` starts it, with everything that limits it. The
honest people of `bench.honest` play, first in quiet and then under the attack; what they see is compared to what they
saw just before, so that other work on this machine counts for little. How much it counts is told by the first line, of
a run without any attack. With --tree the server is the one of another source tree, say of an older commit.

Attackers and honest people do not compute on a server's processors elsewhere, so here, where the system allows it, the
server has half of the cores to itself and they share the rest, attackers at a lower priority. What they take from each
other is still measured. Each result is noted as soon as it is there; --again keeps those that are there already.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bench.attacks import ATTACKS, EVERYTHING
from bench.honest import WAITS, Company
from bench.server import free_port, machine_seconds, memory, processor_seconds

RESULTS = Path(__file__).parent / "results"
QUIET = "quiet"
USUAL_FILES = 1024
MOST_TIMES = 3  # the p99 may be so many times the quiet one's,
UNNOTICED_MS = 100  # and is good in any case below what people notice as a delay
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def as_elsewhere() -> None:
    """The soft limit on open files that most systems have, which a server may raise, and cores of its own."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    _take(CORES[: len(CORES) // 2])


def _take(cores: list[int]) -> None:
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


class Served:
    """A server of some source tree, started by its own command."""

    def __init__(self, tree: Path, folder: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "infila", "serve", "--no-browser", "--port", str(self.port), "--data", folder]
        path = {"PYTHONPATH": str(tree)}
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the server)
        self.process = subprocess.Popen(
            command,
            cwd=tree,
            env=os.environ | path,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            preexec_fn=as_elsewhere,
        )
        assert self.process.stdout is not None
        if "infila is at" not in self.process.stdout.readline():
            self.stop()
            raise SystemExit(f"the server of {tree} did not start")

    def stop(self) -> bool:
        """Whether it has stopped by itself, within some seconds of being asked."""
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        return True

    def complaints(self) -> list[str]:
        """What it has written to its screen: warnings and errors."""
        self.errors.seek(0)
        return [line.rstrip() for line in self.errors if line.startswith("infila:")][:20]


@contextlib.asynccontextmanager
async def attacking(name: str, port: int, seconds: float) -> AsyncIterator[dict[str, Any]]:
    """While an attack goes on, another process; what it got is there in the end."""
    got: dict[str, Any] = {}
    if name == QUIET:
        yield got
        return
    command = [sys.executable, "-m", "bench.attacks", name, str(port), "--seconds", str(seconds)]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(150):
            assert await process.stdout.readline() == b"ready\n", "the attack did not begin"
        yield got
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(20):
                got |= json.loads(await process.stdout.readline() or "{}")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def measure(tree: Path, name: str, seconds: float) -> dict[str, Any]:
    """One attack on a server of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        served = Served(tree, folder)
        company = Company(served.port)
        largest, computed, everybody = 0, 0.0, 0.0
        try:
            await company.arrive()
            await asyncio.sleep(3)  # everything that is made once is made
            quiet = await company.measure(seconds)
            async with attacking(name, served.port, seconds) as got:
                watching = asyncio.create_task(_largest(served.process.pid))
                computed, everybody = -processor_seconds(served.process.pid), -machine_seconds()
                figures = await company.measure(seconds)
                computed += processor_seconds(served.process.pid)
                everybody += machine_seconds()
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watching
            largest = _LARGEST[0]
            lost: int | str
            try:
                async with asyncio.timeout(40):
                    lost = await company.leave()
            except (TimeoutError, OSError) as problem:
                lost = f"the server does not answer any more ({type(problem).__name__})"
        finally:
            stopped = served.stop()
        return figures | {
            "quiet": {kind: quiet[kind] for kind in (*WAITS, "own_lateness")},
            "lost": lost,
            "attacker": got,
            "server_megabytes": round(largest / 1e6),
            "server_cores": round(computed / seconds, 2),
            "cores_in_use": round(everybody / seconds, 2),
            "stops_when_asked": stopped,
            "screen": served.complaints(),
        }


_LARGEST = [0]


async def _largest(process: int) -> None:
    """The most memory that a process has held."""
    _LARGEST[0] = 0
    while True:
        _LARGEST[0] = max(_LARGEST[0], memory(process))
        await asyncio.sleep(0.1)


def verdict(figures: dict[str, Any]) -> str:
    """What is wrong; empty if honest people could play on."""
    problems = []
    for kind in WAITS:
        allowed = max(MOST_TIMES * figures["quiet"][kind]["p99_ms"], UNNOTICED_MS)
        if figures[kind]["p99_ms"] > allowed or not figures[kind]["count"]:
            problems.append(f"{kind} late")
    problems += [what for what in ("refused", "unanswered", "lost") if figures[what] != 0]
    problems += [] if figures["stops_when_asked"] else ["does not stop"]
    return ", ".join(problems)


def line(name: str, figures: dict[str, Any]) -> str:
    parts = [f"{name:27}"]
    for kind in WAITS:
        own, before = figures[kind], figures["quiet"][kind]["p99_ms"]
        parts.append(f"{own['p50_ms']:8.1f} {own['p99_ms']:8.1f} {own['p99_ms'] / max(before, 0.1):6.1f}x")
    lost = figures["lost"] if isinstance(figures["lost"], int) else "?"
    parts.append(f"{figures['longest_gap_ms']:8} {figures['refused']:8} {lost:>5} {figures['server_megabytes']:6}")
    return " ".join(parts) + f"  {verdict(figures) or 'good'}"


def head() -> str:
    columns = " ".join(f"{kind + ' p50':>8} {'p99':>8} {'':7}" for kind in WAITS)
    return f"{'attack':27} {columns} {'longest':>8} {'refused':>8} {'lost':>5} {'MB':>6}"


def note(file: Path, found: dict[str, Any]) -> None:
    file.write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS, EVERYTHING], default=[*ATTACKS, EVERYTHING])
    parser.add_argument("--tree", type=Path, default=Path(__file__).parents[1], help="whose server is attacked")
    parser.add_argument("--name", default="attack", help="of the file in bench/results")
    parser.add_argument("--again", action="store_true", help="only what is not in that file already")
    wanted = parser.parse_args()
    file = RESULTS / f"{wanted.name}.json"
    found = json.loads(file.read_text()) if wanted.again and file.exists() else {}
    found["about"] = {"seconds": wanted.seconds, "cores": os.cpu_count(), "load_before": os.getloadavg()[0]}
    _take(CORES[len(CORES) // 2 :])
    print("Milliseconds; x: times the p99 just before the attack.")
    print(head(), flush=True)
    started = time.perf_counter()
    for name in (QUIET, *wanted.only):
        if name not in found:
            found[name] = asyncio.run(measure(wanted.tree.resolve(), name, wanted.seconds))
            note(file, found)
        print(line(name, found[name]), flush=True)
    print(f"{time.perf_counter() - started:.0f} s, in {file}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("what was measured so far is kept")
