"""`infila replay`, `verify` and `hint`: what can be done with the file of a game."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from infila.cli.common import check_place, compiling
from infila.core.errors import InfilaError
from infila.core.words import LANGUAGES
from infila.players import LEVELS

if TYPE_CHECKING:
    from infila.cli.common import Commands
    from infila.core.game import Game
    from infila.core.log import Log


def add_parsers(commands: "Commands") -> None:
    replay = commands.add_parser("replay", help="look back at a game")
    replay.add_argument("file", type=Path, metavar="FILE", help="a game's log or save")
    replay.add_argument("--at", type=int, metavar="N", help="only the position after N moves")
    replay.add_argument("--seat", type=int, metavar="K", help="as seat K saw it (default: a spectator)")
    replay.add_argument("--json", action="store_true", help="print the position as one JSON object")
    replay.set_defaults(run=run_replay, at_a_table=True)

    verify = commands.add_parser("verify", help="check that a log keeps the rules, and its shuffle its promise")
    verify.add_argument("file", type=Path, metavar="FILE", help="a game's log or save")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    verify.set_defaults(run=run_verify, at_a_table=True)

    hint = commands.add_parser("hint", help="show what a computer player would do in a saved game, and why")
    hint.add_argument("file", type=Path, metavar="FILE", help="a game's log or save")
    hint.add_argument("--at", type=int, metavar="N", help="after N moves, instead of at the end")
    hint.add_argument("--seat", type=int, metavar="K", help="for seat K, if it is not the one on turn")
    hint.add_argument("--level", default="master", metavar="LEVEL", help=f"{', '.join(LEVELS)} (default master)")
    hint.add_argument("--language", choices=sorted(LANGUAGES), default="en", help="of the reasons (default en)")
    hint.add_argument("--json", action="store_true", help="print one JSON object")
    hint.set_defaults(run=run_hint, at_a_table=True)


def run_replay(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.terminal.session import explain, result

    game = load(wanted.file)
    moves = len(game.history)
    check_place(game, wanted.at, wanted.seat)
    seat = None if wanted.seat is None else wanted.seat - 1
    history = game.history
    console = Console()
    if wanted.at is not None:
        game.undo(moves - wanted.at)
    elif sys.stdin.isatty() and sys.stdout.isatty() and not wanted.json:
        from infila.terminal.replay import step_through

        step_through(game, seat, console)
        return
    view = game.view(seat)
    if wanted.json:
        print(json.dumps({"moves": len(game.history), "position": json.loads(view.position), "scores": view.scores}))
        return
    console.print(view.screen())
    console.print(f"after move {len(game.history)} of {moves}" + (f": {game.history[-1]}" if game.history else ""))
    if len(game.history) < moves:
        console.print(f"next: {history[len(game.history)]}")
    if game.over:
        explain(view, console)
        console.print(result(game), style="bold")


def run_verify(wanted: argparse.Namespace) -> None:
    from infila.core.game import load, read_file
    from infila.core.log import parse
    from infila.terminal.session import result

    log = parse(read_file(wanted.file))
    if log.position is not None:
        raise InfilaError(f"{wanted.file} begins from a position that was set up, so there is no shuffle to verify.")
    if log.seed is None:
        raise InfilaError(f"{wanted.file} has no seed yet: it can be verified once the game is over.")
    game = load(wanted.file)
    if not game.over:
        raise InfilaError(
            f"{wanted.file} keeps its promise so far, but ends after {len(game.history)} moves, before the game does."
        )
    mixed = [seat for seat, words in enumerate(log.words) if words]
    committed = [seat for seat, commitment in enumerate(log.commitments) if commitment]
    if wanted.json:
        shuffle = {
            "mixed": [seat + 1 for seat in mixed],
            "committed": [seat + 1 for seat in committed],
            "attempts": log.attempts,
        }
        found = {"verified": True, "game": log.game, "moves": len(log.moves), "scores": game.scores}
        print(json.dumps(found | shuffle))
        return
    print(f"The seed is the one that was promised, and all {len(log.moves)} moves keep the rules.")
    for sentence in _of_the_shuffle(log, mixed, committed):
        print(sentence)
    print(result(game))


def _of_the_shuffle(log: "Log", mixed: list[int], committed: list[int]) -> Iterator[str]:
    """What the log proves of the shuffle besides the seed, and what it cannot."""
    if not committed:
        if mixed:
            yield f"{_names(log, mixed)}: mixed in words without a commitment; who knew the seed could choose them."
        yield "Nobody had committed to a contribution: whoever made the seed could choose it."
        return
    yield f"{_names(log, committed)}: what they mixed in is what they had committed to."
    yield "Nobody has chosen this shuffle if one of them is honest and saw these commitments before they opened theirs:"
    yield "a log cannot show when commitments were made, but a browser remembers, and checks it on the table's page."
    if log.attempts > 1:
        yield f"It was attempt {log.attempts}: whoever broke off those before may have seen what they would deal."


def _names(log: "Log", seats: list[int]) -> str:
    return ", ".join(f"{log.seats[seat]} (seat {seat + 1})" for seat in seats)


def run_hint(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.players.hints import considered, hints, meaning
    from infila.players.player import player
    from infila.terminal.session import show_hints

    game = load(wanted.file)
    moves = len(game.history)
    check_place(game, wanted.at, wanted.seat)
    if wanted.at is not None:
        game.undo(moves - wanted.at)
    if game.over:
        raise InfilaError("the game is over: there is nothing to decide. Ask for an earlier moment with --at.")
    computer = player(game.game, wanted.level)
    seat = _deciding(game, wanted.seat)
    with compiling(game.game, "think"):
        view = game.view(seat)
        thought = considered(computer, view)
    found = hints(view, thought, language=wanted.language)
    number = len(game.history) + 1
    if wanted.json:
        head = {"game": game.game, "number": number, "seat": seat + 1, "level": wanted.level}
        moves_json = [{"move": hint.move, **asdict(hint.candidate), "reasons": hint.reasons} for hint in found]
        print(json.dumps(head | {"move": thought.move, "simulations": thought.simulations, "moves": moves_json}))
        return
    words = game.contract.words(wanted.language)["hints"]
    named = "" if view.names[seat] == f"seat {seat + 1}" else f" ({view.names[seat]})"
    place = words["seat"].format(seat=seat + 1) + named
    who = words["who"].format(game=game.contract.title, move=number, seat=place, level=wanted.level)
    show_hints(found, f"{who}: {meaning(game.contract, found, wanted.language)}", Console())


def _deciding(game: "Game", asked: int | None) -> int:
    """The seat asked for, or else the one on turn, or one that must act before it."""
    acting = game.acting()
    seat = asked - 1 if asked is not None else game.player if game.player in acting else min(acting)
    if seat not in acting:
        others = " or ".join(str(other + 1) for other in acting)
        raise InfilaError(f"seat {seat + 1} has nothing to decide now. Ask for seat {others}.")
    return seat
