"""`infila play`, `new` and `rules`: a game in the terminal."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import add_table_options, compiling, option_texts
from infila.core.errors import InfilaError
from infila.core.games import NAMES, contract_of, games

if TYPE_CHECKING:
    from infila.agents import Guest
    from infila.cli.common import Commands
    from infila.core.game import Game


def add_parsers(commands: "Commands") -> None:
    play = commands.add_parser("play", help="play in the terminal")
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(games())}")
    add_table_options(play)
    play.add_argument("--resume", action="store_true", help="continue the saved game, or the last one if none is named")
    play.add_argument("--file", type=Path, help="keep the game here, even when it is over; continue it if it exists")
    play.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SEAT=AGENT",
        help="let an agent have a seat, from 1: 2=module:Agent, 2=model.onnx or 2=exec:COMMAND",
    )
    play.set_defaults(run=run_play, at_a_table=True)

    new = commands.add_parser("new", help="write a new game to a file, to be played with play --file")
    new.add_argument("game", metavar="GAME")
    add_table_options(new)
    new.add_argument("--file", type=Path, help="write here, not to standard output")
    new.set_defaults(run=run_new, at_a_table=True)

    rules = commands.add_parser("rules", help="show the rules of a game")
    rules.add_argument("game", metavar="GAME")
    rules.set_defaults(run=run_rules)


def run_play(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.terminal import files
    from infila.terminal.session import Session

    console = Console()
    file: Path | None = wanted.file
    if wanted.game is None and file is None and wanted.resume:
        wanted.game = files.saved_last()
        if wanted.game is None:
            raise InfilaError(f"there is no saved game. Start one: infila play {NAMES[0]}.")
    elif wanted.game is None and file is None:
        from infila.terminal.menu import choose_game

        choose_game(wanted, console)
    name = wanted.game
    save = file or files.save_of(name)
    if wanted.resume and not save.exists():
        raise InfilaError(f"there is no saved game at {save}. Start one: infila play {name or NAMES[0]}.")
    fresh = bool(wanted.players or wanted.option or wanted.seats or wanted.seed)
    if save.exists() and (wanted.resume or file or not _starts_anew(save)):
        if fresh:
            raise InfilaError(
                f"{save} holds a game already. Leave out --players, --option, --seats and --seed to go on with it, "
                "or give the new one a --file of its own."
            )
        game = load(save)
    else:
        if name is None:
            raise InfilaError(
                f"{save} does not exist. Name a game to start one there: infila play {NAMES[0]} --file {save}."
            )
        game = _begin(wanted)
        if save.exists():
            print(f"To go on with the other game: infila play --file {files.put_aside(name)}")
    Session(game, file, console, _agents(game, wanted.agent)).run()


def _agents(game: "Game", texts: list[str]) -> "dict[int, Guest]":
    """The agents that were named, by seat."""
    if not texts:
        return {}
    from infila.agents import Guest, is_agent, seated

    found: dict[int, Guest] = {}
    for text in texts:
        seat, _, name = text.partition("=")
        if not (seat.isascii() and seat.isdigit() and len(seat) < 4 and 1 <= int(seat) <= len(game.names)):
            raise InfilaError(
                f"--agent {text}: it looks like 2=module:Agent, and the seats are 1 to {len(game.names)}."
            )
        if not is_agent(name):
            raise InfilaError(f"--agent {text}: {name!r} is no agent. The computer goes to --seats.")
        sitting = seated(game.game, name)
        assert isinstance(sitting, Guest)
        found[int(seat) - 1] = sitting
    return found


def _starts_anew(save: Path) -> bool:
    """Ask whether to put a saved game aside; if nobody can be asked, it stays."""
    if not sys.stdin.isatty():
        return False
    answer = input(f"There is a game in progress ({save}). Put it aside and start a new one? [y/N] ")
    return answer.strip().lower().startswith("y")


def _begin(wanted: argparse.Namespace) -> "Game":
    """A new game from what was typed."""
    from infila.core.game import new
    from infila.terminal.session import order

    seats = [] if wanted.seats is None else wanted.seats.split(",")
    ordered = order(wanted.game, option_texts(wanted.option, wanted.players), seats)
    with compiling(wanted.game, "play"):
        return new(wanted.game, seed=wanted.seed, **ordered)


def run_new(wanted: argparse.Namespace) -> None:
    from infila.terminal.files import write_whole

    if wanted.file is not None and wanted.file.exists():
        raise InfilaError(f"{wanted.file} exists already. Choose another name, or delete it.")
    game = _begin(wanted)
    if wanted.file is None:
        print(game.save(), end="")
        return
    write_whole(wanted.file, game.save())
    print(f"{wanted.file}: {contract_of(wanted.game).title}, commitment {game.commitment}")


def run_rules(wanted: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    text = contract_of(wanted.game).text()
    if sys.stdout.isatty():
        Console().print(Markdown(text))
    else:
        print(text, end="")
