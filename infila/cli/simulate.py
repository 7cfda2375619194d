"""`infila simulate` and `bench`: many random games, and how fast they run here."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from infila.cli.common import add_cluster, add_options, compiling, option_texts, stopped_early
from infila.core.errors import InfilaError
from infila.core.games import contract_of, usable_games

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    simulate = commands.add_parser("simulate", help="play many games at random, fast")
    simulate.add_argument("game", metavar="GAME")
    simulate.add_argument("--games", type=int, default=10_000, metavar="N", help="default 10,000")
    add_options(simulate)
    simulate.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="T", help="default: all cores")
    simulate.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="default cpu")
    add_cluster(simulate)
    simulate.add_argument("--seed", type=int, default=0, metavar="S", help="another seed deals other games (default 0)")
    simulate.add_argument("--report", action="store_true", help="also report lengths, scores and wins")
    simulate.add_argument("--json", action="store_true", help="print one JSON object")
    simulate.set_defaults(run=run_simulate)

    bench = commands.add_parser("bench", help="measure how fast the games run here")
    bench.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="measure each game this long (default 2)"
    )
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.set_defaults(run=run_bench)


def run_simulate(wanted: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from infila.batch.cuda import usable_cuda
    from infila.batch.simulate import Tally, simulate

    contract = contract_of(wanted.game)
    values = contract.options.from_texts(option_texts(wanted.option, wanted.players)).to_dict()
    if wanted.device == "gpu":
        usable_cuda()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with compiling(wanted.game, f"simulate.{wanted.device}"), bar:
        task = bar.add_task(f"{contract.title}, random play", total=wanted.games)

        def show(tally: Tally) -> None:
            bar.update(task, completed=tally.games)

        tally = simulate(
            wanted.game,
            wanted.games,
            values,
            seed=wanted.seed,
            threads=wanted.threads,
            device=wanted.device,
            on=wanted.on,
            report=wanted.report,
            progress=show,
        )
    facts = tally.summary() | (tally.report() if wanted.report and tally.games else {})
    if wanted.json:
        print(json.dumps(facts))
    else:
        _print_facts(facts)
    if tally.games < wanted.games:
        stopped_early(tally.games, wanted.games, "games")


def _print_facts(facts: dict[str, Any]) -> None:
    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "  ".join(f"{name} {text(part)}" for name, part in value.items())
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "".join(f"\n  seat {i}: {text(part)}" for i, part in enumerate(value, 1))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:,}" if isinstance(value, int) else str(value)

    for name, value in facts.items():
        print(f"{name.replace('_', ' ')}: {text(value)}")


def run_bench(wanted: argparse.Namespace) -> None:
    from infila.batch.simulate import simulate

    if not 0 < wanted.seconds <= 3600:
        raise InfilaError(f"--seconds cannot be {wanted.seconds}: it must be a number above 0, up to 3,600.")
    results = {}
    for name in usable_games():
        contract = contract_of(name)
        with compiling(name, "simulate.cpu"):
            games = 2000
            tally = simulate(name, games)
        while tally.seconds < wanted.seconds / 2:
            games *= 2
            tally = simulate(name, games)
        results[name] = {
            "moves_per_second": round(tally.moves / tally.seconds),
            "games_per_second": round(tally.games / tally.seconds),
            "moves_per_game": round(tally.moves / tally.games, 1),
            "state_bytes": contract.rules.State.dtype.itemsize,
        }
        if not wanted.json:
            print(
                f"{contract.title:<12} {results[name]['moves_per_second']:>12,} random moves/s on one core, two players"
            )
    if wanted.json:
        print(json.dumps(results))
