"""`infila benchmark`: an agent against the levels by a fixed protocol, sealed in a file; and a check of that file."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import stopped_early
from infila.core.errors import InfilaError, check_number

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    benchmark = commands.add_parser(
        "benchmark",
        help="measure an agent against the levels by a fixed protocol, or check such a measurement",
        epilog="Whatever has been played is kept in a folder beside the file: after an interruption the same command "
        "goes on.",
    )
    benchmark.add_argument(
        "agent", nargs="?", metavar="AGENT", help="module:Agent, model.onnx, exec:COMMAND or a level"
    )
    benchmark.add_argument("--protocol", default="infila-v1", help="infila-v1 (default) or infila-v1-light")
    benchmark.add_argument("--out", type=Path, metavar="FILE", help="write the sealed results here")
    benchmark.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    benchmark.add_argument(
        "--check", type=Path, metavar="FILE", help="check a file: its seal, and its games by playing"
    )
    benchmark.add_argument("--sample", type=int, metavar="N", help="with --check: play only N games again, by chance")
    benchmark.set_defaults(run=run_benchmark)


def run_benchmark(wanted: argparse.Namespace) -> None:
    if (wanted.agent is None) == (wanted.check is None):
        raise InfilaError("name an agent to measure, or a file to --check.")
    if wanted.sample is not None:
        check_number("--sample", wanted.sample, 1, 10**9)
        if wanted.check is None:
            raise InfilaError("--sample goes with --check.")
    check_number("--processes", wanted.processes, 1, 1024)
    if wanted.check is not None:
        _check(wanted.check, wanted.sample)
    elif wanted.out is None:
        raise InfilaError("--out is missing: the file for the results, for example --out results.json.")
    else:
        _measure(wanted)


def _measure(wanted: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from infila.arena import benchmark

    if wanted.out.exists():
        raise InfilaError(f"{wanted.out} exists already. Choose another name, or delete it.")
    planned = benchmark.meetings(wanted.protocol, wanted.agent)
    total = sum(meeting.deals for meeting in planned)
    folder = wanted.out.with_name(f"{wanted.out.name}.games")
    running = benchmark.run(wanted.protocol, wanted.agent, folder, wanted.processes)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    played = []
    done = 0
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(wanted.agent, total=total)
        try:
            for meeting, results in running:
                done += 1
                bar.update(task, completed=done, description=meeting.title())
                if len(results.won) == meeting.deals:
                    played.append((meeting, results))
                    share = results.share(0, 1)
                    print(f"{meeting.title()}: {100 * share.mean:.1f} %", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            running.close()
            stopped_early(done, total, "deals", " The same command continues.")
    whole = benchmark.sealed(wanted.protocol, wanted.agent, played)
    benchmark.write(wanted.out, whole)
    print(f"{whole.agent}: {100 * whole.score:.1f} % in {whole.benchmark}, {whole.forfeits} games forfeited.")
    print(f"{wanted.out}: {whole.seal}")


def _check(file: Path, sample: int | None) -> None:
    from infila.arena import benchmark

    whole = benchmark.read(file)
    games = sum(len(entry.games) for entry in whole.meetings)
    print(f"{whole.agent}: {100 * whole.score:.1f} % in {whole.benchmark}, {games:,} games. The seal is whole.")
    again = differing = 0
    for title, same in benchmark.played_again(whole, sample):
        again += 1
        differing += not same
        if not same:
            print(f"went otherwise: {title}")
    if differing:
        raise InfilaError(
            f"{differing} of {again} games went otherwise. Was it another version of infila ({whole.infila}), of the "
            "agent, or one that does not always play alike?"
        )
    print(f"{again:,} games were played again and went the same way.")
