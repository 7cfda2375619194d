"""Puzzles out of many games that computers play, and out of one's own.

Every game that is played for them has a number, and everything in it comes from that and the seed: its options, who
plays, the deal and all moves. So whoever goes on where somebody stopped finds what they would have found, and games can
be looked through side by side: each for itself, and what is found is taken in their order.
"""

import random
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import BadOptions, check_number, check_seed
from infila.core.game import Game, new
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.core.options import Options, Spec
from infila.core.record import copied
from infila.players import search
from infila.players.player import player
from infila.puzzles.collection import Collection, read
from infila.puzzles.finding import EACH, Finder, Moment, seen_in
from infila.puzzles.puzzle import Puzzle
from infila.reviewing.walk import Walk

SITTERS = ("beginner", "casual", "casual", "club", "club", "expert")  # who errs leaves something to be found
FEW = 0.7  # of all games are played by as few as can
OTHERWISE = 0.15  # of all games have another value of an option that is no number
MOST_SEATS = 4
LATE = 0.4  # of a game is over before anything is looked at: what is near the end decides most
LONGEST = 3000  # moves
MOST_GAMES = 1_000_000
MOST_PROCESSES = 1024


@dataclass(frozen=True)
class Progress:
    """How far the work is."""

    games: int  #: looked through, in this run; of a game of one's own the moves
    positions: int
    tried: int  #: positions that were worth a trial
    found: int  #: puzzles that are kept, in this run


def options_for(contract: Contract, chance: random.Random) -> Options:
    """The options of a game: mostly as few players as there can be, and mostly what is usual otherwise."""
    values: dict[str, Any] = {}
    for name, spec in contract.options.specs().items():
        value = _other(name, spec, chance)
        try:
            contract.options.make(values | {name: value})
        except BadOptions:  # it does not go with the others
            continue
        if value is not None:
            values[name] = value
    return contract.options.make(values)


def _other(name: str, spec: Spec, chance: random.Random) -> Any:
    """A value for an option; None for the usual one."""
    drawn, at = chance.random(), chance.random()
    if name == "players":
        all_of = spec.values if spec.all_listed else range(spec.values[0], spec.values[1] + 1)
        counts = [count for count in all_of if count <= MOST_SEATS] or list(all_of)[:1]
        return counts[0] if drawn < FEW else counts[int(at * len(counts))]
    if spec.kind == "number" and not spec.all_listed:
        return spec.values[0] if drawn < 0.5 else None  # a short game is closer
    if drawn >= OTHERWISE:
        return None
    if spec.kind == "flag":
        return at < 0.5
    return spec.values[int(at * len(spec.values))] if spec.kind == "choice" else None


def played(contract: Contract, seed: int, number: int) -> list[Moment]:
    """The positions of a game that computers play."""
    chance = random.Random(f"{contract.name} {seed} {number}")
    options = options_for(contract, chance)
    game = new(contract.name, seed=f"puzzles {seed} {number}", **options.to_dict())
    sitters = [player(contract.name, chance.choice(SITTERS), seed=number) for _ in game.names]
    states, out = copied(game.states), np.zeros(contract.rules.MAX_LEGAL, np.int16)
    moments: list[Moment] = []
    turn, before = 0, -1
    for _ in range(LONGEST):
        if driver.status_at(states, 0, np.zeros(POINTS, np.int64))[1]:
            break
        seat = int(search.decider_at(states, out))
        turn += seat != before
        before = seat
        moments.append(Moment(copied(states), seat, turn, number=len(moments) + 1))
        hidden = copied(states)
        driver.hide_at(hidden, 0, seat)
        thought = sitters[seat].ponder(hidden, seat)
        if not thought:
            break
        driver.play_at(states, 0, thought[0].action)
    return moments[int(LATE * len(moments)) :]


def walked(game: Game) -> Iterator[Moment]:
    """The positions of a game that somebody has played."""
    walk = Walk(game)
    turn, before = 0, -1
    for at, mover in enumerate(walk.movers):
        turn += mover != before
        before = mover
        if mover >= 0:
            yield Moment(walk.states[at], mover, turn, at + 1)


@dataclass(frozen=True)
class Looked:
    """What came of a game, or of its beginning."""

    positions: int
    tried: int
    puzzles: tuple[Puzzle, ...]


def look_through(game: str, seed: int, number: int) -> Looked:
    """A game of computers, to its end."""
    return deque(_looking(contract_of(game), seed, number), maxlen=1).pop()


def _looking(contract: Contract, seed: int, number: int) -> Iterator[Looked]:
    """The same, from position to position."""
    finder, found = Finder(contract, seed), list[Puzzle]()
    yield Looked(0, 0, ())
    for _moment, puzzle in finder.look_through(played(contract, seed, number), set()):
        if puzzle is not None:
            found.append(puzzle)
        yield Looked(finder.looked_at, finder.tried, tuple(found))


def make(
    game: str, file: Path, games: int, seed: int = 0, processes: int = 1, on: str | None = None
) -> Generator[Progress]:
    """Play games and add their puzzles to a file, which is written after every game. Whoever has enough stops asking;
    the next call goes on with the first game that was not looked through to its end.

    Several processes, or a cluster (`on`, see `infila.cluster.on_ray`), look through several games at once, and write
    the same file."""
    from infila.cluster.on_ray import check_on  # a page without a server has neither cluster nor processes

    contract = contract_of(game)
    check_on(on)
    check_number("games", games, 1, MOST_GAMES)
    check_number("processes", processes, 1, MOST_PROCESSES)
    check_seed(seed)
    return _made(contract, read(file, game), file, games, seed, processes, on)


def _made(
    contract: Contract, collection: Collection, file: Path, games: int, seed: int, processes: int, on: str | None
) -> Generator[Progress]:
    known = {seen_in(puzzle) for puzzle in collection.puzzles}
    begun, before = collection.played.get(str(seed), 0), len(collection.puzzles)
    done = Progress(0, 0, 0, 0)
    with _games(contract, seed, range(begun, begun + games), processes, on) as all_games:
        for number, game in enumerate(all_games, begun):
            last = Looked(0, 0, ())
            for last in game:
                found = done.found + len(last.puzzles)
                yield Progress(number - begun, done.positions + last.positions, done.tried + last.tried, found)
            for puzzle in last.puzzles:
                if seen_in(puzzle) not in known:
                    known.add(seen_in(puzzle))
                    collection.puzzles.append(puzzle)
            collection.played[str(seed)] = number + 1
            collection.write(file)
            found = len(collection.puzzles) - before
            done = Progress(number - begun + 1, done.positions + last.positions, done.tried + last.tried, found)
            yield done


@contextmanager
def _games(
    contract: Contract, seed: int, numbers: range, processes: int, on: str | None
) -> Iterator[Iterator[Iterable[Looked]]]:
    """All games in order: each from position to position, or, if others do it, as it was in the end."""
    if on is None and processes == 1:
        yield (_looking(contract, seed, number) for number in numbers)
        return
    from infila.cluster.on_ray import cluster
    from infila.cluster.order import in_order
    from infila.cluster.processes import processes as by_processes

    with cluster(on, processes) if on is not None else by_processes(min(processes, len(numbers))) as there:
        name = contract.name
        found = in_order(lambda n: there.promised(look_through, name, seed, n), numbers, 2 * there.workers)
        with closing(found):
            yield ((looked,) for looked in found)


def make_from(
    game: Game, known: set[bytes], seed: int = 0, most: int = EACH
) -> Iterator[tuple[Progress, int, Puzzle | None]]:
    """Look through somebody's own game: how far that is, the number of a move, and its puzzle if it has one; at most so
    many.

    `known` has the puzzles that are known already, by what is seen in them."""
    check_seed(seed)
    finder, found = Finder(game.contract, seed), 0
    for moment, puzzle in finder.look_through(walked(game), known, most):
        found += puzzle is not None
        yield Progress(moment.number, finder.looked_at, finder.tried, found), moment.number, puzzle
