"""A contest: every deal is played by every line-up of the players, on all cores, until it is clear who is stronger.

Every game is written to a file as it ends; an interrupted contest continues from there.
"""

import json
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import combinations
from multiprocessing import resource_tracker
from multiprocessing.pool import AsyncResult, Pool
from pathlib import Path
from typing import Any

from infila import __version__
from infila.arena.match import play_game
from infila.arena.results import GameLine, Results
from infila.core.errors import InfilaError, check_seed, writing
from infila.core.games import contract_of
from infila.players.player import Player, player


@dataclass(frozen=True)
class Contest:
    """A game, its options and the contestants, who meet in every line-up.

    >>> Contest("take_that", ("club", "casual"), {"players": 2}).line_ups()
    [(0, 1), (1, 0)]
    """

    game: str
    contestants: tuple[str, ...]  #: names as `infila.player` takes them, each once
    options: dict[str, Any]  #: of the game; `players`, the number of seats, must be among them
    seed: int = 0  #: of the deals

    def sides(self) -> list[int]:
        """The side of each seat."""
        options = contract_of(self.game).options.make(self.options)
        return [options.side(seat) for seat in range(self.options["players"])]

    def line_ups(self) -> list[tuple[int, ...]]:
        """Who sits where, for every game of a deal: everybody plays every side of it."""
        sides = self.sides()
        places = len(set(sides))
        count = len(self.contestants)
        groups = combinations(range(count), places) if count >= places else [tuple(range(count))]
        found = set()
        for group in groups:
            for start in range(len(group)):  # if there are fewer players than sides, they take several
                for turned in range(places):
                    by_side = [group[((side + turned) % places + start) % len(group)] for side in range(places)]
                    found.add(tuple(by_side[side] for side in sides))
        return sorted(found)


Task = tuple[int, tuple[int, ...]]  # a deal and a line-up

_contest: Contest
_seats: list[Player]


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started here never hear Ctrl-C; this one hears it afterwards, and can end them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears Ctrl-C
        return
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # it starts with the first process, and then lets the signal through again
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    # a blocked signal stays blocked in a new process; but here another thread may still hear it, so that is not enough
    blocked = sys.platform != "win32" and signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked or ())
        if heard:
            signal.raise_signal(signal.SIGINT)


def _begin_worker(contest: Contest) -> None:
    global _contest, _seats
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for where `_deaf` can do nothing
    _contest, _seats = contest, _make_players(contest)


def _make_players(contest: Contest) -> list[Player]:
    return [player(contest.game, name) for name in contest.contestants]


def _play(task: Task) -> GameLine:
    deal, line_up = task
    contract = contract_of(_contest.game)
    options = contract.options.make(_contest.options)
    result = play_game(contract, options, _contest.seed, deal, [_seats[i] for i in line_up])
    seconds = tuple(round(each, 4) for each in result.seconds)
    return GameLine(deal, line_up, tuple(result.scores), tuple(result.decisions), seconds, result.moves, result.turns)


def check(contest: Contest) -> None:
    """Raise an InfilaError if the contest cannot be played."""
    if len(contest.contestants) < 2:
        raise InfilaError("a contest needs at least two contestants, for example expert,club.")
    twice = {name for name in contest.contestants if contest.contestants.count(name) > 1}
    if twice:
        raise InfilaError(f"{', '.join(sorted(twice))} is named twice. Name every contestant once.")
    check_seed(contest.seed)
    contract_of(contest.game).options.make(contest.options)
    _make_players(contest)


def warm_up(contest: Contest) -> None:
    """Compile once, before many processes would."""
    contract = contract_of(contest.game)
    options = contract.options.make(contest.options)
    quick = [
        player(contest.game, f"{p.name.partition(':')[0]}:1" if p.searches else p.name) for p in _make_players(contest)
    ]
    for pilot in quick:
        play_game(contract, options, 0, 0, [pilot] * contest.options["players"])


def run(contest: Contest, deals: int, *, least: int, file: Path | None, processes: int) -> Generator[Results]:
    """Yield the results after each deal, always the same object, until it is clear which of any two is stronger.

    At least `least` and at most `deals` deals are played. With a `file`, every game is written to it, and those it
    already holds are not played again. A file that does not belong to this contest is refused at once, unchanged.
    """
    known = _read(file, contest) if file else {}
    return _deals(contest, deals, least, file, known, processes)


def _deals(
    contest: Contest, deals: int, least: int, file: Path | None, known: dict[Task, GameLine], processes: int
) -> Generator[Results]:
    line_ups = contest.line_ups()
    results = Results(contest.contestants, contest.sides())
    tasks = ((deal, line_up) for deal in range(deals) for line_up in line_ups)
    missing = (task for task in tasks if task not in known)
    processes = max(1, min(processes, deals * len(line_ups) - len(known)))
    with ExitStack() as stack:
        with _deaf():
            begin = multiprocessing.get_context("spawn").Pool
            pool = stack.enter_context(begin(processes, _begin_worker, (contest,)))
        fresh = _in_order(pool, missing, 2 * processes)
        for deal in range(deals):
            lines = []
            for line_up in line_ups:
                line = known.get((deal, line_up))
                if line is None:
                    line = next(fresh)
                    if file:
                        _write(file, asdict(line))
                lines.append(line)
            results.add_deal(lines)
            yield results
            if deal + 1 >= least and results.decided:
                return


def _in_order(pool: Pool, tasks: Iterable[Task], ahead: int) -> Iterator[GameLine]:
    """The games in the order of the tasks; only a few run at a time, so that the pool can be stopped at once."""
    waiting: deque[AsyncResult[GameLine]] = deque()
    for task in tasks:
        waiting.append(pool.apply_async(_play, (task,)))
        if len(waiting) > ahead:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


def _header(contest: Contest) -> dict[str, Any]:
    options = contract_of(contest.game).options.make(contest.options).to_json()
    about = asdict(contest) | {"contestants": list(contest.contestants), "options": options}
    return {"arena": 2, "infila": __version__, **about}


def _write(file: Path, entry: dict[str, Any], mode: str = "a") -> None:
    with writing(file), file.open(mode, encoding="utf-8") as out:
        out.write(json.dumps(entry) + "\n")


def _read(file: Path, contest: Contest) -> dict[Task, GameLine]:
    """The games already played; a game whose line was cut off is played again."""
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and not file.is_file():
            raise InfilaError(f"{file} is not a file. Name another one.")
        content = file.read_bytes() if file.exists() else b""
    header = _header(contest)
    if json.dumps(header).encode().startswith(content):  # it is new, or even this line was cut off
        _write(file, header, "w")
        return {}
    whole, _, rest = content.rpartition(b"\n")
    first, *others = [_json(line) for line in whole.split(b"\n")]
    if not isinstance(first, dict) or "arena" not in first:
        raise InfilaError(f"{file} is not the file of a contest. Name another one.")
    if first != header:
        raise InfilaError(f"{file} belongs to another contest, or to another version. Name another file, or delete it.")
    line_ups = contest.line_ups()
    known = {}
    for number, entry in enumerate(others, 2):
        line = _line(entry, line_ups)
        if line is None:
            raise InfilaError(f"{file}, line {number}: this is not a game of the contest. Delete the line.")
        known[line.deal, line.seats] = line
    if rest:
        with writing(file):
            os.truncate(file, len(whole) + 1)
    return known


def _json(line: bytes) -> Any:
    """What a line says; None if it cannot be read."""
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _line(entry: Any, line_ups: Collection[tuple[int, ...]]) -> GameLine | None:
    """A game as it was written; None if it is not one of these line-ups."""
    if not isinstance(entry, dict):
        return None
    shape = {
        name: [type(n) for n in value] if isinstance(value, list) else type(value) for name, value in entry.items()
    }
    seats = len(next(iter(line_ups)))
    row, seconds = [int] * seats, [float] * seats
    rows = {"seats": row, "scores": row, "decisions": row, "seconds": seconds}
    if shape != {"deal": int, **rows, "moves": int, "turns": int}:
        return None
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    line = GameLine(**fields)
    return line if line.deal >= 0 and line.seats in line_ups else None
