"""Puzzles out of many games that computers play, and out of one's own.

Every game that is played for them has a number, and everything in it comes from that and the seed: its options, who
plays, the deal and all moves. So whoever goes on where somebody stopped finds what they would have found.
"""

import random
from collections.abc import Generator, Iterator
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
from infila.puzzles.collection import read
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


def make(game: str, file: Path, games: int, seed: int = 0) -> Generator[Progress]:
    """Play games and add their puzzles to a file, which is written after every game. Whoever has enough stops asking;
    the next call goes on with the first game that was not looked through to its end."""
    contract = contract_of(game)
    check_number("games", games, 1, MOST_GAMES)
    check_seed(seed)
    collection = read(file, game)
    known = {seen_in(puzzle) for puzzle in collection.puzzles}
    finder = Finder(contract, seed)
    begun, before = collection.played.get(str(seed), 0), len(collection.puzzles)
    for number in range(begun, begun + games):
        fresh = []
        for _moment, puzzle in finder.look_through(played(contract, seed, number), known):
            if puzzle is not None:
                fresh.append(puzzle)
            yield Progress(number - begun, finder.looked_at, finder.tried, len(collection.puzzles) - before)
        collection.puzzles += fresh
        collection.played[str(seed)] = number + 1
        collection.write(file)
        yield Progress(number - begun + 1, finder.looked_at, finder.tried, len(collection.puzzles) - before)


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
