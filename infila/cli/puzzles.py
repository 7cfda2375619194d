"""`infila puzzles`: positions with one move that is clearly best, out of computers' games or out of one's own."""

import argparse
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import add_cluster, compiling, fail
from infila.core.errors import InfilaError, check_number
from infila.core.games import usable_games
from infila.core.words import LANGUAGES

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    puzzles = commands.add_parser("puzzles", help="find positions in which one move is clearly best")
    puzzles.add_argument("source", metavar="GAME|FILE", help="a game that computers play, or the log or save of one")
    puzzles.add_argument("--out", type=Path, metavar="FILE", help="a file of puzzles to add to; needed for a game")
    puzzles.add_argument("--games", type=int, default=100, metavar="N", help="games to play and look through (100)")
    puzzles.add_argument("--seconds", type=float, metavar="S", help="stop after so long")
    puzzles.add_argument("--processes", type=int, default=1, metavar="N", help="that look through games (1)")
    add_cluster(puzzles)
    puzzles.add_argument("--seed", type=int, default=0, metavar="S", help="another seed plays other games")
    puzzles.add_argument("--language", choices=sorted(LANGUAGES), default="en", help="of the reasons (default en)")
    puzzles.set_defaults(run=run_puzzles)


def run_puzzles(wanted: argparse.Namespace) -> None:
    if wanted.seconds is not None and not 0 < wanted.seconds < 1e9:
        raise InfilaError("--seconds has to be above 0.")
    if wanted.source in usable_games():
        make_many(wanted)
    else:
        make_own(wanted)


def make_many(wanted: argparse.Namespace) -> None:
    """Games are played until there are enough, the time is over, or somebody stops it; what is found is kept."""
    from infila.puzzles import show
    from infila.puzzles.making import MOST_PROCESSES, Progress, make

    if wanted.out is None:
        raise InfilaError("say with --out FILE where the puzzles are to be kept.")
    begun, last, stopped = time.monotonic(), Progress(0, 0, 0, 0), False
    check_number("--processes", wanted.processes, 1, MOST_PROCESSES)
    work = make(wanted.source, wanted.out, wanted.games, wanted.seed, wanted.processes, wanted.on)
    with compiling(wanted.source, "puzzles"), show.followed(wanted.source, wanted.games) as progress, closing(work):
        try:
            for last in work:
                progress(last)
                if wanted.seconds is not None and time.monotonic() - begun > wanted.seconds:
                    break
        except KeyboardInterrupt:
            stopped = True
    print(f"{last.found} puzzles in {last.games:,} games, {last.positions:,} positions: {wanted.out}")
    if stopped:
        fail("stopped early. The same command goes on where this one stopped.", 130)


def make_own(wanted: argparse.Namespace) -> None:
    """The puzzles of a game that somebody has played: shown, and kept if a file is named."""
    from rich.console import Console

    from infila.core.game import load
    from infila.puzzles import show
    from infila.puzzles.collection import Collection, read
    from infila.puzzles.finding import seen_in
    from infila.puzzles.making import make_from

    if wanted.on is not None or wanted.processes != 1:
        raise InfilaError("--on and --processes are for many games that computers play, not for one of your own.")
    game = load(Path(wanted.source))
    collection = read(wanted.out, game.game) if wanted.out else Collection(game.game)
    found, stopped, begun = [], False, time.monotonic()
    known = {seen_in(puzzle) for puzzle in collection.puzzles}
    with compiling(game.game, "puzzles"), show.followed(game.contract.title, len(game.history), "moves") as progress:
        try:
            for step, number, puzzle in make_from(game, known, wanted.seed):
                if puzzle is not None:
                    found.append((number, puzzle))
                progress(step)
                if wanted.seconds is not None and time.monotonic() - begun > wanted.seconds:
                    break
        except KeyboardInterrupt:
            stopped = True
    show.tell(found, game, Console(), wanted.language)
    if wanted.out and found:
        collection.puzzles += [puzzle for _number, puzzle in found]
        collection.write(wanted.out)
    if stopped:
        fail("stopped early: this is what was found by then.", 130)
