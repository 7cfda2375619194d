"""A review on the terminal: its progress, and what it says as tables or JSON."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from infila.core.contract import Contract
from infila.core.game import Game
from infila.players import LEVELS
from infila.players.hints import sentences
from infila.reviewing.ledger import Decision, Judged, Review, SeatReview
from infila.reviewing.reviewer import Progress as Done

SECONDS = 0.2  # between two updates
TWO_ERRORS = 2.0  # what stands behind ±, standard errors
SIGNS = ("", "?", "??", "???")  # by grade
ABOUT = ("game", "moves", "over", "reference", "seed", "worlds", "complete", "error", "vague")
SUMS = (
    *("name", "result", "luck", "gifts", "losses", "errors", "rest", "error", "even_luck"),
    *("score_luck", "score_gifts", "score_losses"),
)


@contextmanager
def followed(title: str) -> Iterator[Callable[[Done], None]]:
    """What to call while a review is made, to show its progress."""
    seen = sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not seen) as bar:
        task = bar.add_task(f"{title}, playing on", total=None)
        shown = 0.0

        def progress(done: Done) -> None:
            nonlocal shown
            if seen and time.monotonic() - shown > SECONDS:
                shown = time.monotonic()
                bar.update(task, completed=done.done, total=done.total)

        yield progress


def points(share: float) -> str:
    """A share of the win as points of chance.

    >>> points(0.114), points(-0.0004)
    ('+11', '0')
    """
    rounded = round(100 * share)
    return f"{rounded:+d}" if rounded else "0"


def tell(review: Review, game: Game, console: Console, language: str = "en") -> None:
    """Everything that people want to know."""
    console.print(_ledger(review))
    for seat in review.seats:
        console.print()
        console.print(Text(_summary(seat), style="bold"))
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for decision in seat.gravest():
            grid.add_row(*_row(decision, game.contract, language))
        if grid.row_count:
            console.print(grid)
        if seat.like is not None:
            console.print(_likeness(seat))
    console.print()
    how = f"A point of chance is one game in a hundred. {review.worlds:,} games were played on: {review.reference}."
    if review.vague:
        wanted = f"{100 * TWO_ERRORS * review.error:.2g}"
        how += f" {review.vague:,} values and losses are not known to ± {wanted}: that takes more simulations."
    console.print(Text(how, style="dim"))


def _ledger(review: Review) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("", "start", "luck", "gifts", "own losses", "rest", "±", "result", "with even luck"):
        table.add_column(heading, justify="right" if heading else "left")
    for seat in review.seats:
        table.add_row(
            Text(seat.name),
            f"{100 * seat.start.win:.0f}",
            points(seat.luck),
            points(seat.gifts),
            points(-seat.losses),
            points(seat.rest),
            f"{100 * TWO_ERRORS * seat.error:.0f}",
            f"{100 * seat.result:.0f}",
            f"{100 * seat.even_luck:.0f} %",
        )
    return table


def _summary(seat: SeatReview) -> str:
    marked = seat.gravest()
    if not marked:
        return f"{seat.name}: no move that surely gave anything away."
    return f"{seat.name}: what mattered most"


def _row(decision: Decision, contract: Contract, language: str) -> tuple[Text, ...]:
    why = "; ".join(sentences(contract, decision.reasons, language))
    error = f"{100 * TWO_ERRORS * decision.error:.0f}"
    return (
        Text(f"move {decision.number}"),
        Text(f"{points(-decision.loss)} ± {error} {SIGNS[decision.grade]}", style="bold"),
        Text(f"{decision.played.move}, better {decision.best.move}"),
        Text(why),
    )


def _likeness(seat: SeatReview) -> Text:
    like = seat.like
    assert like is not None, "asked for before"
    lost = ", ".join(f"{name} {100 * loss:.1f}" for name, loss in like.levels.items())
    low, high = LEVELS[round(like.low)], LEVELS[round(like.high)]
    between = f" (anything from {low} to {high})" if low != high else ""
    own = f"{100 * like.loss:.1f}"
    return Text(f"played like {like.level}{between}: {own} points lost in a decision; in the same positions {lost}")


def facts(review: Review, contract: Contract, language: str = "en") -> dict[str, Any]:
    """Everything, for JSON; seats count from 1, as people count."""
    about = {name: getattr(review, name) for name in ABOUT}
    seats = [_seat(seat, contract, language) for seat in review.seats]
    return about | {"seats": seats, "hindsight": [list(curve) for curve in review.hindsight]}


def _seat(seat: SeatReview, contract: Contract, language: str) -> dict[str, Any]:
    return {
        "seat": seat.seat + 1,
        **{name: getattr(seat, name) for name in SUMS},
        "start": asdict(seat.start),
        "curve": [asdict(value) for value in seat.curve],
        "steps": [asdict(step) | {"by": step.by + 1, "sure": step.sure} for step in seat.steps],
        "given_by": {str(by + 1): given for by, given in seat.given_by.items()},
        "like": None if seat.like is None else asdict(seat.like),
        "decisions": [_decision(each, contract, language) for each in seat.decisions],
    }


def _decision(decision: Decision, contract: Contract, language: str) -> dict[str, Any]:
    return {
        "number": decision.number,
        "played": decision.played.move,
        "best": decision.best.move,
        "loss": decision.loss,
        "error": decision.error,
        "score": decision.score,
        "grade": decision.grade,
        "reasons": list(sentences(contract, decision.reasons, language)),
        "moves": [_judged(each) for each in decision.moves],
        "levels": {name: each.move for name, each in decision.levels.items()},
    }


def _judged(judged: Judged) -> dict[str, Any]:
    return {"move": judged.move, **asdict(judged.value), "loss": judged.loss, "loss_error": judged.error}
