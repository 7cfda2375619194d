"""Stepping through a finished or saved game with the keyboard."""

from prompt_toolkit import PromptSession
from rich.console import Console

from infila.core.game import Game
from infila.terminal.session import explain, result


def step_through(game: Game, seat: int | None, console: Console) -> None:
    """Enter goes forward, b back, a number jumps, q leaves."""
    moves = game.history
    at = 0
    typing: PromptSession[str] = PromptSession()
    while True:
        now = game.before(len(moves) - at)
        console.clear()
        console.print(now.view(seat).screen())
        last = f": {moves[at - 1]}" if at else ""
        console.print(f"\nmove {at} of {len(moves)}{last}")
        if at == len(moves) and game.over:
            explain(now.view(seat), console)
            console.print(result(game), style="bold")
        answer = typing.prompt("Enter next, b back, a number, q quit > ").strip().lower()
        if answer in ("q", "quit"):
            return
        if answer.isascii() and answer.isdigit():
            at = int(answer)
        else:
            at += -1 if answer == "b" else 1
        at = max(0, min(at, len(moves)))
