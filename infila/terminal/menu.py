"""The way in for someone who typed just `infila`: which game, how many, against whom."""

import argparse
import sys

from rich.console import Console

from infila.core.errors import InfilaError
from infila.core.games import contract_of, usable_games
from infila.players import LEVELS, USUAL
from infila.terminal.files import save_of


def choose_game(wanted: argparse.Namespace, console: Console) -> None:
    """Fill in what the command line left open."""
    if not sys.stdin.isatty():
        raise InfilaError(f"which game? infila play GAME, with one of {', '.join(usable_games())}.")
    names = usable_games()
    console.print(f"[bold]infila[/bold]   {len(names)} games in a row\n")
    for number, name in enumerate(names, 1):
        saved = "   [dim]a game is waiting[/dim]" if save_of(name).exists() else ""
        contract = contract_of(name)
        console.print(f"  {number}  {contract.title:<12} {contract.words()['about']['line']}{saved}")
    while wanted.game is None:
        answer = input(f"\nWhich game? [1-{len(names)}] ").strip().lower().replace(" ", "_")
        if answer in names:
            wanted.game = answer
        elif answer in map(str, range(1, len(names) + 1)):
            wanted.game = names[int(answer) - 1]
    if save_of(wanted.game).exists() or wanted.players or wanted.seats:
        return
    spec = contract_of(wanted.game).options.specs()["players"]
    while wanted.players is None:
        answer = input(f"How many players? {spec.wanted()} [2] ").strip() or "2"
        if spec.accepts(spec.from_text(answer)):
            wanted.players = answer
    count = int(wanted.players)
    console.print(f"Type a name, or a level for the computer: {', '.join(LEVELS)}.")
    sitters = [
        input(f"Who sits in seat {seat}? [{'you' if seat == 1 else USUAL}] ").strip() for seat in range(1, count + 1)
    ]
    wanted.seats = ",".join(name or ("you" if seat == 0 else USUAL) for seat, name in enumerate(sitters))
