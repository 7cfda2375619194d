"""Computer players: one interface for all games and levels.

A player gets a view, never a state, and answers with a move and the moves it was chosen from. The same view, seed and
budget in simulations give the same answer, on any machine and any number of cores.
"""

import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from infila.core.contract import Contract, Level
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.game import View
from infila.core.games import contract_of
from infila.core.notation import move_texts
from infila.core.record import States
from infila.players import LEVELS, USUAL, search

RANDOM, PLAIN = "random", "search"
MOST_SIMULATIONS = 10_000_000
NODES_AT_FIRST = 4096
BATCH = 16  # simulations between two looks at the clock


@dataclass(frozen=True)
class Candidate:
    """A move that a player has thought about."""

    action: int
    rating: int | None = None  #: without a search: what the heuristic thinks of it, in thousandths of a point
    visits: int = 0  #: with a search: how many simulations went through it
    win: float | None = None  #: with a search: how good they were for the seat, from 0 to 1
    score: float | None = None  #: with a search: its mean score at their end


@dataclass(frozen=True)
class Thought:
    """A move, and the moves it was chosen from, the best first."""

    move: str  #: the one to play
    candidates: tuple[Candidate, ...]
    moves: tuple[str, ...]  #: the candidates as text
    simulations: int  #: of all candidates together


class Player:
    """A computer player of one game. Make one with `infila.player`.

    It remembers nothing: the same view, seed and budget in simulations give the same answer, on any machine.

    >>> import infila
    >>> view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    >>> infila.player("take_that", "club").think(view).move
    '86'
    """

    def __init__(self, contract: Contract, name: str, level: Level | None, *, plain: bool, seed: int) -> None:
        self.contract = contract
        self.name = name
        self.level = level  #: how it thinks; None: it plays at random
        self.plain = plain  #: whether it searches without the game's heuristics
        self.seed = int(seed)

    def __repr__(self) -> str:
        return f"infila.player({self.contract.name!r}, {self.name!r}, seed={self.seed})"

    @property
    def searches(self) -> bool:
        """Whether it searches, rather than playing at random or whatever it likes best at first sight."""
        return self.level is not None and self.level.simulations > 0

    def think(
        self,
        view: View,
        *,
        simulations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
    ) -> Thought:
        """A move for the view's seat, and the moves it was chosen from.

        A budget given here replaces the level's. With milliseconds the answer depends on the machine's speed, and
        each of the threads searches a tree of its own. Once `cancel` is set, the best move so far comes back at once.
        """
        if not isinstance(view, View):
            raise InfilaError(
                f"a player thinks about the view of a seat, game.view(0), not about a {type(view).__name__}."
            )
        if view.contract is not self.contract:
            raise InfilaError(f"this is a player of {self.contract.title}, but the view is of {view.contract.title}.")
        if view.seat is None:
            raise InfilaError("a spectator has no moves. Give the view of a seat.")
        for budget, unit in ((simulations, "simulations"), (milliseconds, "milliseconds")):
            if budget is not None:
                check_number(unit, budget, 1, MOST_SIMULATIONS)
        check_number("threads", threads, 1, 1024)
        if cancel is not None and not hasattr(cancel, "is_set"):
            raise InfilaError(f"cancel must be a threading.Event, which can be set later, not {cancel!r}.")
        candidates = self.ponder(view.states, view.seat, simulations, milliseconds, threads, cancel)
        if not candidates:
            raise InfilaError(f"seat {view.seat + 1} has nothing to decide now.")
        texts = move_texts(self.contract, view.states, [each.action for each in candidates])
        return Thought(texts[0], tuple(candidates), tuple(texts), sum(each.visits for each in candidates))

    def ponder(
        self,
        hidden: States,
        seat: int,
        simulations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
        cancel: threading.Event | None = None,
    ) -> list[Candidate]:
        """The moves of a seat, the best first, from a state that shows what this seat may know and no more."""
        level, seed = self.level, self.seed_for(hidden, seat)
        if level is None:
            return self._at_random(hidden, seat, seed)
        if simulations is None and milliseconds is None:
            simulations = level.simulations
        rated = self.by_rating(hidden, seat, level.noise if simulations == 0 else 0, seed)
        if simulations == 0 or len(rated) < 2:
            return rated
        deadline = None if milliseconds is None else time.monotonic() + milliseconds / 1000
        shares = _shares(simulations or MOST_SIMULATIONS, threads if deadline else 1)
        trees = [Tree(self, hidden, seat, level, seed + i, share) for i, share in enumerate(shares)]
        if len(trees) > 1:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(lambda tree: tree.grow(deadline, cancel), trees))
        else:
            trees[0].grow(deadline, cancel)
        return _merged(trees)

    def choose(self, hidden: States, seat: int) -> int:
        """The action that it plays, from a state that shows what a seat may know and no more."""
        return self.ponder(hidden, seat)[0].action

    def seed_for(self, hidden: States, seat: int) -> int:
        """A seed of its own for every position, made only from what the seat sees."""
        digest = hashlib.blake2b(hidden.tobytes() + bytes([seat]), digest_size=8, key=self.seed.to_bytes(8, "little"))
        return int.from_bytes(digest.digest(), "little")

    def _buffer(self) -> Any:
        return np.zeros(self.contract.rules.MAX_LEGAL, np.int16)

    def _at_random(self, hidden: States, seat: int, seed: int) -> list[Candidate]:
        out = self._buffer()
        n = int(search.choices_at(hidden, seat, out))
        if n == 0:
            return []
        chosen = int(search.random_at(hidden, seat, np.array([seed], np.uint64), out))
        return [Candidate(chosen), *(Candidate(action) for action in out[:n].tolist() if action != chosen)]

    def by_rating(self, hidden: States, seat: int, noise: int = 0, seed: int = 0) -> list[Candidate]:
        """The moves of a seat as `rate` likes them, each misjudged by up to `noise`."""
        out = self._buffer()
        ratings = np.zeros(len(out), np.int64)
        n = int(search.rated_at(hidden, seat, noise, np.array([seed], np.uint64), out, ratings))
        order = np.argsort(-ratings[:n], kind="stable").tolist()
        return [Candidate(int(out[i]), rating=int(ratings[i])) for i in order]


def buffers_for(contract: Contract, compared: int = 0) -> search.Buffers:
    """Room for the lists of a search whose playouts compare some moves."""
    rules = contract.rules
    return search.Buffers(
        out=np.zeros(rules.MAX_LEGAL, np.int16),
        some=np.zeros(max(compared, 1), np.int16),
        ratings=np.zeros(max(rules.MAX_LEGAL, compared), np.int64),
        likes=np.zeros(rules.MAX_LEGAL),
        mark=np.zeros(rules.ACTIONS, np.int16),
        first=np.zeros(rules.MAX_LEGAL, np.int16),
        liked=np.zeros(rules.MAX_LEGAL),
    )


class Tree:
    """A search that can be continued."""

    def __init__(self, player: Player, hidden: States, seat: int, level: Level, seed: int, budget: int) -> None:
        self.seat, self.left = seat, budget
        self.states = np.concatenate([hidden, hidden])
        self.nodes = np.zeros(min(budget + 2, NODES_AT_FIRST), search.Node)
        self.desk = np.zeros(1, search.Desk)
        self.desk["luck"] = self.desk["seed"] = seed & (2**62 - 1)
        self.desk["nodes"] = 1
        self.settings = np.zeros(1, search.Settings.dtype)
        for name in ("noise", "compared", "curiosity", "horizon", "doubt"):
            self.settings[name] = getattr(level, name)
        self.settings["plain"] = player.plain
        self.buffers = buffers_for(player.contract, level.compared)
        self.playout_moves = 0

    def grow(self, deadline: float | None, cancel: threading.Event | None) -> None:
        """Use up the budget, unless time runs out first; run at least a few simulations in any case."""
        while self.left > 0:
            n = min(BATCH, self.left)
            if self.desk["nodes"][0] + n + 1 > len(self.nodes):
                self.nodes = np.concatenate([self.nodes, np.zeros(len(self.nodes), search.Node)])
            self.playout_moves += search.simulate(
                self.states, self.seat, n, self.settings, self.nodes, self.desk, self.buffers
            )
            self.left -= n
            if (cancel is not None and cancel.is_set()) or (deadline is not None and time.monotonic() >= deadline):
                break

    def children(self) -> Any:
        """The records of the root's moves."""
        nodes = []
        child = int(self.nodes["first"][0])
        while child > 0:
            nodes.append(child)
            child = int(self.nodes["after"][child])
        return self.nodes[nodes]


def _shares(simulations: int, trees: int) -> list[int]:
    """A budget divided among trees."""
    return [share for i in range(trees) if (share := simulations // trees + (i < simulations % trees)) > 0]


def _merged(trees: list[Tree]) -> list[Candidate]:
    """The moves by how often all trees tried them, then by how good they were."""
    sums: dict[int, list[float]] = {}
    for tree in trees:
        for node in tree.children():
            known = sums.setdefault(int(node["action"]), [0, 0.0, 0.0])
            known[0] += int(node["visits"])
            known[1] += float(node["value"])
            known[2] += float(node["points"])
    candidates = [
        Candidate(action, visits=int(visits), win=value / visits, score=points / visits)
        for action, (visits, value, points) in sums.items()
    ]
    return sorted(candidates, key=lambda each: (-each.visits, -(each.win or 0), each.action))


def player(game: str, name: str = USUAL, seed: int = 0) -> Player:
    """A computer player: one of the five levels, `random`, or `search:2000`, a search with that many simulations that
    knows nothing of the game but its rules. A level with a number, `expert:500`, searches with that many.

    >>> import infila
    >>> infila.player("take_that", "club")
    infila.player('take_that', 'club', seed=0)
    >>> infila.player("take_that", "genius")
    Traceback (most recent call last):
    infila.core.errors.InfilaError: there is no player 'genius'. There are beginner, casual, club, expert, master, random and search:N.
    """  # noqa: E501
    contract = contract_of(game)
    check_seed(seed)
    kind, colon, number = str(name).partition(":")
    if colon and not (
        number.isascii() and number.isdigit() and len(number) < 12 and 1 <= int(number) <= MOST_SIMULATIONS
    ):
        raise InfilaError(f"{name!r}: after the colon goes a number of simulations, 1 to {MOST_SIMULATIONS}.")
    simulations = int(number) if colon else None
    level: Level | None
    if kind == PLAIN and simulations:
        return Player(contract, name, Level(simulations=simulations), plain=True, seed=seed)
    if kind == RANDOM and not colon:
        return Player(contract, name, None, plain=False, seed=seed)
    if kind not in LEVELS:
        raise InfilaError(f"there is no player {name!r}. There are {', '.join(LEVELS)}, {RANDOM} and {PLAIN}:N.")
    level = contract.heuristics.LEVELS[kind]
    if simulations:
        level = replace(level, simulations=simulations)
    return Player(contract, name, level, plain=False, seed=seed)
