"""A game at the terminal: people type their moves, the computer plays the other seats.

The game is saved after every move, so Ctrl-C loses nothing.
"""

import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text

from infila.agents import Guest, Sitter, is_agent
from infila.core.contract import HOST
from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import Game, View
from infila.core.games import contract_of
from infila.players import LEVELS, USUAL
from infila.players.hints import Hint, considered, forced, hints, meaning
from infila.players.player import PLAIN, RANDOM, Player, player
from infila.terminal.files import new_name, save_of, write_whole

COMPUTER = "computer"
COMPUTERS = re.compile(rf"({COMPUTER}|{RANDOM}|{PLAIN}:\d+|({'|'.join(LEVELS)})(:\d+)?)( \d+)?")

HELP = """
Type a move, or the beginning of one and Tab. You can also type:

- `?` this help and what moves look like
- `moves` all your legal moves
- `hint` what the computer would play, and why
- `score` why the score is what it is
- `rules` the rules of the game
- `undo` take back your last move, and what followed
- `log` the moves so far
- `quit` (or Ctrl-C, Ctrl-D) stop; the game is saved
"""

COMMANDS = ("?", "help", "moves", "hint", "score", "rules", "undo", "log", "quit")


class Leave(Exception):
    """The player wants to stop for today."""


def level_of(name: str) -> str | None:
    """The computer player in this seat, as `infila.player` names it; None if a person has it."""
    found = COMPUTERS.fullmatch(name)
    return None if found is None else USUAL if found[1] == COMPUTER else found[1]


class Session:
    """A game, kept in a file that a person named, or else in the data folder, where it gets a new name at its end."""

    def __init__(
        self, game: Game, file: Path | None, console: Console, agents: Mapping[int, Guest] | None = None
    ) -> None:
        """`agents` are those of seats that neither a person nor a level has; a game that is saved does not name them,
        since what is in a file must never run a program."""
        self.game = game
        self.file = file
        self.save = file or save_of(game.game)
        self.console = console
        levels = [level_of(name) for name in game.names]
        self.computers: dict[int, Sitter] = {
            seat: player(game.game, level) for seat, level in enumerate(levels) if level
        }
        self.computers |= agents or {}
        self.adviser: Player = player(game.game, "master")
        self.typing: PromptSession[str] | None = PromptSession() if sys.stdin.isatty() and sys.stdout.isatty() else None
        self.people = [seat for seat in range(len(levels)) if seat not in self.computers]
        self.looking = self.people[0] if len(self.people) == 1 else None  # who sits at the screen

    def run(self) -> None:
        """Play to the end, or until the player leaves."""
        if self.game.commitment:
            self.console.print(f"[dim]commitment to the shuffle: {self.game.commitment}[/dim]")
        self.keep()
        try:
            while not self.game.over:
                self.step()
        except (KeyboardInterrupt, EOFError, Leave):
            again = f"--file {self.file}" if self.file else f"{self.game.game} --resume"
            self.console.print(f"\nSaved. To go on: infila play {again}", soft_wrap=True, markup=False, highlight=False)
            return
        self.end()

    def keep(self) -> None:
        write_whole(self.save, self.game.save())

    def step(self) -> None:
        """The next move of whoever is to act."""
        acting = self.acting()
        seat = acting[0]
        if seat in self.people:
            self.ask(seat)
        else:
            self.let_computer(seat)
        for person in self.people:  # whoever may act out of turn gets the chance before others go on
            if not self.game.over and person != self.game.player and person not in self.acting()[:1]:
                self.offer(person)

    def acting(self) -> list[int]:
        """The seats that may act, the one to ask first in front."""
        seats = [seat for seat in range(len(self.game.names)) if self.game.view(seat).moves]
        computers = [seat for seat in seats if seat not in self.people and seat != self.game.player]
        on_turn = [seat for seat in seats if seat == self.game.player]
        return computers + on_turn + [seat for seat in seats if seat not in computers + on_turn]

    def let_computer(self, seat: int) -> None:
        view = self.game.view(seat)
        sitting = self.computers[seat]
        action = sitting.decide(view) if isinstance(sitting, Guest) else sitting.choose(view.states, seat)
        move = view.text(action)
        self.game.play_action(action)
        self.keep()
        self.console.print(Text.assemble((self.game.names[seat], "bold"), f": {move.split(': ')[-1]}"))

    def look(self, seat: int) -> View:
        """The view of a seat on the screen; between two people a curtain falls."""
        if self.looking != seat:
            self.looking = seat
            self.console.clear()
            self.console.print(f"[bold]{self.game.names[seat]}[/bold], it is your turn. Is nobody else looking?")
            self.read("Enter shows your side: ", [])
        view = self.game.view(seat)
        self.console.print()
        self.console.print(view.screen())
        return view

    def read(self, prompt: str, words: list[str]) -> str:
        if self.typing is None:
            return input(prompt)
        completer = WordCompleter([*words, *COMMANDS], sentence=True)
        return self.typing.prompt(prompt, completer=completer, complete_while_typing=True)

    def ask(self, seat: int) -> None:
        """Read until there is a legal move or a command that changes the game."""
        view = self.look(seat)
        while True:
            text = self.read(f"{self.game.names[seat]} > ", [move.split(": ")[-1] for move in view.moves]).strip()
            if not text:
                continue
            if text in COMMANDS:
                if self.command(text, seat):
                    return
                continue
            if self.try_move(seat, text):
                return

    def try_move(self, seat: int, text: str) -> bool:
        try:
            self.game.play(text if self.calls_host(seat, text) else f"{seat + 1}: {text}")
        except IllegalMove as problem:
            self.console.print(Text(str(problem), style="red"))
            return False
        self.keep()
        return True

    def calls_host(self, seat: int, text: str) -> bool:
        """Whether this is an action that belongs to no seat. Any seat may call for one, unless the game objects; at a
        terminal the players decide for themselves."""
        if (text, HOST) not in self.game.moves_by_seat():
            return False
        view, contract = self.game.view(seat), self.game.contract
        problem = contract.host.objection(view.states[0], self.game.action_of(text), seat)
        if problem is not None:
            raise problem
        return True

    def offer(self, seat: int) -> None:
        """Offer a move out of turn, which may be passed up."""
        view = self.game.view(seat)
        if not view.moves:
            return
        names = ", ".join(move.split(": ")[-1] for move in view.moves)
        text = self.read(f"{self.game.names[seat]}, you may now: {names} (Enter: not yet) > ", view.moves).strip()
        if text:
            self.try_move(seat, text)

    def command(self, text: str, seat: int) -> bool:
        """Do a command; True if the position has changed."""
        view = self.game.view(seat)
        contract = contract_of(self.game.game)
        if text in ("?", "help"):
            self.console.print(Markdown(HELP))
            self.console.print(f"Moves look like {contract.examples}.")
        elif text == "moves":
            self.console.print("  ".join(move.split(": ")[-1] for move in view.moves))
        elif text == "hint":
            found = hints(view, considered(self.adviser, view))
            show_hints(found, meaning(contract, found), self.console)
        elif text == "score":
            explain(view, self.console)
        elif text == "rules":
            self.console.print(Markdown(contract.text()))
        elif text == "log":
            self.console.print("  ".join(view.log.split("\n\n", 1)[1].split("\n")).strip() or "no moves yet")
        elif text == "undo":
            return self.undo(seat)
        elif text == "quit":
            raise Leave
        return False

    def undo(self, seat: int) -> bool:
        """Back to where this seat last chose."""
        earlier = self.game.copy()
        while earlier.history:
            earlier.undo()
            if earlier.player == seat and earlier.view(seat).moves:
                self.game.undo(len(self.game.history) - len(earlier.history))
                self.keep()
                return True
        self.console.print("There is no move of yours to take back.")
        return False

    def end(self) -> None:
        self.console.print()
        self.console.print(self.game.view(self.looking).screen())
        explain(self.game.view(None), self.console)
        self.console.print(Text(result(self.game), style="bold"))
        path = self.file or new_name(self.game.game, "log")
        write_whole(path, self.game.log)
        if self.file is None:
            self.save.unlink(missing_ok=True)
        self.console.print(f"The log, with its seed: {path}. Check the shuffle with: infila verify {path}")


def show_hints(found: list[Hint], heading: str, console: Console) -> None:
    """The best moves, what they promise and why."""
    console.print(Text(heading, style="dim"))
    grid = Grid(show_header=False, box=None, padding=(0, 2, 0, 0))
    for hint in found:
        promise = "" if forced(found) else hint.promise()
        grid.add_row(Text(hint.move, style="bold"), Text(promise), Text("; ".join(hint.reasons)))
    console.print(grid)


def result(game: Game) -> str:
    """Who has won, in a sentence."""
    winners = [game.names[seat] for seat in game.winners]
    if not winners:
        return "A draw."
    points = ", ".join(f"{name} {score}" for name, score in zip(game.names, game.scores, strict=True))
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}: {points}."


def explain(view: View, console: Console) -> None:
    """Every point, stage by stage and seat by seat."""
    for stage in view.explain():
        grid = Grid(title=stage.title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
        for name, items in zip(view.names, stage.seats, strict=True):
            counted = ", ".join(f"{item.text} ({item.points:+d})" for item in items) or "nothing"
            grid.add_row(Text(name), Text(f"{sum(item.points for item in items):+d}", style="bold"), Text(counted))
        console.print(grid)


def order(game: str, options: dict[str, str], names: list[str]) -> dict[str, Any]:
    """What `infila.new` needs, from what was typed; without names the first seat is yours and the computer has the
    others."""
    values = contract_of(game).options.from_texts(options).to_dict()
    count = int(values["players"])
    names = [sitter(game, name) for name in names] or ["you", *([USUAL] * (count - 1))]
    if len(names) != count:
        raise InfilaError(f"there are {len(names)} names for {count} players. Give each seat a name or a level.")
    numbered = [
        f"{name} {names[:i].count(name) + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)
    ]
    return {"seats": numbered, **values}


def sitter(game: str, typed: str) -> str:
    """A person's name, or the computer player that is meant; anything else is refused."""
    name = typed.strip()
    if not name:
        raise InfilaError("a seat has no name. Give each seat a name or a level.")
    if is_agent(name):
        raise InfilaError(f"{name} is an agent: give the seat a name, and the agent to it: --agent 2={name}.")
    word = name.lower()
    if word == COMPUTER:
        return USUAL
    if word in (*LEVELS, RANDOM) or ":" in word:
        return player(game, word).name
    if name == word and (near := get_close_matches(word, LEVELS, 1, 0.85)):
        raise InfilaError(
            f"there is no level {name!r}. Did you mean {near[0]}? A person's name begins with a capital letter."
        )
    return name
