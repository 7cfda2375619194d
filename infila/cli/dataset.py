"""`infila dataset`: games of computer players as data to learn from."""

import argparse
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infila.cli.common import add_options, compiling, option_texts, stopped_early
from infila.core.games import contract_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    dataset = commands.add_parser("dataset", help="write games of computer players to a file, to learn from")
    dataset.add_argument("game", metavar="GAME")
    dataset.add_argument(
        "--by", default="club", metavar="A,B,…", help="who plays: levels (default club), random or search:N"
    )
    dataset.add_argument("--games", type=int, default=1000, metavar="N", help="default 1,000")
    dataset.add_argument(
        "--out", required=True, metavar="FILE", help="x.npz, x.parquet, or minari:ID for a local dataset of Minari"
    )
    dataset.add_argument(
        "--full", action="store_true", help="write masks and observations too: hundreds of times as much"
    )
    add_options(dataset)
    dataset.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="T", help="default: all cores")
    dataset.add_argument("--seed", type=int, default=0, metavar="S", help="another seed deals other games (default 0)")
    dataset.set_defaults(run=run_dataset)


def run_dataset(wanted: argparse.Namespace) -> None:
    from infila.dataset import episodes, files, make
    from infila.players.player import player

    options = contract_of(wanted.game).options.from_texts(option_texts(wanted.option, wanted.players)).to_dict()
    by = [name.strip() for name in wanted.by.split(",")]
    minari = wanted.out.removeprefix(episodes.FORM) if wanted.out.startswith(episodes.FORM) else None
    if minari is None:
        files.check_name(Path(wanted.out))
    else:
        episodes.check_id(minari)
    for name in by:
        player(wanted.game, name)  # refused before anything is compiled
    start = time.perf_counter()
    with compiling(wanted.game, "dataset"), _followed("played", wanted.games) as show:
        data = make(
            wanted.game,
            wanted.games,
            options,
            by=by,
            seed=wanted.seed,
            threads=wanted.threads,
            progress=lambda games, moves: show(games),
        )
    played = time.perf_counter() - start
    if data.games == 0:
        stopped_early(0, wanted.games, "games")
    with _followed("written", data.games) as show:
        if minari is None:
            files.write(data, Path(wanted.out), full=wanted.full, progress=show)
        else:
            episodes.to_minari(data, minari, show)
    took = time.perf_counter() - start
    print(f"{wanted.out}: {data.games:,} games, {data.moves:,} moves; {played:.1f} s to play, {took:.1f} s in all")
    if data.games < wanted.games:
        stopped_early(data.games, wanted.games, "games", " They are in the file.")


@contextmanager
def _followed(what: str, total: int) -> "Iterator[Callable[[int], Any]]":
    """A bar on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
