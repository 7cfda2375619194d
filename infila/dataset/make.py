"""Play the games of a dataset, on all cores. The same seed gives the same games on any number of threads."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from infila.batch import counted_play, noted_play
from infila.cluster.order import on_threads
from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.core.options import Options
from infila.core.record import copied, uint64
from infila.dataset.data import Dataset
from infila.players.player import Player, player
from infila.players.search import WHOEVER, choices_at

RATING, SEARCHING = 256, 1  # games at a time
ROOM = 64  # moves of a game for which there is room at first
MOST_GAMES = 10**9


@dataclass(frozen=True)
class Played:
    """The games of a chunk."""

    lengths: Any
    actions: Any
    seats: Any
    scores: Any


class Stopped(Exception):
    """Nobody is waiting for this game any more."""


class _Desk:
    """Where the games are played."""

    def __init__(self, contract: Contract, options: Options, players: Sequence[Player], seed: int) -> None:
        self.contract, self.options, self.players, self.seed = contract, options, players, seed
        self.seats = int(options.to_dict()["players"])
        self.sides = np.array([options.side(seat) for seat in range(self.seats)], np.int64)
        self.ways = np.array([counted_play.AT_RANDOM if each.level is None else each.level.noise for each in players])
        self.searches = any(each.searches for each in players)
        self.at_random = all(each.level is None for each in players)
        self.stop = threading.Event()
        self.room = ROOM

    def play(self, first: int, n: int) -> Played:
        return self._ask(first) if self.searches else self._play_compiled(first, n)

    def _play_compiled(self, first: int, n: int) -> Played:
        rules = self.contract.rules
        template = np.zeros(1, rules.State)
        self.options.write(template[0])
        lengths, points = np.zeros(n, np.int64), np.zeros((n, POINTS), np.int64)
        while True:
            actions, seats = np.zeros(n * self.room, np.int16), np.zeros(n * self.room, np.int8)
            done = noted_play.play_noted(
                template,
                uint64(self.seed),
                first,
                self.ways,
                self.sides,
                np.zeros(2, rules.State),
                np.zeros(rules.MAX_LEGAL, np.int16),
                None if self.at_random else np.zeros(rules.MAX_LEGAL, np.int64),
                np.zeros(1, np.uint64),
                actions,
                seats,
                lengths,
                points,
            )
            if done == n:
                break
            self.room *= 2
        moves = int(lengths.sum())
        return Played(lengths, actions[:moves].copy(), seats[:moves].copy(), points[:, : self.seats].astype(np.int32))

    def _ask(self, number: int) -> Played:
        """Play one game, asking its players for every move that is a choice."""
        rules = self.contract.rules
        template, work = np.zeros(1, rules.State), np.zeros(2, rules.State)
        self.options.write(template[0])
        out, points = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64)
        counted_play.begin(work, template, uint64(self.seed), uint64(number), np.zeros(1, np.uint64))
        actions, seats = [], []
        while not driver.status_at(work, 0, points)[1]:
            choices = int(choices_at(work, WHOEVER, out))
            seat, action = int(driver.actor_at(work, 0, int(out[0]))), int(out[0])
            if choices > 1:
                hidden = copied(work[:1])
                driver.hide_at(hidden, 0, seat)
                who = self.players[(int(self.sides[seat]) + number) % len(self.players)]
                action = who.ponder(hidden, seat, cancel=self.stop)[0].action
            if self.stop.is_set():
                raise Stopped
            actions.append(action)
            seats.append(seat)
            driver.play_at(work, 0, action)
        scores = points[None, : self.seats].astype(np.int32)
        return Played(np.array([len(actions)]), np.array(actions, np.int16), np.array(seats, np.int8), scores)


def make(
    game: str,
    games: int,
    options: Mapping[str, Any] | None = None,
    *,
    by: Sequence[str] = ("club",),
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda games, moves: None,
) -> Dataset:
    """Play games and keep their moves. `by` are levels, `random` or `search:N`; they take turns at the seats.

    `progress` is called after every chunk with the games and moves so far; KeyboardInterrupt ends it early, and what
    has been played by then is the dataset.
    """
    contract = contract_of(game)
    chosen = contract.options.make(options or {})
    names = [by] if isinstance(by, str) else list(by)
    if not names:
        raise InfilaError("nobody plays: name a level, random or search:N.")
    players = tuple(player(game, name) for name in names)
    check_number("games", games, 1, MOST_GAMES)
    threads = (os.cpu_count() or 1) if threads is None else threads
    check_number("threads", threads, 1, 1024)
    check_seed(seed)
    desk = _Desk(contract, chosen, players, int(seed))
    found: list[Played] = []
    moves = count = 0
    size = SEARCHING if desk.searches else RATING
    with (
        suppress(KeyboardInterrupt),
        closing(on_threads(desk.play, games, size, threads, desk.stop.set)) as chunks,
    ):
        for chunk in chunks:
            found.append(chunk)
            count, moves = count + len(chunk.lengths), moves + len(chunk.actions)
            progress(count, moves)
    return _joined(contract, chosen, tuple(names), int(seed), desk.seats, found)


def _joined(
    contract: Contract, options: Options, by: tuple[str, ...], seed: int, seats: int, found: list[Played]
) -> Dataset:
    none = Played(np.zeros(0, np.int64), np.zeros(0, np.int16), np.zeros(0, np.int8), np.zeros((0, seats), np.int32))
    parts = [none, *found]
    lengths = np.concatenate([each.lengths for each in parts])
    return Dataset(
        contract,
        options,
        by,
        seed,
        np.arange(len(lengths)),
        lengths,
        np.concatenate([each.actions for each in parts]),
        np.concatenate([each.seats for each in parts]),
        np.concatenate([each.scores for each in parts]),
    )
