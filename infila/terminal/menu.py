"""The way in for someone who typed just `infila`: which game, how many, against whom."""

import argparse
import sys

from rich.console import Console

from infila.core.errors import InfilaError
from infila.core.games import NAMES, contract_of
from infila.players import LEVELS, USUAL
from infila.terminal.files import save_of

ABOUT = {
    "zatre": "lay tiles into lines of 10, 11 and 12",
    "take_that": "add to the row, twist cards out of it, don't take it",
    "completto": "the first row of 22 ascending numbers",
    "sequence": "five chips in a line",
}


def choose_game(wanted: argparse.Namespace, console: Console) -> None:
    """Fill in what the command line left open."""
    if not sys.stdin.isatty():
        raise InfilaError(f"which game? infila play GAME, with one of {', '.join(NAMES)}.")
    console.print("[bold]infila[/bold]   four games in a row\n")
    for number, name in enumerate(NAMES, 1):
        saved = "   [dim]a game is waiting[/dim]" if save_of(name).exists() else ""
        console.print(f"  {number}  {contract_of(name).title:<10} {ABOUT[name]}{saved}")
    while wanted.game is None:
        answer = input("\nWhich game? [1-4] ").strip().lower().replace(" ", "_")
        if answer in NAMES:
            wanted.game = answer
        elif answer in ("1", "2", "3", "4"):
            wanted.game = NAMES[int(answer) - 1]
    if save_of(wanted.game).exists() or wanted.players or wanted.seats:
        return
    spec = contract_of(wanted.game).options.specs()["players"]
    while wanted.players is None:
        answer = input(f"How many players? {spec.wanted()} [2] ").strip() or "2"
        if spec.accepts(spec.from_text(answer)):
            wanted.players = answer
    count = int(wanted.players)
    console.print(f"Type a name, or a level for the computer: {', '.join(LEVELS)}.")
    names = [
        input(f"Who sits in seat {seat}? [{'you' if seat == 1 else USUAL}] ").strip() for seat in range(1, count + 1)
    ]
    wanted.seats = ",".join(name or ("you" if seat == 0 else USUAL) for seat, name in enumerate(names))
