"""Play the games of a study, on all cores, and count.

Random and heuristic players play whole chunks of games in compiled code; where a player searches, each game is a chunk
and every move is asked for. Chunks are added up in order, so an interrupted study is a study of fewer games.
"""

import os
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from infila.batch import counted_play
from infila.cluster.on_ray import check_on, cluster
from infila.cluster.order import in_order, on_threads, parts
from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.core.options import Options
from infila.core.record import copied, uint64
from infila.players.player import Player, player
from infila.study.figures import Chunk, Figures

# games for each kind of player: in a study, and at a time
RANDOM, RATING, SEARCHING = (1_000_000, 4096), (10_000, 64), (100, 1)


class Stopped(Exception):
    """Nobody is waiting for this game any more."""


@dataclass(frozen=True)
class StudyPlan:
    """What is played, and by whom: in game g, side k is played by player k + g, modulo their number."""

    contract: Contract
    options: Options
    players: tuple[Player, ...]
    seed: int
    games: int
    threads: int
    on: str | None = None

    @property
    def chunk(self) -> int:
        """How many games are played at a time."""
        return _kind(self.players)[1]

    @property
    def searches(self) -> bool:
        """Whether any player searches."""
        return _kind(self.players) == SEARCHING

    @property
    def at_random(self) -> bool:
        """Whether everybody plays at random."""
        return _kind(self.players) == RANDOM

    def sides(self) -> Any:
        """The side of each seat."""
        players = int(self.options.to_dict()["players"])
        return np.array([self.options.side(seat) for seat in range(players)], np.int64)

    def template(self) -> Any:
        """A record that holds only the options."""
        template = np.zeros(1, self.contract.rules.State)
        self.options.write(template[0])
        return template

    def ways(self) -> Any:
        """How each player plays, for `play_counted`."""
        return np.array([counted_play.AT_RANDOM if each.level is None else each.level.noise for each in self.players])

    def run(self, progress: Callable[[Figures], None] = lambda figures: None) -> Figures:
        """Play and count. `progress` is called after every chunk; KeyboardInterrupt ends it early."""
        by = [each.name for each in self.players]
        figures = Figures(self.contract, self.options, by, self.games, self.seed)
        if self.on is None:
            _warm_up(self)
        start = time.perf_counter()
        with suppress(KeyboardInterrupt), ThreadPoolExecutor(1) as adding, closing(self._chunks()) as chunks:
            for chunk in chunks:
                adding.submit(figures.add, chunk).result()  # in another thread, since Ctrl-C could come halfway
                figures.seconds = time.perf_counter() - start
                progress(figures)
        return figures

    def _chunks(self) -> Generator[Chunk]:
        return _on_threads(self) if self.on is None else _on_cluster(self, self.on)


def _kind(players: Sequence[Player]) -> tuple[int, int]:
    if any(each.searches for each in players):
        return SEARCHING
    return RANDOM if all(each.level is None for each in players) else RATING


def study(
    game: str,
    games: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    by: Sequence[str] = ("random",),
    seed: int = 0,
    threads: int | None = None,
    on: str | None = None,
) -> StudyPlan:
    """A study, ready to run. A study that cannot be played is refused here. `on` is a cluster
    (`infila.cluster.on_ray`); `threads` are the workers of one that is started here.

    >>> from infila.study.run import study
    >>> figures = study("take_that", 200, {"rounds": 1}, threads=2).run()
    >>> figures.games, figures.moves.least > 50, len(figures.wins())
    (200, True, 2)
    """
    contract = contract_of(game)
    chosen = contract.options.make(options or {})
    if not by:
        raise InfilaError("nobody plays: name a level, random or search:N.")
    players = tuple(player(game, name) for name in by)
    games = _kind(players)[0] if games is None else games
    threads = (os.cpu_count() or 1) if threads is None else threads
    check_number("games", games, 1, 10**12)
    check_number("threads", threads, 1, 1024)
    check_seed(seed)
    check_on(on)
    return StudyPlan(contract, chosen, players, seed, games, threads, on)


def _warm_up(plan: StudyPlan) -> None:
    """Compile, or load what was compiled before, outside the time that is measured."""
    _Desk(plan).play(0, 0)


def _on_threads(plan: StudyPlan) -> Generator[Chunk]:
    desk = _Desk(plan)
    return on_threads(desk.play, plan.games, plan.chunk, plan.threads, desk.stop.set)


def _on_cluster(plan: StudyPlan, on: str) -> Generator[Chunk]:
    about = plan.contract.name, plan.options.to_dict(), [each.name for each in plan.players], plan.seed
    with cluster(on, plan.threads) as found:
        yield from in_order(
            lambda part: found.promised(_play_there, *about, *part), parts(plan.games, plan.chunk), 2 * found.workers
        )


def _play_there(game: str, options: Mapping[str, Any], by: Sequence[str], seed: int, first: int, n: int) -> Chunk:
    return _Desk(study(game, n, options, by=by, seed=seed)).play(first, n)


class _Desk:
    """Where the games of a plan are played."""

    def __init__(self, plan: StudyPlan) -> None:
        self.plan = plan
        self.stop = threading.Event()

    def play(self, first: int, n: int) -> Chunk:
        rules = self.plan.contract.rules
        courses = np.zeros(n, counted_play.Course)
        widths = np.zeros(rules.MAX_LEGAL + 1, np.int64)
        curve = np.zeros((2, counted_play.SLICES), np.int64)
        chunk = Chunk(first, courses, widths, curve)
        if self.plan.searches:
            for i in range(n):
                self._ask(chunk, i)
        else:
            self._play_compiled(chunk)
        return chunk

    def _play_compiled(self, chunk: Chunk) -> None:
        plan, rules = self.plan, self.plan.contract.rules
        counted_play.play_counted(
            chunk.courses,
            plan.template(),
            uint64(plan.seed),
            chunk.first,
            plan.ways(),
            plan.sides(),
            np.zeros(2, rules.State),
            chunk.widths,
            chunk.curve,
            np.zeros(counted_play.TRAIL, np.int64),
            np.zeros(rules.MAX_LEGAL, np.int16),
            None if plan.at_random else np.zeros(rules.MAX_LEGAL, np.int64),
            np.zeros(1, np.uint64),
        )

    def _ask(self, chunk: Chunk, i: int) -> None:
        """Play one game, asking its players for every move that is a choice."""
        plan, rules, number = self.plan, self.plan.contract.rules, chunk.first + i
        work, trail = np.zeros(2, rules.State), np.zeros(counted_play.TRAIL, np.int64)
        out, points = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64)
        sides = plan.sides().tolist()
        counted_play.begin(work, plan.template(), uint64(plan.seed), uint64(number), np.zeros(1, np.uint64))
        while not driver.status_at(work, 0, points)[1]:
            choices = counted_play.look(work, chunk.courses, i, chunk.widths, trail, out)
            seat = int(chunk.courses["seat"][i])
            action = int(out[0])
            if choices > 1:
                hidden = copied(work[:1])
                driver.hide_at(hidden, 0, seat)
                who = plan.players[(sides[seat] + number) % len(plan.players)]
                action = who.ponder(hidden, seat, cancel=self.stop)[0].action
            if self.stop.is_set():
                raise Stopped
            counted_play.go(work, chunk.courses, i, action)
        counted_play.finish(work, chunk.courses, i, trail, chunk.curve)
