"""What a position is worth to a seat: the mean of how games end that are played on from it (`players.judging`)."""

import hashlib
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


class Estimate:
    """A value that can be known better: of what a viewer sees, or of a move in it."""

    def __init__(
        self, judge: Judge, states: States, viewer: int, seat: int, action: int = NO_MOVE, *, learns: bool = False
    ) -> None:
        self.judge, self.viewer, self.seat, self.action = judge, viewer, seat, action
        self.worlds: list[int] = []  # the seat's share of the win in each, in PARTS
        self._sums, self._points = [0] * judge.players, 0.0  # of all seats' shares; of the seat's scores
        self._rated = 0  # the sum of the seat's shares as the worlds were played on, even where the best play is known
        self.impossible = False  # no world was found in which the move can be made
        self.solved: list[float] | None = None  # what is certain, for each seat
        self._two = np.concatenate([states, states])
        self._seed = judge.seed_for(states, viewer)
        self._desk = np.zeros(1, search.Desk)
        self._desk["nodes"] = 1
        self._learns = learns  # whether what proves best in some worlds is played in the next, as in a search
        self._tree = np.zeros(NODES if learns else 1, search.Node)

    def grow(self, worlds: int) -> None:
        """Know it as well as this many worlds can tell."""
        if not len(self.worlds) and self.viewer >= 0:
            self.solved = self.judge.solved(self._two, self.viewer, self.action, self._seed)
        while len(self.worlds) < worlds and not self.impossible:
            if self.solved is not None and len(self.worlds):
                self._repeat(worlds - len(self.worlds))
                return
            wanted = min(AT_ONCE, worlds - len(self.worlds))
            shares, scores = self._played(wanted)
            n = len(shares[self.seat])
            self._rated += sum(shares[self.seat])
            if self.solved is not None:
                shares = [[round(share * PARTS)] * n for share in self.solved]
            self.worlds += shares[self.seat]
            self._sums = [total + sum(more) for total, more in zip(self._sums, shares, strict=True)]
            self._points += sum(scores[self.seat])
            self.impossible = n < wanted

    def _played(self, wanted: int) -> tuple[list[list[int]], list[list[int]]]:
        """The ends of more worlds."""
        if self._learns and self._desk["nodes"][0] + wanted + 1 > len(self._tree):
            self._tree = np.concatenate([self._tree, np.zeros(max(len(self._tree), wanted), search.Node)])
        return self.judge.play_on(
            self._two, self.viewer, self.action, self._seed, len(self.worlds), wanted, self._tree, self._desk
        )

    def _repeat(self, more: int) -> None:
        """What is certain needs no more playing: every world ends alike."""
        n = len(self.worlds)
        self._points *= (n + more) / n
        self._rated = self._rated * (n + more) // n
        self._sums = [total // n * (n + more) for total in self._sums]
        self.worlds = self.worlds[:1] * (n + more)

    def share(self, seat: int) -> float:
        """Any seat's mean share of the win."""
        return self._sums[seat] / (PARTS * len(self.worlds)) if len(self.worlds) else 0.5

    @property
    def value(self) -> Value:
        n = len(self.worlds)
        if n == 0:
            return Value(0.5, 0.0, 0.5, 0)
        mean, squares = spread_of(self.worlds)
        error = 0.0 if self.solved is not None else sqrt(squares + DOUBT * (0.5 - mean) ** 2) / n
        return Value(mean, self._points / n, error, n)

    def rated(self) -> float:
        """The seat's mean share of the win when all is played on by ratings, even where better play is known."""
        return self._rated / (PARTS * len(self.worlds)) if len(self.worlds) else 0.5

    def above(self, other: "Estimate", part: slice = slice(None)) -> tuple[float, float]:
        """By how much it is worth more than another of the same viewer, in the worlds that both have met, or in a part
        of them, and the standard error."""
        apart = list(map(sub, self.worlds[part], other.worlds[part]))
        if not (n := len(apart)):
            return 0.0, 0.5
        mean, squares = spread_of(apart)
        sure = self is other or (self.solved is not None and other.solved is not None)
        return mean, 0.0 if sure else sqrt(squares + DOUBT * (1 - abs(mean)) ** 2) / n


def spread_of(found: list[int]) -> tuple[float, float]:
    """The mean of shares in PARTS, and the sum of the squares of how far they are from it."""
    n, total, squares = len(found), sum(found), sum(map(mul, found, found))
    return total / (PARTS * n), (n * squares - total * total) / (n * PARTS * PARTS)
