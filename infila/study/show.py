"""A study on the terminal: figures as they come, and as tables or JSON at the end."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from infila.study.figures import Figures, WinShare
from infila.study.histogram import QUANTILES, Histogram
from infila.study.run import StudyPlan

SECONDS = 0.5  # between two updates


@contextmanager
def followed(plan: StudyPlan) -> Iterator[Callable[[Figures], None]]:
    """What to call while a study runs, to show its progress."""
    seen = sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns)
    task = bar.add_task(f"{plan.contract.title}, games", total=plan.games)
    shown = 0.0
    with Live(bar, console=Console(stderr=True), transient=True, auto_refresh=seen, refresh_per_second=4) as live:

        def progress(figures: Figures) -> None:
            nonlocal shown
            if seen and figures.seconds - shown > SECONDS:
                shown = figures.seconds
                bar.update(task, completed=figures.games)
                live.update(Group(*tables(figures), bar))

        yield progress


def title_of(figures: Figures) -> str:
    """What was played, by whom, and how often."""
    who = f"{figures.contract.title}, {figures.players} players, by {' and '.join(figures.by)}"
    return f"{who}: {figures.games:,} games"


def tables(figures: Figures) -> list[Padding]:
    found = [_lengths(figures), _totals(figures), _places(figures)]
    found += [_players(figures)] if len(figures.by) > 1 else []
    found += [_events(figures)] if figures.contract.study.EVENTS else []
    return [Padding(table, (1, 0, 0, 0)) for table in found]


def _table(*headings: str, left: int = 1) -> Table:
    table = Table(box=None, show_header=any(headings), header_style="bold", padding=(0, 2, 0, 0))
    for k, heading in enumerate(headings):
        table.add_column(heading, justify="left" if k < left else "right")
    return table


def measured(figures: Figures) -> list[tuple[str, Histogram]]:
    """What has a distribution, by name."""
    return [
        ("moves", figures.moves),
        ("turns", figures.turns),
        ("decisions", figures.decisions),
        ("choices at a decision", figures.choices),
        ("score", figures.scores),
    ]


def _lengths(figures: Figures) -> Table:
    table = _table("", "mean", "deviation", "least", *(f"{percent} %" for percent in QUANTILES), "most")
    for name, values in measured(figures):
        quantiles = [f"{values.quantile(percent):,}" for percent in QUANTILES]
        numbers = (f"{values.mean:,.2f}", f"{values.deviation:,.2f}", f"{values.least:,}")
        table.add_row(name, *numbers, *quantiles, f"{values.most:,}")
    return table


def _totals(figures: Figures) -> Table:
    table = _table("", "")
    table.add_row("moves without a choice", f"{100 * figures.forced:.1f} %")
    table.add_row("tree of a game, chance left out", f"10^{figures.tree:.1f}")
    table.add_row("games whose win is shared", f"{100 * figures.ties:.2f} %")
    table.add_row("games that nobody wins", f"{100 * figures.draws / max(figures.games, 1):.2f} %")
    return table


def interval(share: WinShare) -> str:
    return f"{100 * share.low:.2f} … {100 * share.high:.2f}"


def _places(figures: Figures) -> Table:
    table = _table("place", "wins", "95 %", "mean score", "decisions")
    for place, share in enumerate(figures.wins()):
        score = figures.place_scores[place] / max(figures.games, 1)
        decisions = figures.place_decisions[place] / max(figures.games, 1)
        table.add_row(
            str(place + 1), f"{100 * share.mean:.2f} %", interval(share), f"{score:,.2f}", f"{decisions:,.1f}"
        )
    return table


def _players(figures: Figures) -> Table:
    table = _table("player", "wins", "95 %", "mean score")
    scores = zip(figures.by, figures.player_wins(), figures.player_scores, figures.player_sides, strict=True)
    for name, share, score, sides in scores:
        table.add_row(name, f"{100 * share.mean:.2f} %", interval(share), f"{score / max(int(sides), 1):,.2f}")
    return table


def _events(figures: Figures) -> Table:
    table = _table("rule", "what happens", "a game", "in games", "most", left=2)
    for happened in figures.events():
        often, where = happened.times / max(figures.games, 1), happened.games / max(figures.games, 1)
        table.add_row(happened.event.rule, happened.event.text, few(often), percent(where), f"{happened.most:,}")
    return table


def few(number: float) -> str:
    """Two decimals near 1, more for what is rare."""
    return "0" if number == 0 else f"{number:,.2f}" if number >= 0.095 else f"{number:.2g}"


def percent(part: float) -> str:
    return "0" if part == 0 else f"{100 * part:.1f} %" if part >= 0.00095 else f"{100 * part:.2g} %"


def facts(figures: Figures) -> dict[str, Any]:
    """Everything, for JSON."""
    return {
        "game": figures.contract.name,
        "options": figures.options.to_json(),
        "by": list(figures.by),
        "seed": figures.seed,
        "games": figures.games,
        "interrupted": figures.games < figures.wanted,
        "seconds": round(figures.seconds, 3),
        **{name.replace(" ", "_"): values.facts() for name, values in measured(figures)},
        "forced": round(figures.forced, 6),
        "tree": round(figures.tree, 4),
        "course": [None if mean is None else round(mean, 4) for mean in figures.course],
        "ties": round(figures.ties, 6),
        "draws": round(figures.draws / max(figures.games, 1), 6),
        "places": [asdict(share) for share in figures.wins()],
        "place_scores": (figures.place_scores / max(figures.games, 1)).round(4).tolist(),
        "place_decisions": (figures.place_decisions / max(figures.games, 1)).round(4).tolist(),
        "players": [
            {"player": name, **asdict(share)} for name, share in zip(figures.by, figures.player_wins(), strict=True)
        ],
        "events": [
            {**asdict(each.event), "times": each.times, "games": each.games, "most": each.most}
            for each in figures.events()
        ],
        "lengths": sorted(figures.moves.counts.items()),
        "widths": [[n, count] for n, count in enumerate(figures.widths.tolist()) if count],
        "score_counts": sorted(figures.scores.counts.items()),
    }
