"""The command line, a module for each command or group of commands. Errors are one sentence and exit code 2.

What a command needs is imported only once it runs: `infila --help` does not wait for the compiler.
"""

import argparse
import os
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import NoReturn

from infila.cli import (
    arena,
    benchmark,
    conformance,
    dataset,
    new_game,
    play,
    puzzles,
    review,
    saved,
    seat,
    simulate,
    site,
    study,
    wasm,
)
from infila.cli.common import fail
from infila.core.errors import BadLog, InfilaError
from infila.core.games import NAMES
from infila.server import command as serve

EXAMPLES = f"""examples:
  infila                                play in the browser
  infila play {NAMES[0]}                     play in the terminal, against the computer
  infila play {NAMES[-1]} --seats Anna,expert,Bruno,expert --players 4
  infila hint game.log                  what the computer would do, and why
  infila arena --game {NAMES[0]} --contestants expert,club --games 200
  infila arena --game {NAMES[0]} --contestants mine:Agent,club   an agent of your own
  infila seat https://example.org/t/TABLE mine:Agent     at a table of a server
  infila benchmark mine:Agent --out results.json
  infila simulate {NAMES[1]} --games 1000000 --threads 2 --report
  infila study {NAMES[-1]} --by club --plot {NAMES[-1]}.svg
  infila dataset {NAMES[-1]} --by casual --games 10000 --out {NAMES[-1]}.npz
  infila replay game.log --at 12
  infila verify game.log
  infila review game.log                what was luck, what was skill
  infila puzzles game.log               where one move was clearly best
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"infila: {message}. Try: {self.prog} --help\n")


def parser() -> Parser:
    main = Parser(
        prog="infila",
        description="Tabletop games by their printed rules: " + ", ".join(NAMES) + ".",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = main.add_subparsers(dest="command", metavar="COMMAND")

    serve.add_parser(commands)
    games = (play, seat, saved, review, puzzles)
    many = (simulate, study, dataset, arena, benchmark)
    for group in (*games, *many, conformance, new_game, wasm, site):
        group.add_parsers(commands)
    return main


def main(arguments: list[str] | None = None) -> None:
    wanted = parser().parse_args(arguments)
    if wanted.command is None:
        wanted = parser().parse_args(["serve"])
    start = time.perf_counter()
    try:
        with _modules_in_use() if getattr(wanted, "at_a_table", False) else nullcontext():
            wanted.run(wanted)
    except BadLog as problem:
        name = getattr(wanted, "file", None)
        usable = f" The {problem.line - 1} lines before it are sound." if problem.usable is not None else ""
        fail(f"{name}, {problem}{usable}" if name else f"{problem}{usable}")
    except InfilaError as problem:
        fail(str(problem))
    except (KeyboardInterrupt, EOFError):
        fail(f"interrupted after {time.perf_counter() - start:.0f} s.", 130)
    except OSError:
        if _output_arrives():
            raise
    else:
        _output_arrives()  # now, while a failure to write can still be reported


def _modules_in_use() -> AbstractContextManager[None]:
    """Who only plays need not wait until the rules are compiled."""
    from infila.wasm.use import modules_in_use

    return modules_in_use()


def _output_arrives() -> bool:
    """Whether the output could be written; if not, say so, unless its reader has simply gone."""
    try:
        print(end="", flush=True)
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the rest of the output
        if not isinstance(problem, BrokenPipeError):
            fail(f"the output cannot be written: {problem.strerror}.")
        return False
    return True
