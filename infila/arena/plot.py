"""A ladder as a picture."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from infila.arena.results import Standing
from infila.core.errors import InfilaError, writing

PAPER, INK, QUIET, ACCENT = "#fbf7ef", "#22262b", "#8a8577", "#b5432a"


def check(path: Path) -> None:
    """Refuse a plot that cannot be drawn, before any games are played for it."""
    if find_spec("matplotlib") is None:
        raise InfilaError("plots need matplotlib: pip install 'infila[plot]'.")
    if path.suffix.lower() not in (".svg", ".png"):
        raise InfilaError(f"{path}: a plot is written as .svg or .png.")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        there = path.exists()
        path.open("ab").close()
        if not there:
            path.unlink()


def canvas(**size: Any) -> Any:
    """An empty figure in our colours."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "infila", "font.family": "DejaVu Sans", "font.size": 10})
    from matplotlib import pyplot

    return pyplot.figure(facecolor=PAPER, layout="constrained", **size)


def figure(**size: Any) -> Any:
    """A figure, and its axes."""
    drawing = canvas(**size)
    axes = drawing.add_subplot()
    plain(axes)
    return drawing, axes


def plain(axes: Any) -> None:
    """No more lines than needed."""
    axes.set_facecolor(PAPER)
    axes.tick_params(colors=INK, length=0)
    for edge in ("top", "right", "left"):
        axes.spines[edge].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)


def save(drawing: Any, path: Path) -> None:
    """Write a figure into a file, and close it."""
    from matplotlib import pyplot

    try:
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            drawing.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else {}, dpi=160)
    finally:
        pyplot.close(drawing)


def ladder(standings: Sequence[Standing], title: str, path: Path) -> None:
    """Ratings and their intervals, the weakest at the bottom."""
    check(path)
    drawing, axes = figure(figsize=(7, 0.9 + 0.45 * len(standings)))
    rungs = list(reversed(standings))
    for y, rung in enumerate(rungs):
        if rung.low is not None:
            axes.plot([rung.low, rung.high], [y, y], color=QUIET, linewidth=3, solid_capstyle="round")
        axes.plot(rung.rating, y, "o", color=ACCENT, markersize=9)
        axes.annotate(
            f"{rung.rating:.0f}", (rung.rating, y), (0, 8), textcoords="offset points", ha="center", color=INK
        )
    axes.set_yticks(range(len(rungs)), [rung.player for rung in rungs])
    axes.set_ylim(-0.6, len(rungs) - 0.2)
    axes.set_xlabel("Elo points above the weakest, 95 % interval", color=INK)
    axes.set_title(title, loc="left", color=INK, fontweight="bold")
    save(drawing, path)
