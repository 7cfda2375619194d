"""What several commands share: options of a game, the first start, and how a command ends when it cannot go on."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from infila.core.errors import BadOptions, InfilaError
from infila.core.games import contract_of, mark_of
from infila.players import LEVELS

if TYPE_CHECKING:
    from infila.core.game import Game

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", metavar="P", help="the number of players")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")


def add_cluster(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--on",
        metavar="ray",
        help="do it on a cluster by Ray, with the same results: ray starts one here, ray://HOST:PORT is one that runs",
    )


def add_table_options(command: argparse.ArgumentParser) -> None:
    add_options(command)
    command.add_argument(
        "--seats",
        metavar="A,B,…",
        help=f"a name for each seat, or the computer: {', '.join(LEVELS)}, random or search:N",
    )
    command.add_argument("--seed", help="a seed of your own, for a game that can be dealt again")


def option_texts(options: list[str], players: str | None) -> dict[str, str]:
    """What was typed, by the name of the option."""
    texts: dict[str, str] = {"players": players} if players is not None else {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"{text!r} is not an option; options look like keeping=forced.")
        if name in texts:
            if name == "players" and players is not None:
                raise BadOptions(f"--players {players} and --option {text} both say how many play. Give one of them.")
            raise BadOptions(f"{name} is given twice. Give it once.")
        texts[name] = value
    return texts


@contextmanager
def compiling(game: str, job: str) -> Iterator[None]:
    """Say why the first start takes a while, if it does."""
    from infila.wasm.use import needs_no_compiler

    contract = contract_of(game)
    mark = mark_of(game, job)
    first = not needs_no_compiler(game) and not mark.exists()
    if first:
        print(
            f"Compiling the rules of {contract.title} for this machine; this happens once …",
            file=sys.stderr,
            flush=True,
        )
    yield
    if first:
        mark.touch()


def check_place(game: "Game", at: int | None, seat: int | None) -> None:
    """Refuse a move number or a seat, from 1, that a game does not have."""
    moves = len(game.history)
    if at is not None and not 0 <= at <= moves:
        raise InfilaError(f"--at cannot be {at}: the game has {moves} moves.")
    if seat is not None and not 1 <= seat <= len(game.names):
        raise InfilaError(f"--seat cannot be {seat}: the seats are 1 to {len(game.names)}.")


def fail(sentence: str, code: int = 2) -> NoReturn:
    print(f"infila: {sentence}", file=sys.stderr)
    raise SystemExit(code)


def stopped_early(done: int, wanted: int, what: str, again: str = "") -> NoReturn:
    """End after Ctrl-C, once the results so far have been shown."""
    fail(f"stopped early: {done:,} of {wanted:,} {what} were played.{again}", 130)
