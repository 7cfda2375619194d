"""`infila arena`: computer players play each other, and are rated."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import add_cluster, add_options, compiling, option_texts, stopped_early
from infila.core.errors import InfilaError, check_number
from infila.core.games import contract_of

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    arena = commands.add_parser(
        "arena",
        help="let computer players play each other, and rate them",
        epilog="Every deal is played in all line-ups. Two players meet in a duel wherever they sit on different sides: "
        "the better score wins it. Where three sides play and only one wins, the other two share their duel, so "
        "ratings lie closer together.",
    )
    arena.add_argument("--game", required=True, metavar="GAME")
    arena.add_argument(
        "--contestants",
        required=True,
        metavar="A,B,…",
        help="two or more: levels, random, search:N, or agents: module:Agent, model.onnx, exec:COMMAND",
    )
    arena.add_argument(
        "--games", type=int, default=400, metavar="N", help="play at most N, rounded up to whole deals (default 400)"
    )
    add_options(arena)
    arena.add_argument("--seed", type=int, default=0, metavar="S", help="another seed deals other games (default 0)")
    arena.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    add_cluster(arena)
    arena.add_argument(
        "--adjusted",
        action="store_true",
        help="measure the luck of the draw in every game and take it out: the same games and the same mean, with a "
        "narrower interval",
    )
    arena.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="that an agent has for a move (default 10)"
    )
    arena.add_argument("--all", action="store_true", help="play all games, even if it is clear who is stronger")
    arena.add_argument("--file", type=Path, help="record every game here; continue from it if it exists")
    arena.add_argument("--plot", type=Path, metavar="FILE", help="draw the ladder, as .svg or .png")
    arena.add_argument("--json", action="store_true", help="print one JSON object")
    arena.set_defaults(run=run_arena)


def run_arena(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.arena import contest, show
    from infila.arena.plot import check, ladder
    from infila.arena.results import FEWEST_DEALS

    contract = contract_of(wanted.game)
    chosen = contract.options.from_texts(option_texts(wanted.option, wanted.players))
    names = tuple(name.strip() for name in wanted.contestants.split(","))
    plan = contest.Contest(wanted.game, names, chosen.to_dict(), wanted.seed, wanted.adjusted, wanted.seconds)
    check_number("--games", wanted.games, 1, 10**12)
    check_number("--processes", wanted.processes, 1, 1024)
    contest.check(plan)
    if wanted.plot:
        check(wanted.plot)
    deals = -(-wanted.games // len(plan.line_ups()))
    least = deals if wanted.all else FEWEST_DEALS
    running = contest.run(plan, deals, least=least, file=wanted.file, processes=wanted.processes, on=wanted.on)
    with compiling(wanted.game, "arena"):
        contest.warm_up(plan)
    results, problem = show.follow(running, deals, contract.title)
    done = len(results.won) if results else 0
    if results and wanted.json:
        head = {"game": wanted.game, "options": chosen.to_json(), "seed": wanted.seed}
        print(json.dumps(head | show.facts(results, interrupted=problem is not None)))
    elif results:
        for table in show.tables(results):
            Console().print(table)
        show.forfeits(results, Console())
    if results and wanted.plot:
        ladder(results.standings(), f"{contract.title}, {plan.options['players']} players", wanted.plot)
    if isinstance(problem, InfilaError):
        raise problem
    if problem:
        stopped_early(done, deals, "deals", f" The same command continues from {wanted.file}." if wanted.file else "")
    if done < deals:
        print(f"Ended after {done} of {deals} deals: it is clear who is stronger.", file=sys.stderr)
