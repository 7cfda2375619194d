"""A contest: every deal is played by every line-up of the players, on all cores, until it is clear who is stronger.

Every game is written to a file as it ends; an interrupted contest continues from there.
"""

import json
import os
import signal
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from infila import __version__
from infila.agents import Misbehaved, Sitter, is_agent, seated
from infila.agents.naming import LONGEST_WAIT, PROGRAM
from infila.agents.process import end_all
from infila.arena.luck import Luck, draws_of
from infila.arena.match import play_game
from infila.arena.results import GameLine, Results
from infila.cluster.on_ray import check_on, cluster
from infila.cluster.order import in_order
from infila.cluster.processes import processes as by_processes
from infila.core.errors import InfilaError, check_number, check_seed, writing
from infila.core.games import contract_of
from infila.players.player import player

SECONDS = 10.0


@dataclass(frozen=True)
class Contest:
    """A game, its options and the contestants, who meet in every line-up.

    >>> Contest("take_that", ("club", "casual"), {"players": 2}).line_ups()
    [(0, 1), (1, 0)]
    """

    game: str
    contestants: tuple[str, ...]  #: names as `infila.agents.seated` takes them, each once
    options: dict[str, Any]  #: of the game; those that are left out get their usual values
    seed: int = 0  #: of the deals
    adjusted: bool = False  #: whether the luck of the draw is measured, so that it can be taken out of the results
    seconds: float = SECONDS  #: that an agent has for a move; levels think as long as they do

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", contract_of(self.game).options.make(self.options).to_dict())

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
_seats: list[Sitter]
_problem: InfilaError | None = None  # why this process cannot play
_begun: Contest | None = None  # of a worker of a cluster, which may have been in others before


def _begin_worker(contest: Contest) -> None:
    global _contest, _seats, _problem
    if any(name.startswith(PROGRAM) for name in contest.contestants):
        signal.signal(signal.SIGTERM, _leave)
    _contest = contest
    try:
        _seats = _make_players(contest)
    except InfilaError as problem:  # a process that dies here would be replaced by another, for ever
        _problem = problem


def _leave(*_: object) -> None:
    """End the agents that are programs: nobody else would."""
    end_all()
    os._exit(1)


def _make_players(contest: Contest) -> list[Sitter]:
    return [seated(contest.game, name, contest.seconds) for name in contest.contestants]


def _play(task: Task) -> GameLine:
    if _problem:
        raise _problem
    deal, line_up = task
    contract = contract_of(_contest.game)
    options = contract.options.make(_contest.options)
    players = [_seats[i] for i in line_up]
    luck = Luck(contract, options, len(players), (_contest.seed, deal, *line_up)) if _contest.adjusted else None
    result = play_game(contract, options, _contest.seed, deal, players, luck)
    seconds = tuple(round(each, 4) for each in result.seconds)
    line = GameLine(deal, line_up, tuple(result.scores), tuple(result.decisions), seconds, result.moves, result.turns)
    line = replace(line, forfeit=result.forfeit)
    return line if result.luck is None else replace(line, luck=tuple(round(each, 6) for each in result.luck))


def _play_there(contest: Contest, task: Task) -> GameLine:
    global _contest, _seats, _begun
    if _begun != contest:
        _contest, _seats = contest, _make_players(contest)
        _begun = contest
    return _play(task)


def check(contest: Contest) -> None:
    """Raise an InfilaError if the contest cannot be played, or could not show anything."""
    if len(contest.contestants) < 2:
        raise InfilaError("a contest needs at least two contestants, for example expert,club.")
    _check(contest)


def _check(contest: Contest) -> None:
    """What `run` demands: one player alone may also meet itself."""
    if not contest.contestants:
        raise InfilaError("nobody plays in this contest. Name contestants, for example expert and club.")
    twice = {name for name in contest.contestants if contest.contestants.count(name) > 1}
    if twice:
        raise InfilaError(f"{', '.join(sorted(twice))} is named twice. Name every contestant once.")
    check_seed(contest.seed)
    if not 0 < contest.seconds <= LONGEST_WAIT:
        raise InfilaError(f"seconds cannot be {contest.seconds!r}: an agent needs some, and at most {LONGEST_WAIT:,}.")
    if contest.adjusted:
        draws_of(contest.game)
    _make_players(contest)


def warm_up(contest: Contest) -> None:
    """Compile once, before many processes would; and let every agent play a game, which it must get through.

    One that misbehaves even then raises Misbehaved."""
    contract = contract_of(contest.game)
    options = contract.options.make(contest.options)
    for pilot in _make_players(contest):
        quick = player(contest.game, f"{pilot.name.partition(':')[0]}:1") if pilot.searches else pilot
        players = [quick] * contest.options["players"]
        luck = Luck(contract, options, len(players), (0,)) if contest.adjusted else None
        played = play_game(contract, options, 0, 0, players, luck)
        if played.forfeit:
            raise Misbehaved(f"{played.forfeit} That was in a game to try it out, so the contest does not begin.")


def run(
    contest: Contest, deals: int, *, least: int, file: Path | None, processes: int, on: str | None = None
) -> Generator[Results]:
    """Yield the results after each deal, always the same object, until it is clear which of any two is stronger.

    At least `least` and at most `deals` deals are played. With a `file`, every game is written to it, and those it
    already holds are not played again. A file that does not belong to this contest is refused at once, unchanged; so
    is a contest that cannot be played. `on` is a cluster (`infila.cluster.on_ray`); `processes` are the workers of one
    that is started here.
    """
    _check(contest)
    check_on(on)
    check_number("deals", deals, 1, 10**12)
    check_number("processes", processes, 1, 1024)
    known = _read(file, contest) if file else {}
    return _deals(contest, deals, least, file, known, processes, on)


def _deals(
    contest: Contest,
    deals: int,
    least: int,
    file: Path | None,
    known: dict[Task, GameLine],
    processes: int,
    on: str | None,
) -> Generator[Results]:
    line_ups = contest.line_ups()
    results = Results(contest.contestants, contest.sides(), adjusted=contest.adjusted)
    tasks = ((deal, line_up) for deal in range(deals) for line_up in line_ups)
    missing = (task for task in tasks if task not in known)
    processes = max(1, min(processes, deals * len(line_ups) - len(known)))
    with _games(contest, missing, on, processes) as fresh:
        for deal in range(deals):
            lines = []
            for line_up in line_ups:
                line = known.get((deal, line_up))
                if line is None:
                    line = next(fresh)
                    if file:
                        _write(file, _entry(line))
                lines.append(line)
            results.add_deal(lines)
            yield results
            if deal + 1 >= least and results.decided:
                return


@contextmanager
def _games(contest: Contest, tasks: Iterable[Task], on: str | None, processes: int) -> Iterator[Iterator[GameLine]]:
    """The games of all tasks, in order, played by processes here or on a cluster."""
    if on is not None:
        with cluster(on, processes) as found:
            yield in_order(lambda task: found.promised(_play_there, contest, task), tasks, 2 * found.workers)
        return
    with by_processes(processes, _begin_worker, (contest,)) as pool:
        yield in_order(lambda task: pool.promised(_play, task), tasks, 2 * processes)


def _header(contest: Contest) -> dict[str, Any]:
    options = contract_of(contest.game).options.make(contest.options).to_json()
    about = asdict(contest) | {"contestants": list(contest.contestants), "options": options}
    del about["adjusted"]
    if not any(is_agent(name) for name in contest.contestants):
        del about["seconds"]
    how = {"adjusted": msgspec.to_builtins(draws_of(contest.game))} if contest.adjusted else {}
    return {"arena": 2, "infila": __version__, **about, **how}


def _entry(line: GameLine) -> dict[str, Any]:
    """A game as it is written."""
    entry = asdict(line)
    if line.luck is None:
        del entry["luck"]
    if not line.forfeit:
        del entry["forfeit"]
    return entry


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
        line = _line(entry, line_ups, contest.adjusted)
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


def _line(entry: Any, line_ups: Collection[tuple[int, ...]], adjusted: bool) -> GameLine | None:
    """A game as it was written; None if it is not one of these line-ups."""
    if not isinstance(entry, dict):
        return None
    shape = {
        name: [type(n) for n in value] if isinstance(value, list) else type(value) for name, value in entry.items()
    }
    seats = len(next(iter(line_ups)))
    row, fractions = [int] * seats, [float] * seats
    rows = {"seats": row, "scores": row, "decisions": row, "seconds": fractions}
    luck = {"luck": fractions} if adjusted else {}
    forfeit = {"forfeit": str} if "forfeit" in entry else {}
    if shape != {"deal": int, **rows, "moves": int, "turns": int, **luck, **forfeit}:
        return None
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    line = GameLine(**fields)
    return line if line.deal >= 0 and line.seats in line_ups else None
