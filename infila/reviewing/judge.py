"""What a position is worth to a seat: the mean of how games end that are played on from it (`players.judging`)."""

import hashlib
from copy import copy
from dataclasses import dataclass
from math import sqrt
from operator import mul, sub
from typing import Any

import numpy as np

from infila.core.contract import Contract
from infila.core.notation import POINTS
from infila.core.record import States
from infila.players import judging, search
from infila.players.judging import NO_MOVE, OPEN
from infila.players.player import buffers_for

AT_ONCE = 128  # worlds: nobody waits long for what cannot be interrupted
ALIKE = 8  # worlds that must be the same before all are held to be
LINE, POSITIONS = 48, 4000  # the longest line of play, and the most positions, of an end that is solved
TRIES = 256  # for a world in which somebody else can make their move; the same for all, so that worlds are the same
NODES = 64  # of a tree, at first
CURIOSITY = 1.0
DOUBT = 1.0  # worlds that ended the other way, so that a clean sweep does not count as certainty
PARTS = 27720  # of a win: whatever up to twelve winners share is a whole number of them, so that sums are exact


@dataclass(frozen=True)
class Value:
    """What can be expected: a share of the win and a score."""

    win: float  #: from 0 to 1
    score: float
    error: float  #: the standard error of `win`
    worlds: int  #: how many were played on


class Judge:
    """Plays on from positions of one game."""

    def __init__(self, contract: Contract, players: int, mates: int, seed: int = 0) -> None:
        self.contract, self.players, self.mates, self.seed = contract, players, mates, seed
        self.played = 0  # games in all
        self._buffers = buffers_for(contract)
        self._settings = np.zeros(1, search.Settings.dtype)
        self._settings["curiosity"] = CURIOSITY
        self._luck = np.zeros(1, np.uint64)
        self._shares, self._ends = np.zeros(AT_ONCE * players), np.zeros(AT_ONCE * players, np.int64)

    def seed_for(self, states: States, viewer: int) -> Any:
        """Of the worlds of a viewer: made from what the viewer sees and nothing else."""
        key = self.seed.to_bytes(8, "little")
        made = hashlib.blake2b(states.tobytes(), digest_size=8, key=key, salt=bytes([viewer - OPEN]))
        return np.uint64(int.from_bytes(made.digest(), "little") >> 1)

    def play_on(
        self, two: States, viewer: int, action: int, seed: Any, first: int, worlds: int, tree: Any, desk: Any
    ) -> tuple[list[list[int]], list[list[int]]]:
        """The ends of some more worlds, for each seat: its shares in PARTS of a win, and its scores."""
        noise, seats = self.contract.heuristics.SPREAD if viewer == OPEN else 0, range(self.players)
        n = judging.judge(
            two, viewer, action, seed, first, worlds, TRIES, noise, self.players, self.mates,
            self._settings, tree, desk, self._buffers, self._shares, self._ends,
        )  # fmt: skip
        self.played += int(n)
        end = int(n) * self.players
        shares = [round(share * PARTS) for share in self._shares[:end].tolist()]
        scores = self._ends[:end].tolist()
        return [shares[seat :: self.players] for seat in seats], [scores[seat :: self.players] for seat in seats]

    def world(self, two: States, viewer: int, action: int, seed: Any, number: int, seen_by: int = OPEN) -> bool:
        """Make two[1] a world after an action, as somebody sees it; False if there is none."""
        out = self._buffers.out
        return bool(judging.imagine(two, viewer, action, seed, number, TRIES, seen_by, out, self._luck))

    def foreseen(self, two: States, viewer: int, action: int, seen: bytes) -> bool:
        """Whether a viewer, given an action, would see the same in any world: nothing came by chance."""
        seed = self.seed_for(two[:1], viewer)
        numbers = (n for n in range(ALIKE) if self.world(two, viewer, action, seed, n, viewer))
        return all(two[1:].tobytes() == seen for _ in numbers)

    def solved(self, two: States, viewer: int, action: int, seed: Any) -> list[float] | None:
        """What everybody gets who plays as well as possible; None if something is hidden, or comes by chance, or if
        there is too much to look at."""
        worlds = set[bytes]()
        for number in range(ALIKE):
            if not self.world(two, viewer, action, seed, number):
                return None
            two[1].key[:] = 0
            two[1].counter = 0
            worlds.add(two[1:].tobytes())
            if len(worlds) > 1:
                return None
        size, players = self.contract.rules.MAX_LEGAL, self.players
        states, shares = np.zeros(LINE, self.contract.rules.State), np.zeros(LINE * players)
        states[0] = two[1]
        moves, points = np.zeros(LINE * size, np.int16), np.zeros(POINTS, np.int64)
        tried, counts = np.zeros(LINE, np.int64), np.zeros(LINE, np.int64)
        out = self._buffers.out
        if not judging.solve(states, players, self.mates, POSITIONS, out, moves, tried, counts, points, shares):
            return None
        found: list[float] = shares[:players].tolist()
        return found


class Worlds:
    """Worlds that were played on, as many as are wanted: of what a viewer sees, or of a move in it."""

    def __init__(self, judge: Judge, states: States, viewer: int, action: int, *, learns: bool) -> None:
        self.judge, self.viewer, self.action = judge, viewer, action
        self.shares: list[list[int]] = [[] for _ in range(judge.players)]  # of the win, of each seat in each, in PARTS
        self.points = [0.0] * judge.players  # the sum of each seat's scores
        self.rated = [0] * judge.players  # of its shares as the worlds were played on, even where the best is known
        self.impossible = False  # no world was found in which the move can be made
        self.solved: list[float] | None = None  # what is certain, for each seat
        self._two = np.concatenate([states, states])
        self._seed = judge.seed_for(states, viewer)
        self._desk = np.zeros(1, search.Desk)
        self._desk["nodes"] = 1
        self._learns = learns  # whether what proves best in some worlds is played in the next, as in a search
        self._tree = np.zeros(NODES if learns else 1, search.Node)

    def __len__(self) -> int:
        return len(self.shares[0])

    def grow(self, worlds: int) -> None:
        """Know it as well as this many worlds can tell."""
        if not len(self) and self.viewer >= 0:
            self.solved = self.judge.solved(self._two, self.viewer, self.action, self._seed)
        while len(self) < worlds and not self.impossible:
            if self.solved is not None and len(self):
                self._repeat(worlds - len(self))
                return
            wanted = min(AT_ONCE, worlds - len(self))
            shares, scores = self._played(wanted)
            n = len(shares[0])
            for seat, (more, ends) in enumerate(zip(shares, scores, strict=True)):
                self.rated[seat] += sum(more)
                self.points[seat] += sum(ends)
                self.shares[seat] += more if self.solved is None else [round(self.solved[seat] * PARTS)] * n
            self.impossible = n < wanted

    def _played(self, wanted: int) -> tuple[list[list[int]], list[list[int]]]:
        """The ends of more worlds."""
        if self._learns and self._desk["nodes"][0] + wanted + 1 > len(self._tree):
            self._tree = np.concatenate([self._tree, np.zeros(max(len(self._tree), wanted), search.Node)])
        return self.judge.play_on(
            self._two, self.viewer, self.action, self._seed, len(self), wanted, self._tree, self._desk
        )

    def _repeat(self, more: int) -> None:
        """What is certain needs no more playing: every world ends alike."""
        n = len(self)
        self.points = [total * (n + more) / n for total in self.points]
        self.rated = [total * (n + more) // n for total in self.rated]
        self.shares = [each[:1] * (n + more) for each in self.shares]


class Estimate:
    """A value to a seat that can be known better: of what a viewer sees, or of a move in it."""

    def __init__(
        self, judge: Judge, states: States, viewer: int, seat: int, action: int = NO_MOVE, *, learns: bool = False
    ) -> None:
        self._played_on = Worlds(judge, states, viewer, action, learns=learns)
        self.seat = seat

    def of(self, seat: int) -> "Estimate":
        """The same worlds, and what they are worth to another seat."""
        other = copy(self)
        other.seat = seat
        return other

    def grow(self, worlds: int) -> None:
        """Know it as well as this many worlds can tell."""
        self._played_on.grow(worlds)

    @property
    def worlds(self) -> list[int]:
        """The seat's share of the win in each, in PARTS."""
        return self._played_on.shares[self.seat]

    @property
    def impossible(self) -> bool:
        """Whether worlds were looked for in which the move can be made, and not found."""
        return self._played_on.impossible

    @property
    def solved(self) -> list[float] | None:
        """What is certain, for each seat."""
        return self._played_on.solved

    def share(self, seat: int) -> float:
        """Any seat's mean share of the win."""
        shares = self._played_on.shares[seat]
        return sum(shares) / (PARTS * len(shares)) if shares else 0.5

    @property
    def value(self) -> Value:
        n = len(self.worlds)
        if n == 0:
            return Value(0.5, 0.0, 0.5, 0)
        mean, squares = spread_of(self.worlds)
        error = 0.0 if self.solved is not None else sqrt(squares + DOUBT * (0.5 - mean) ** 2) / n
        return Value(mean, self._played_on.points[self.seat] / n, error, n)

    def rated(self) -> float:
        """The seat's mean share of the win when all is played on by ratings, even where better play is known."""
        return self._played_on.rated[self.seat] / (PARTS * len(self.worlds)) if self.worlds else 0.5

    def above(self, other: "Estimate", part: slice = slice(None)) -> tuple[float, float]:
        """By how much it is worth more than another of the same viewer, in the worlds that both have met, or in a part
        of them, and the standard error."""
        apart = list(map(sub, self.worlds[part], other.worlds[part]))
        if not (n := len(apart)):
            return 0.0, 0.5
        mean, squares = spread_of(apart)
        sure = self._played_on is other._played_on or (self.solved is not None and other.solved is not None)
        return mean, 0.0 if sure else sqrt(squares + DOUBT * (1 - abs(mean)) ** 2) / n


def spread_of(found: list[int]) -> tuple[float, float]:
    """The mean of shares in PARTS, and the sum of the squares of how far they are from it."""
    n, total, squares = len(found), sum(found), sum(map(mul, found, found))
    return total / (PARTS * n), (n * squares - total * total) / (n * PARTS * PARTS)
