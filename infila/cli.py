"""The command line. Bad input gets one sentence and exit code 2."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from infila.core.errors import BadLog, BadOptions, InfilaError, check_number
from infila.core.games import contract_of, games, mark_of, usable_games
from infila.players import LEVELS

if TYPE_CHECKING:
    from infila.core.game import Game

EXAMPLES = """examples:
  infila                                play in the browser
  infila play zatre                     play in the terminal, against the computer
  infila play sequence --seats Anna,expert,Bruno,expert --players 4
  infila hint game.log                  what the computer would do, and why
  infila arena --game zatre --players expert,club --games 200
  infila simulate take_that --games 1000000 --threads 2 --report
  infila study sequence --by club --plot sequence.svg
  infila replay game.log --at 12
  infila verify game.log
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"infila: {message}. Try: {self.prog} --help\n")


def parser() -> Parser:
    main = Parser(
        prog="infila",
        description="Zatre, Take That, Completto and Sequence, by their printed rules.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = main.add_subparsers(dest="command", metavar="COMMAND")

    from infila.server import command

    command.add_parser(commands)
    play = commands.add_parser("play", help="play in the terminal")
    play.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(games())}")
    _table_options(play)
    play.add_argument(
        "--resume", action="store_true", help="go on with the game that was saved, the last one if none is named"
    )
    play.add_argument("--file", type=Path, help="keep the game here, also when it is over; go on with it if it exists")

    new = commands.add_parser("new", help="write the file of a new game, to be played with play --file")
    new.add_argument("game", metavar="GAME")
    _table_options(new)
    new.add_argument("--file", type=Path, help="instead of standard output")

    simulate = commands.add_parser("simulate", help="play many games at random, fast")
    simulate.add_argument("game", metavar="GAME")
    simulate.add_argument("--games", type=int, default=10_000, metavar="N")
    _options(simulate)
    simulate.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="T")
    simulate.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    simulate.add_argument("--seed", type=int, default=0, metavar="S")
    simulate.add_argument("--report", action="store_true", help="lengths, scores and wins, too")
    simulate.add_argument("--json", action="store_true", help="print one JSON object")

    study = commands.add_parser("study", help="what many games tell of a game: length, choices, scores, its rules")
    study.add_argument("game", metavar="GAME")
    study.add_argument(
        "--by", default="random", metavar="A,B,…", help="who plays: levels, random (default) or search:N"
    )
    study.add_argument(
        "--games", type=int, metavar="N", help="default 1,000,000 at random, 10,000 by levels, 100 by those that search"
    )
    _options(study)
    study.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="T")
    study.add_argument("--seed", type=int, default=0, metavar="S")
    study.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as .svg or .png")
    study.add_argument("--json", action="store_true", help="print one JSON object")

    replay = commands.add_parser("replay", help="look at a game again")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument("--at", type=int, metavar="N", help="only the position after N moves")
    replay.add_argument("--seat", type=int, metavar="K", help="as seat K saw it; without it as a spectator")
    replay.add_argument("--json", action="store_true", help="print the position as one JSON object")

    verify = commands.add_parser("verify", help="check that a log keeps the rules and its shuffle its promise")
    verify.add_argument("file", type=Path, metavar="FILE")
    verify.add_argument("--json", action="store_true", help="print one JSON object")

    rules = commands.add_parser("rules", help="the rules of a game")
    rules.add_argument("game", metavar="GAME")

    hint = commands.add_parser("hint", help="what a computer player would do in a saved game, and why")
    hint.add_argument("file", type=Path, metavar="FILE", help="a game's log or save")
    hint.add_argument("--at", type=int, metavar="N", help="after N moves, instead of at the end")
    hint.add_argument("--seat", type=int, metavar="K", help="for seat K, if it is not the one on turn")
    hint.add_argument("--level", default="master", metavar="LEVEL", help=f"{', '.join(LEVELS)} (default master)")
    hint.add_argument("--language", choices=("en", "it", "de"), default="en")
    hint.add_argument("--json", action="store_true", help="print one JSON object")

    arena = commands.add_parser(
        "arena",
        help="let computer players play each other, and rate them",
        epilog="A deal is played in all line-ups. Two players meet in a duel wherever they sit on different sides: the "
        "better score wins it. In Sequence with three sides the two that lose share their duel, so ratings lie closer "
        "together there.",
    )
    arena.add_argument("--game", required=True, metavar="GAME")
    arena.add_argument("--players", required=True, metavar="A,B,…", help="levels, random or search:N: expert,club")
    arena.add_argument(
        "--games", type=int, default=400, metavar="N", help="at most, rounded up to whole deals (default 400)"
    )
    arena.add_argument("--seats", metavar="P", help="how many sit at a table (default 2)")
    arena.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    arena.add_argument("--seed", type=int, default=0, metavar="S")
    arena.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    arena.add_argument("--all", action="store_true", help="play all games, even if it is clear who is stronger")
    arena.add_argument("--file", type=Path, help="note every game here, and go on from there if it exists")
    arena.add_argument("--plot", type=Path, metavar="FILE", help="draw the ladder, as .svg or .png")
    arena.add_argument("--json", action="store_true", help="print one JSON object")

    conformance = commands.add_parser("conformance", help="check that a game does what every game must")
    conformance.add_argument("game", metavar="GAME")
    conformance.add_argument("--only", default="", metavar="A,B,…", help="only these checks")
    conformance.add_argument("--json", action="store_true", help="print one JSON object")

    bench = commands.add_parser("bench", help="how fast the games are here")
    bench.add_argument("--seconds", type=float, default=2.0, metavar="S", help="for each game (default 2)")
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    return main


def _options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", metavar="P", help="how many play")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")


def _table_options(command: argparse.ArgumentParser) -> None:
    _options(command)
    command.add_argument(
        "--seats",
        metavar="A,B,…",
        help=f"a name for each seat, or the computer: {', '.join(LEVELS)}, random or search:N",
    )
    command.add_argument("--seed", help="a seed of your own, for a game that can be dealt again")


def option_texts(options: list[str], players: str | None, argument: str = "--players") -> dict[str, str]:
    """What was typed, by the name of the option; `argument` is the one that says how many play."""
    texts: dict[str, str] = {"players": players} if players is not None else {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"{text!r} is no option; options look like keeping=forced.")
        if name in texts:
            if name == "players" and players is not None:
                raise BadOptions(f"{argument} {players} and --option {text} both say how many play. Give one of them.")
            raise BadOptions(f"{name} is given twice.")
        texts[name] = value
    return texts


@contextmanager
def compiling(game: str, job: str) -> Iterator[None]:
    """Say why the first start takes a while."""
    contract = contract_of(game)
    mark = mark_of(game, job)
    first = not mark.exists()
    if first:
        print(
            f"Compiling the rules of {contract.title} for this machine; this happens once …",
            file=sys.stderr,
            flush=True,
        )
    yield
    if first:
        mark.touch()


def command_play(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.terminal import files
    from infila.terminal.table import Table

    console = Console()
    file: Path | None = wanted.file
    if wanted.game is None and file is None and wanted.resume:
        wanted.game = files.saved_last()
        if wanted.game is None:
            raise InfilaError("there is no saved game. Start one: infila play zatre.")
    elif wanted.game is None and file is None:
        from infila.terminal.menu import choose_game

        choose_game(wanted, console)
    name = wanted.game
    save = file or files.save_of(name)
    if wanted.resume and not save.exists():
        raise InfilaError(f"there is no saved game at {save}. Start one: infila play {name or 'zatre'}.")
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
                f"{save} does not exist. Name a game to start one there: infila play zatre --file {save}."
            )
        game = _begin(wanted)
        if save.exists():
            print(f"To go on with the other game: infila play --file {files.put_aside(name)}")
    Table(game, file, console).run()


def _starts_anew(save: Path) -> bool:
    """Ask whether to put a saved game aside; where nobody can be asked it stays."""
    if not sys.stdin.isatty():
        return False
    answer = input(f"There is a game in progress ({save}). Put it aside and start a new one? [y/N] ")
    return answer.strip().lower().startswith("y")


def _begin(wanted: argparse.Namespace) -> "Game":
    """A new game from what was typed."""
    from infila.core.game import new
    from infila.terminal.table import order

    seats = [] if wanted.seats is None else wanted.seats.split(",")
    ordered = order(wanted.game, option_texts(wanted.option, wanted.players), seats)
    with compiling(wanted.game, "play"):
        return new(wanted.game, seed=wanted.seed, **ordered)


def command_new(wanted: argparse.Namespace) -> None:
    from infila.terminal.files import write_whole

    if wanted.file is not None and wanted.file.exists():
        raise InfilaError(f"{wanted.file} exists already. Choose another name, or delete it.")
    game = _begin(wanted)
    if wanted.file is None:
        print(game.save(), end="")
        return
    write_whole(wanted.file, game.save())
    print(f"{wanted.file}: {contract_of(wanted.game).title}, commitment {game.commitment}")


def command_simulate(wanted: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from infila.batch.gpu import usable_cuda
    from infila.batch.simulate import Tally, simulate

    contract = contract_of(wanted.game)
    values = contract.options.from_texts(option_texts(wanted.option, wanted.players)).to_dict()
    if wanted.device == "gpu":
        usable_cuda()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with compiling(wanted.game, f"simulate.{wanted.device}"), bar:
        task = bar.add_task(f"{contract.title}, random play", total=wanted.games)

        def show(tally: Tally) -> None:
            bar.update(task, completed=tally.games)

        tally = simulate(
            wanted.game,
            wanted.games,
            values,
            seed=wanted.seed,
            threads=wanted.threads,
            device=wanted.device,
            report=wanted.report,
            progress=show,
        )
    facts = tally.summary() | (tally.report() if wanted.report and tally.games else {})
    if wanted.json:
        print(json.dumps(facts))
    else:
        _print_facts(facts)
    if tally.games < wanted.games:
        _stopped_early(tally.games, wanted.games, "games")


def command_study(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.arena.plot import check
    from infila.study import plot, show
    from infila.study.run import study

    options = contract_of(wanted.game).options.from_texts(option_texts(wanted.option, wanted.players)).to_dict()
    by = [name.strip() for name in wanted.by.split(",")]
    if wanted.plot:
        check(wanted.plot)
    plan = study(wanted.game, wanted.games, options, by=by, seed=wanted.seed, threads=wanted.threads)
    with compiling(wanted.game, "study" if plan.at_random else "study.think"), show.followed(plan) as progress:
        figures = plan.run(progress)
    if figures.games == 0:
        _stopped_early(0, figures.wanted, "games")
    if wanted.json:
        print(json.dumps(show.facts(figures)))
    else:
        print(f"{show.title_of(figures)}, seed {wanted.seed}, {figures.seconds:,.1f} s")
        for table in show.tables(figures):
            Console().print(table)
    if wanted.plot:
        plot.draw(figures, wanted.plot)
    if figures.games < figures.wanted:
        _stopped_early(figures.games, figures.wanted, "games")


def _print_facts(facts: dict[str, Any]) -> None:
    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "  ".join(f"{name} {text(part)}" for name, part in value.items())
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "".join(f"\n  seat {i}: {text(part)}" for i, part in enumerate(value, 1))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:,}" if isinstance(value, int) else str(value)

    for name, value in facts.items():
        print(f"{name.replace('_', ' ')}: {text(value)}")


def command_replay(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.terminal.table import explain, result

    game = load(wanted.file)
    moves = len(game.history)
    if wanted.at is not None and not 0 <= wanted.at <= moves:
        raise InfilaError(f"--at cannot be {wanted.at}: the game has {moves} moves.")
    if wanted.seat is not None and not 1 <= wanted.seat <= len(game.names):
        raise InfilaError(f"--seat cannot be {wanted.seat}: the seats are 1 to {len(game.names)}.")
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
        print(json.dumps({"moves": len(game.history), "position": view.position(), "scores": view.scores}))
        return
    console.print(view.screen())
    console.print(f"after move {len(game.history)} of {moves}" + (f": {game.history[-1]}" if game.history else ""))
    if len(game.history) < moves:
        console.print(f"next: {history[len(game.history)]}")
    if game.over:
        explain(view, console)
        console.print(result(game), style="bold")


def command_verify(wanted: argparse.Namespace) -> None:
    from infila.core.game import load, read_file
    from infila.core.log import parse
    from infila.terminal.table import result

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
    if wanted.json:
        print(json.dumps({"verified": True, "game": log.game, "moves": len(log.moves), "scores": game.scores}))
        return
    print(f"The seed is the one that was promised, and all {len(log.moves)} moves keep the rules.")
    print(result(game))


def command_rules(wanted: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    text = contract_of(wanted.game).text()
    if sys.stdout.isatty():
        Console().print(Markdown(text))
    else:
        print(text, end="")


def command_bench(wanted: argparse.Namespace) -> None:
    from infila.batch.simulate import simulate

    if not 0 < wanted.seconds <= 3600:
        raise InfilaError(f"--seconds cannot be {wanted.seconds}: it is a number above 0, up to 3,600.")
    results = {}
    for name in usable_games():
        contract = contract_of(name)
        with compiling(name, "simulate.cpu"):
            games = 2000
            tally = simulate(name, games)
        while tally.seconds < wanted.seconds / 2:
            games *= 2
            tally = simulate(name, games)
        results[name] = {
            "moves_per_second": round(tally.moves / tally.seconds),
            "games_per_second": round(tally.games / tally.seconds),
            "moves_per_game": round(tally.moves / tally.games, 1),
            "state_bytes": contract.rules.State.dtype.itemsize,
        }
        if not wanted.json:
            print(
                f"{contract.title:<12} {results[name]['moves_per_second']:>12,} random moves/s on one core, two players"
            )
    if wanted.json:
        print(json.dumps(results))


def command_hint(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.core.game import load
    from infila.players.hints import considered, hints, meaning
    from infila.players.player import player
    from infila.terminal.table import show_hints

    game = load(wanted.file)
    moves = len(game.history)
    if wanted.at is not None and not 0 <= wanted.at <= moves:
        raise InfilaError(f"--at cannot be {wanted.at}: the game has {moves} moves.")
    if wanted.seat is not None and not 1 <= wanted.seat <= len(game.names):
        raise InfilaError(f"--seat cannot be {wanted.seat}: the seats are 1 to {len(game.names)}.")
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
    """The seat that was asked for, or else the one on turn, or one who must act before it."""
    acting = game.acting()
    seat = asked - 1 if asked is not None else game.player if game.player in acting else min(acting)
    if seat not in acting:
        others = " or ".join(str(other + 1) for other in acting)
        raise InfilaError(f"seat {seat + 1} has nothing to decide now. Ask for seat {others}.")
    return seat


def command_arena(wanted: argparse.Namespace) -> None:
    from rich.console import Console

    from infila.arena import contest, show
    from infila.arena.plot import check, ladder
    from infila.arena.results import FEWEST_DEALS

    contract = contract_of(wanted.game)
    seats = contract.options.specs()["players"]
    if wanted.seats is not None and not seats.accepts(seats.from_text(wanted.seats)):
        raise BadOptions(f"--seats cannot be {wanted.seats}: it is {seats.wanted()}.")
    options = contract.options.from_texts(option_texts(wanted.option, wanted.seats, "--seats")).to_dict()
    names = tuple(name.strip() for name in wanted.players.split(","))
    plan = contest.Contest(wanted.game, names, options, wanted.seed)
    check_number("--games", wanted.games, 1, 10**12)
    check_number("--processes", wanted.processes, 1, 1024)
    contest.check(plan)
    if wanted.plot:
        check(wanted.plot)
    deals = -(-wanted.games // len(plan.line_ups()))
    least = deals if wanted.all else FEWEST_DEALS
    running = contest.run(plan, deals, least=least, file=wanted.file, processes=wanted.processes)
    with compiling(wanted.game, "arena"):
        contest.warm_up(plan)
    results, problem = show.follow(running, deals, contract.title)
    done = len(results.won) if results else 0
    if results and wanted.json:
        head = {"game": wanted.game, "options": options, "seed": wanted.seed}
        print(json.dumps(head | show.facts(results, interrupted=problem is not None)))
    elif results:
        for table in show.tables(results):
            Console().print(table)
    if results and wanted.plot:
        ladder(results.standings(), f"{contract.title}, {options['players']} players", wanted.plot)
    if isinstance(problem, InfilaError):
        raise problem
    if problem:
        _stopped_early(done, deals, "deals", f" The same command goes on from {wanted.file}." if wanted.file else "")
    if done < deals:
        print(f"Ended after {done} of {deals} deals: it is clear who is stronger.", file=sys.stderr)


def command_conformance(wanted: argparse.Namespace) -> None:
    from infila.conformance import run

    only = [name.strip() for name in wanted.only.split(",") if name.strip()]
    contract_of(wanted.game)
    found = []
    for done in run(wanted.game, only):
        found.append(done)
        if not wanted.json:
            print(
                f"{'no ' if done.problem else 'yes'}  {done.name.replace('_', ' ')}  ({done.seconds:.1f} s)", flush=True
            )
            if done.problem:
                print(f"     {done.problem}", flush=True)
    failed = sum(bool(done.problem) for done in found)
    if wanted.json:
        print(json.dumps({"game": wanted.game, "conforms": not failed, "checks": [asdict(done) for done in found]}))
    elif not failed:
        print(f"{contract_of(wanted.game).title} does what every game must.")
    if failed:
        _fail(f"{failed} of {len(found)} checks of {wanted.game} failed.", 1)


def command_serve(wanted: argparse.Namespace) -> None:
    from infila.server import command

    command.run(wanted)


COMMANDS = {
    "serve": command_serve,
    "play": command_play,
    "new": command_new,
    "simulate": command_simulate,
    "study": command_study,
    "replay": command_replay,
    "verify": command_verify,
    "rules": command_rules,
    "hint": command_hint,
    "arena": command_arena,
    "conformance": command_conformance,
    "bench": command_bench,
}


def main(arguments: list[str] | None = None) -> None:
    wanted = parser().parse_args(arguments)
    if wanted.command is None:
        wanted = parser().parse_args(["serve"])
    start = time.perf_counter()
    try:
        COMMANDS[wanted.command](wanted)
        print(end="", flush=True)  # all of it, while there is somebody to say that it cannot be written
    except BadLog as problem:
        name = getattr(wanted, "file", None)
        usable = f" The {problem.line - 1} lines before it are sound." if problem.usable is not None else ""
        _fail(f"{name}, {problem}{usable}" if name else f"{problem}{usable}")
    except InfilaError as problem:
        _fail(str(problem))
    except (KeyboardInterrupt, EOFError):
        _fail(f"interrupted after {time.perf_counter() - start:.0f} s.", 130)
    except OSError:
        if _output_arrives():
            raise


def _output_arrives() -> bool:
    """Whether what is printed can be written; if not, say so, unless whoever read it has just gone."""
    try:
        print(end="", flush=True)
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is left
        if not isinstance(problem, BrokenPipeError):
            _fail(f"the output cannot be written: {problem.strerror}.")
        return False
    return True


def _fail(sentence: str, code: int = 2) -> NoReturn:
    print(f"infila: {sentence}", file=sys.stderr)
    raise SystemExit(code)


def _stopped_early(done: int, wanted: int, what: str, again: str = "") -> NoReturn:
    """After Ctrl-C, once what there is has been shown."""
    _fail(f"stopped early: {done:,} of {wanted:,} {what} were played.{again}", 130)
