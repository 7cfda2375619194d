"""A contest on the terminal: results as they come, and as a table or JSON at the end."""

import sys
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
    for heading in ("duel", "share", "95 %", "deals", ""):
        duels.add_column(heading, justify="left" if heading in ("duel", "") else "right")
    for a, b in combinations(range(len(results.contestants)), 2):
        share = results.share(a, b)
        duels.add_row(
            f"{results.contestants[a]} – {results.contestants[b]}",
            f"{100 * share.mean:.1f} %",
            f"{100 * share.low:.1f} … {100 * share.high:.1f}",
            str(share.deals),
            "decided" if share.decided else "open",
        )
    return standings, duels


def facts(results: Results, interrupted: bool) -> dict[str, Any]:
    """Everything, for JSON."""
    pairs = list(combinations(range(len(results.contestants)), 2))
    return {
        "deals": len(results.won),
        "games": len(results.lines),
        "interrupted": interrupted,
        "standings": [asdict(rung) for rung in results.standings()],
        "duels": [
            {"contestants": [results.contestants[a], results.contestants[b]], **asdict(results.share(a, b))}
            for a, b in pairs
        ],
    }
