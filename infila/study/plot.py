"""A study as a picture."""

from pathlib import Path
from typing import Any

from infila.arena.plot import ACCENT, INK, PAPER, QUIET, canvas, check, plain, save
from infila.study.figures import Figures, Happened
from infila.study.histogram import Histogram
from infila.study.show import few, percent, title_of

BARS = 60  # of a histogram, at most
TAIL = 0.5  # percent of the values at either end that are left out
WIDTH, HEIGHT, LINE = 9.0, 5.4, 0.23  # inches: the picture without events, and what each event adds


def draw(figures: Figures, path: Path) -> None:
    """Length, choices, scores, wins by place, and how often each event happens."""
    check(path)
    from matplotlib import rc_context

    events = figures.events()
    heights = [HEIGHT, LINE * len(events) + 0.4] if events else [HEIGHT]
    drawing = canvas(figsize=(WIDTH, sum(heights)))
    above, *below = drawing.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    above.suptitle(title_of(figures), x=0.01, ha="left", color=INK, fontweight="bold", fontsize=12)
    panels = above.subplots(2, 2).flat
    for axes in panels:
        plain(axes)
    _histogram(panels[0], figures.moves, "moves of a game")
    _course(panels[1], figures)
    if len(figures.scores.counts) > 2:
        _histogram(panels[2], figures.scores, "scores")
    else:
        _histogram(panels[2], figures.choices, "choices at a decision")
    _wins(panels[3], figures)
    for part in below:
        _events(part.subplots(), events, figures.games)
    drawing.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    with rc_context({"svg.fonttype": "none"}):  # as curves, the words would make a large file
        save(drawing, path)


def _headed(axes: Any, heading: str) -> None:
    axes.set_title(heading, loc="left", color=INK, fontsize=10)


def _histogram(axes: Any, values: Histogram, heading: str) -> None:
    low, high = values.quantile(TAIL), values.quantile(100 - TAIL)
    width = -(-(high - low + 1) // BARS)
    heights = [0] * ((high - low) // width + 1)
    for number, count in values.counts.items():
        if low <= number <= high:
            heights[(number - low) // width] += count
    parts = [100 * height / max(values.size, 1) for height in heights]
    edges = [low + width * k - 0.5 for k in range(len(heights) + 1)]
    axes.stairs(parts, edges, fill=True, color=ACCENT, alpha=0.85)
    axes.axvline(values.mean, color=INK, linewidth=1)
    axes.annotate(
        f" mean {values.mean:,.1f}",
        (values.mean, 1),
        (2, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        va="top",
        color=INK,
        fontsize=9,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1, "alpha": 0.8},
    )
    axes.margins(x=0.01)
    axes.set_ylim(0, 1.22 * max(parts))
    axes.yaxis.set_major_formatter(lambda part, place: f"{part:g} %")
    axes.yaxis.get_major_locator().set_params(nbins=4)
    _headed(axes, heading)


def _course(axes: Any, figures: Figures) -> None:
    course = figures.course
    places = [100 * (k + 0.5) / len(course) for k, mean in enumerate(course) if mean is not None]
    means = [mean for mean in course if mean is not None]
    axes.fill_between(places, means, color=ACCENT, alpha=0.15, linewidth=0)
    axes.plot(places, means, color=ACCENT, linewidth=2)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 1.15 * max(means))
    axes.set_xticks([25, 50, 75, 100], ["25 %", "50 %", "75 %", "100 %"])
    axes.yaxis.get_major_locator().set_params(nbins=4)
    _headed(axes, "legal moves in the course of the game")


def _wins(axes: Any, figures: Figures) -> None:
    wins = figures.wins()
    even = 100 / figures.sides
    axes.axhline(even, color=QUIET, linewidth=1, linestyle=(0, (4, 3)))
    for place, share in enumerate(wins, 1):
        axes.plot([place, place], [100 * share.low, 100 * share.high], color=QUIET, linewidth=3)
        axes.plot(place, 100 * share.mean, "o", color=ACCENT, markersize=9)
        axes.annotate(
            f"{100 * share.mean:.1f} %",
            (place, 100 * share.mean),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=INK,
        )
    reach = max(2.0, *(1.3 * abs(100 * bound - even) for share in wins for bound in (share.low, share.high)))
    axes.set_ylim(max(even - reach, 0), even + reach)
    axes.set_xlim(0.5, figures.sides + 0.7)
    axes.set_xticks(range(1, figures.sides + 1))
    axes.yaxis.set_major_formatter(lambda part, place: f"{part:g} %")
    axes.yaxis.get_major_locator().set_params(nbins=5)
    _headed(axes, "wins by place in the order of play")


def _events(axes: Any, events: list[Happened], games: int) -> None:
    plain(axes)
    upwards = list(reversed(events))
    parts = [happened.games / max(games, 1) for happened in upwards]
    axes.barh(range(len(events)), 100, color=QUIET, alpha=0.12, height=0.62)
    axes.barh(range(len(events)), [100 * part for part in parts], color=ACCENT, alpha=0.85, height=0.62)
    for y, (happened, part) in enumerate(zip(upwards, parts, strict=True)):
        axes.annotate(percent(part), (121, y), va="center", ha="right", color=INK, fontsize=9)
        axes.annotate(few(happened.times / max(games, 1)), (141, y), va="center", ha="right", color=INK, fontsize=9)
    axes.annotate("a game", (141, len(events) - 0.1), va="center", ha="right", color=QUIET, fontsize=9)
    axes.annotate("in games", (121, len(events) - 0.1), va="center", ha="right", color=QUIET, fontsize=9)
    names = [f"{happened.event.text}  {happened.event.rule}" for happened in upwards]
    axes.set_yticks(range(len(events)), names, fontsize=9)
    axes.set_ylim(-0.6, len(events) + 0.3)
    axes.set_xlim(0, 142)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    _headed(axes, "what happens, and how often")
