"""Puzzles on the terminal: how far the work is, and what was found in somebody's own game."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from infila.core.game import Game
from infila.players.hints import sentences
from infila.puzzles.making import Progress as Done
from infila.puzzles.puzzle import GRADES, Puzzle

SECONDS = 0.2  # between two updates


@contextmanager
def followed(title: str, total: int, what: str = "games") -> Iterator[Callable[[Done], None]]:
    """What to call while puzzles are made, to show how far that is."""
    seen = sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[found]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not seen) as bar:
        task = bar.add_task(f"{title}, {what}", total=total, found="")
        shown = 0.0

        def progress(done: Done) -> None:
            nonlocal shown
            if seen and time.monotonic() - shown > SECONDS:
                shown = time.monotonic()
                bar.update(task, completed=done.games, found=f"{done.positions:,} positions, {done.found} puzzles")

        yield progress


def tell(found: Sequence[tuple[int, Puzzle]], game: Game, console: Console, language: str = "en") -> None:
    """The puzzles of a game: at which move, what was best, by how much, and why."""
    if not found:
        console.print("In no position of this game was one move clearly best without being seen at once.")
    for number, puzzle in found:
        view = puzzle.view
        reasons = view.contract.advice.reasons(view.states[0], view.read(puzzle.best[0]))
        played = game.history[number - 1]
        name, grade = game.names[puzzle.seat], GRADES[puzzle.grade]
        better = f"better than all others by {100 * puzzle.margin:.0f} ± {200 * puzzle.error:.0f} points of chance"
        console.print(Text(f"move {number}, {name}: {puzzle.best[0]} ({grade}); played was {played}", style="bold"))
        console.print(Text(f"  {better}: {'; '.join(sentences(view.contract, reasons, language))}"))
