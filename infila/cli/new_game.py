"""`infila new-game`: a package to begin a game with."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    command = commands.add_parser("new-game", help="make a package to begin a game of your own with")
    command.add_argument("name", metavar="NAME", help="what programs call it, such as my_game")
    command.add_argument("--folder", type=Path, metavar="F", help="a new folder for it; by default, its name")
    command.set_defaults(run=run_new_game)


def run_new_game(wanted: argparse.Namespace) -> None:
    from infila.conformance.new_game import new_game

    place = new_game(wanted.name, wanted.folder)
    print(f"{place} has a small game that does what every game must. Make it yours:")
    print(f"  pip install --no-deps -e {place}")
    print(f"  infila conformance {wanted.name}")
    print(f"  python -m pytest {place}")
