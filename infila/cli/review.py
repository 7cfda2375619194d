"""`infila review`: what was luck and what was skill in a game."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import check_place, compiling, fail
from infila.core.errors import BadLog, InfilaError
from infila.core.words import LANGUAGES

if TYPE_CHECKING:
    from infila.cli.common import Commands
    from infila.core.game import Game


def add_parsers(commands: "Commands") -> None:
    review = commands.add_parser("review", help="say what was luck and what was skill in a game")
    review.add_argument("file", type=Path, metavar="FILE", help="a game's log or save")
    review.add_argument("--seat", type=int, metavar="K", help="only for seat K (default: for all)")
    review.add_argument("--simulations", type=int, default=1000, metavar="N", help="for each value, at most (1000)")
    review.add_argument("--error", type=float, default=1.0, metavar="E", help="wanted, in points of chance (1)")
    review.add_argument("--seconds", type=float, metavar="S", help="with what is known by then; not to the byte again")
    review.add_argument("--seed", type=int, default=0, metavar="S", help="another seed plays on in other worlds")
    review.add_argument("--language", choices=sorted(LANGUAGES), default="en", help="of the reasons (default en)")
    review.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves, as .svg or .png")
    review.add_argument("--json", action="store_true", help="print one JSON object")
    review.set_defaults(run=run_review, at_a_table=True)


def run_review(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.reviewing import plot, show
    from infila.reviewing.review import review

    if wanted.plot:
        plot.check(wanted.plot)
    if not 0 < wanted.error <= 50:
        raise InfilaError("--error is given in points of chance, above 0 and at most 50.")
    if wanted.seconds is not None and not 0 < wanted.seconds < 1e9:
        raise InfilaError("--seconds has to be above 0.")
    game, cut = _loaded(wanted.file)
    check_place(game, None, wanted.seat)
    seat = None if wanted.seat is None else wanted.seat - 1
    with compiling(game.game, "review"), show.followed(game.contract.title) as progress:
        found = review(
            game,
            seat,
            simulations=wanted.simulations,
            error=wanted.error / 100,
            seconds=wanted.seconds,
            seed=wanted.seed,
            progress=progress,
        )
    if wanted.json:
        print(json.dumps(show.facts(found, game.contract, wanted.language)))
    else:
        show.tell(found, game, Console(), wanted.language)
    if wanted.plot:
        plot.draw(found, game, wanted.plot)
    if cut:
        fail(f"{wanted.file}, {cut} What was sound up to there was reviewed.")
    if not found.complete and wanted.seconds is None:
        fail("stopped early: this is what was known by then.", 130)


def _loaded(file: Path) -> "tuple[Game, BadLog | None]":
    """A game, or as much of it as is sound, and what is wrong with the rest."""
    from infila.core.game import Game, load
    from infila.core.log import Log

    try:
        return load(file), None
    except BadLog as problem:
        usable = problem.usable
        if not isinstance(usable, Log) or not usable.moves or (usable.seed is None and usable.position is None):
            raise
        return Game(usable), problem
