"""`infila study`: what many games say about a game."""

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import add_cluster, add_options, compiling, option_texts, stopped_early
from infila.core.games import contract_of

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    study = commands.add_parser("study", help="study a game by playing it many times: length, choices, scores, rules")
    study.add_argument("game", metavar="GAME")
    study.add_argument(
        "--by", default="random", metavar="A,B,…", help="who plays: levels, random (default) or search:N"
    )
    study.add_argument(
        "--games", type=int, metavar="N", help="default 1,000,000 at random, 10,000 by levels, 100 by those that search"
    )
    add_options(study)
    study.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="T", help="default: all cores")
    add_cluster(study)
    study.add_argument("--seed", type=int, default=0, metavar="S", help="another seed deals other games (default 0)")
    study.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as .svg or .png")
    study.add_argument("--json", action="store_true", help="print one JSON object")
    study.set_defaults(run=run_study)


def run_study(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.arena.plot import check
    from infila.study import plot, show
    from infila.study.run import study

    options = contract_of(wanted.game).options.from_texts(option_texts(wanted.option, wanted.players)).to_dict()
    by = [name.strip() for name in wanted.by.split(",")]
    if wanted.plot:
        check(wanted.plot)
    plan = study(wanted.game, wanted.games, options, by=by, seed=wanted.seed, threads=wanted.threads, on=wanted.on)
    with compiling(wanted.game, "study" if plan.at_random else "study.think"), show.followed(plan) as progress:
        figures = plan.run(progress)
    if figures.games == 0:
        stopped_early(0, figures.wanted, "games")
    if wanted.json:
        print(json.dumps(show.facts(figures)))
    else:
        print(f"{show.title_of(figures)}, seed {wanted.seed}, {figures.seconds:,.1f} s")
        for table in show.tables(figures):
            Console().print(table)
    if wanted.plot:
        plot.draw(figures, wanted.plot)
    if figures.games < figures.wanted:
        stopped_early(figures.games, figures.wanted, "games")
