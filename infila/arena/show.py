"""A contest on the terminal: results as they come, and as a table or JSON at the end."""

import sys
from collections import Counter
from collections.abc import Generator
from dataclasses import asdict
from itertools import combinations
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from infila.arena.results import Results
from infila.core.errors import InfilaError

MOST_FORFEITS = 5  # kinds that are shown


def follow(contest: Generator[Results], deals: int, title: str) -> tuple[Results | None, BaseException | None]:
    """Watch a contest to its end; return its results, and what ended it early: Ctrl-C, or a file that is full."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns)
    task = bar.add_task(f"{title}, deals", total=deals)
    results = None
    with Live(bar, console=console, transient=True, auto_refresh=sys.stderr.isatty(), refresh_per_second=4) as live:
        try:
            for results in contest:
                bar.update(task, completed=len(results.won))
                if sys.stderr.isatty():
                    live.update(Group(*tables(results), bar))
        except (KeyboardInterrupt, InfilaError) as problem:
            contest.close()
            return results, problem
    return results, None


def tables(results: Results) -> tuple[Table, Table]:
    """The standings, and who beats whom."""
    standings = Table(box=None, title="", header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("player", "rating", "95 %", "games", "wins", "mean score", "ms/move"):
        standings.add_column(heading, justify="left" if heading == "player" else "right")
    for rung in results.standings():
        standings.add_row(
            rung.player,
            f"{rung.rating:.0f}",
            "" if rung.low is None else f"{rung.low:.0f} … {rung.high:.0f}",
            str(rung.games),
            f"{100 * rung.wins / max(rung.games, 1):.1f} %",
            f"{rung.mean_score:.1f}",
            f"{1000 * rung.seconds_per_move:.1f}",
        )
    duels = Table(box=None, title="", header_style="bold", padding=(0, 2, 0, 0))
    plain = ("plain", "95 %") if results.adjusted else ()
    for heading in ("duel", "adjusted" if results.adjusted else "share", "95 %", *plain, "deals", ""):
        duels.add_column(heading, justify="left" if heading in ("duel", "") else "right")
    for a, b in combinations(range(len(results.contestants)), 2):
        share = results.share(a, b)
        shown = (share, results.share(a, b, plain=True)) if results.adjusted else (share,)
        figures = [(f"{100 * each.mean:.1f} %", f"{100 * each.low:.1f} … {100 * each.high:.1f}") for each in shown]
        duels.add_row(
            f"{results.contestants[a]} – {results.contestants[b]}",
            *(text for pair in figures for text in pair),
            str(share.deals),
            "decided" if share.decided else "open",
        )
    return standings, duels


def forfeits(results: Results, console: Console) -> None:
    """How many games were forfeited, and why."""
    for sentence, count in Counter(line.forfeit for line in results.lines if line.forfeit).most_common(MOST_FORFEITS):
        console.print(
            f"{count} {'game' if count == 1 else 'games'} forfeited: {sentence}", markup=False, soft_wrap=True
        )


def facts(results: Results, interrupted: bool) -> dict[str, Any]:
    """Everything, for JSON, that is the same whenever and wherever the same games are played."""
    pairs = list(combinations(range(len(results.contestants)), 2))
    return {
        "deals": len(results.won),
        "games": len(results.lines),
        "interrupted": interrupted,
        "forfeits": dict(Counter(line.forfeit for line in results.lines if line.forfeit)),
        "standings": [_without_times(asdict(rung)) for rung in results.standings()],
        "duels": [
            {"contestants": [results.contestants[a], results.contestants[b]], **_duel(results, a, b)} for a, b in pairs
        ],
    }


def _without_times(rung: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in rung.items() if name != "seconds_per_move"}


def _duel(results: Results, a: int, b: int) -> dict[str, Any]:
    """The share as it was played and, if luck was measured, without it."""
    plain = asdict(results.share(a, b, plain=True))
    return plain | ({"adjusted": asdict(results.share(a, b))} if results.adjusted else {})
