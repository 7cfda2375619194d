"""A review as a picture: a curve for each seat, with what luck did and what was given away."""

from pathlib import Path
from typing import Any

from infila.arena.plot import ACCENT, INK, PAPER, QUIET, canvas, check, plain, save
from infila.core.game import Game
from infila.reviewing.ledger import Review, SeatReview
from infila.reviewing.show import points

__all__ = ["check", "draw"]

HELPED, HURT = "#1d7a66", "#e2a125"
WIDTH, HEIGHT = 9.0, 2.1  # inches, of a seat


def draw(review: Review, game: Game, path: Path) -> None:
    """Write the picture into a file."""
    check(path)
    from matplotlib import rc_context

    drawing = canvas(figsize=(WIDTH, 0.5 + HEIGHT * len(review.seats)))
    drawing.suptitle(f"{game.contract.title}, {review.moves} moves", x=0.01, ha="left", color=INK, fontweight="bold")
    rows = drawing.subplots(len(review.seats), 1, sharex=True, squeeze=False)[:, 0]
    for axes, seat in zip(rows, review.seats, strict=True):
        plain(axes)
        _seat(axes, seat, review.hindsight[seat.seat])
    rows[-1].set_xlabel("move", color=INK)
    with rc_context({"svg.fonttype": "none"}):
        save(drawing, path)


def _seat(axes: Any, seat: SeatReview, hindsight: tuple[float, ...]) -> None:
    wins = [100 * value.win for value in seat.curve]
    axes.set_ylim(-4, 104)
    axes.set_yticks([0, 50, 100])
    axes.axhline(50, color=QUIET, linewidth=0.6, linestyle=":")
    axes.plot([100 * share for share in hindsight], color=QUIET, linewidth=1, alpha=0.6, label="hindsight")
    for step in seat.steps:
        if step.kind == "luck" and step.sure:
            axes.axvline(step.number, ymin=0, ymax=1, color=HELPED if step.win > 0 else HURT, linewidth=3, alpha=0.35)
    axes.plot(wins, color=ACCENT, linewidth=2)
    for place, decision in enumerate(seat.gravest(), 1):
        at = decision.number - 1
        axes.plot(at, wins[at], "o", color=PAPER, markeredgecolor=ACCENT, markeredgewidth=2, markersize=11)
        axes.annotate(str(place), (at, wins[at]), ha="center", va="center", fontsize=7, color=INK)
    sums = f"luck {points(seat.luck)}, gifts {points(seat.gifts)}, own losses {points(-seat.losses)}"
    axes.set_title(f"{seat.name}: {sums}", loc="left", color=INK, fontsize=10)
